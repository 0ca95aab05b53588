public import ProbeKit
import ProbeTrust

extension SignatureReading {
    /// The answer as findings: the problems, or the signer.
    public var findings: [Finding] {
        guard let signer else { return problems.map(\.finding) }
        let subject = certificate.flatMap { try? CertificateDetails(certificate: $0).subject }
        return [
            .note(
                "signed-by", stage: .signature,
                "'\(signer)' signed it\(subject.map { ", with the certificate of '\($0)'" } ?? "")")
        ]
    }
}
