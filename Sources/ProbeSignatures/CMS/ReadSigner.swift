import ProbeKit
import ProbeTrust
import X509

/// A trusted signer with their readable certificates.
struct ReadSigner {
    let signer: TrustedSigner
    let anchors: [ParsedCertificate]

    init(_ signer: TrustedSigner) {
        self.signer = signer
        anchors = signer.anchors.certificates.compactMap { try? ParsedCertificate.parse($0).get() }
    }

    var name: String { signer.name }

    /// The anchors that meet the signer's constraints, and the problems if none does.
    var anchorsMeetingConstraints: (anchors: [ParsedCertificate], problems: [SignatureProblem]) {
        let wrongs = anchors.map { constraintProblems($0) }
        return (zip(anchors, wrongs).filter { $0.1.isEmpty }.map(\.0), wrongs.flatMap(\.self))
    }

    private func constraintProblems(_ anchor: ParsedCertificate) -> [SignatureProblem] {
        var problems: [SignatureProblem] = []
        let subject = anchor.certificate.subject
        if let wanted = signer.subjectKeyIdentifier, anchor.extensions.subjectKey.map({ Array($0) }) != wanted.bytes {
            let found = anchor.extensions.subjectKey.map { Hex.encode($0) } ?? "missing"
            problems.append(
                SignatureProblem(
                    .signerConstraint,
                    "the subject key identifier of the anchor '\(subject)' is to be \(wanted), and is \(found)",
                    signer: name))
        }
        let serial = SerialNumber(anchor.certificate.serialNumber.bytes)
        if let wanted = signer.rootSerial, serial != wanted {
            problems.append(
                SignatureProblem(
                    .signerConstraint,
                    "the serial number of the anchor '\(subject)' is to be \(wanted), and is \(serial)",
                    signer: name))
        }
        return problems
    }
}
