package import ProbeKit
package import ProbeTrust
import SwiftASN1
import X509

/// The certificate that a signature was made with, found in the message and checked by our rules.
package struct SigningCertificate {
    package let parsed: ParsedCertificate

    /// Finds the certificate of the message that its signature names; names and numbers are compared byte by byte.
    package init(in message: CMSMessage) throws(SignatureProblem) {
        let named = Set(message.certificates.filter { Self.isNamed($0, by: message.signer.identifier) })
        guard let der = named.first else {
            throw SignatureProblem(.noCertificate, "the certificate that the signature names is not in the message")
        }
        guard named.count == 1 else { throw .malformed("the signature names several certificates of the message") }
        switch ParsedCertificate.parse(der) {
        case .success(let parsed): self.parsed = parsed
        case .failure(let reason):
            throw SignatureProblem(TrustReading.Problem(reason.cause, "the signing certificate: \(reason.message)"))
        }
    }

    private static func isNamed(_ der: [UInt8], by identifier: CMSSignerInfo.Identifier) -> Bool {
        switch identifier {
        case .issuerAndSerial(let issuer, let serial):
            guard let frame = try? CertificateFrame(der) else { return false }
            // The serial number comes before the signature algorithm, the issuer after it.
            let index = frame.algorithmIndex
            guard frame.body.indices.contains(index + 1), index > 0 else { return false }
            return frame.body[index - 1].encodedBytes == serial && frame.body[index + 1].encodedBytes == issuer
        case .keyIdentifier(let bytes):
            guard case .success(let parsed) = ParsedCertificate.parse(der) else { return false }
            return parsed.extensions.subjectKey == bytes
        }
    }

    /// Returns the problem of a certificate that may not sign content; nil if it may.
    ///
    /// Its key usage, if present, has to allow signatures. CMS has no extended key usage of its own, and signers of the
    /// seed have server certificates, so any purpose is accepted except those for OCSP responses and time stamps alone,
    /// whose content others choose. A CA may only sign content if it is trusted by itself.
    package func purposeProblem(isAnchor: Bool) -> SignatureProblem? {
        let extensions = parsed.extensions
        if let error = parsed.extensionError ?? extensions.keyUsageError {
            return .malformed("an extension of the signing certificate can't be read: \(error)")
        }
        if let usage = extensions.keyUsage, !usage.digitalSignature, !usage.nonRepudiation {
            return SignatureProblem(.wrongPurpose, "the key usage of '\(subject)' does not allow signing content")
        }
        if let purposes = extensions.purposes, purposes.allSatisfy({ [.ocspSigning, .timeStamping].contains($0) }) {
            return SignatureProblem(
                .wrongPurpose, "the extended key usage of '\(subject)' does not allow signing content")
        }
        if !isAnchor, case .isCertificateAuthority? = extensions.basicConstraints {
            return SignatureProblem(.wrongPurpose, "'\(subject)' is the certificate of an authority")
        }
        return nil
    }

    /// Returns the constraints of a trusted signer that the signing certificate does not meet.
    func constraintProblems(_ signer: TrustedSigner) -> [SignatureProblem] {
        var problems: [SignatureProblem] = []
        if let rule = signer.commonName {
            let names = commonNames
            // Of several names some readers take the first and some the last.
            if names.count != 1 || !names.allSatisfy({ $0.map(rule.isMet(by:)) ?? false }) {
                let list = names.map { $0.map { "'\($0)'" } ?? "an unreadable one" }.joined(separator: ", ")
                problems.append(
                    SignatureProblem(
                        .signerConstraint,
                        "the common name of the signing certificate is to be '\(rule)', and is \(list.isEmpty ? "missing" : list)",
                        signer: signer.name))
            }
        }
        if let wanted = signer.authorityKeyIdentifier, parsed.extensions.authorityKey.map({ Array($0) }) != wanted.bytes
        {
            let found = parsed.extensions.authorityKey.map { Hex.encode($0) } ?? "missing"
            problems.append(
                SignatureProblem(
                    .signerConstraint,
                    "the authority key identifier of the signing certificate is to be \(wanted), and is \(found)",
                    signer: signer.name))
        }
        return problems
    }

    private var subject: DistinguishedName { parsed.certificate.subject }

    /// The common names of the subject; nil stands for one that is not text.
    private var commonNames: [String?] {
        subject.flatMap { $0 }.filter { $0.type == .RDNAttributeType.commonName }.map { String($0.value) }
    }
}

extension SignatureProblem {
    /// Creates a problem of the signature from one of a certificate.
    init(_ problem: TrustReading.Problem, signer: String? = nil) {
        let cause: Cause =
            switch problem.cause {
            case .malformed: .malformed
            case .tooComplex: .tooComplex
            case .wrongPurpose: .wrongPurpose
            case .weakSignature: .weakDigest
            case .weakKey: .weakKey
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .badSignature, .revoked, .selfSigned, .unknownIssuer, .constraintViolated, .hostnameMismatch, .other:
                .untrustedSigner
            }
        self.init(cause, problem.message, nativeCode: problem.nativeCode, signer: signer)
    }
}
