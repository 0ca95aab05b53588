import FuzzBytes
import ProbeKit
import ProbeSignatures
import ProbeTrust

extension FuzzTarget {
    /// A CMS message, and the certificate in it that its signature names.
    static let signedMessage = FuzzTarget("cms-message", upTo: 8192) { bytes in
        _ = CMSSignerInfo.looksLikeAttributes(bytes)
        guard let message = try? CMSMessage(signature: bytes) else { return }
        let again = try CMSMessage(signature: message.der)
        try hold(again.certificates == message.certificates, "two readings of one message differ")
        guard let signing = try? SigningCertificate(in: message) else { return }
        try hold(message.certificates.contains(signing.parsed.der), "the signing certificate is not in the message")
        _ = signing.purposeProblem(isAnchor: false)
    }
}
