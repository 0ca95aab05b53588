import ProbeKit
import SwiftASN1

/// The changes that make a certificate keep a rule, where its cause alone does not imply them.
extension CertificateRules {
    /// The fix for an RSA key that is too long to compute with.
    static let shorterKey = "use RSA keys of 2048 to \(ParsedCertificate.maximumRSABits) bits, or P-256, P-384, P-521"

    /// Returns the place of a certificate that has ended.
    static func place(_ depth: Int, isAnchor: Bool) -> ExpiryPlace {
        depth == 0 ? .leaf : isAnchor ? .anchor : .authority
    }

    /// Returns the fix for a critical extension that no verifier has to know. One marks a precertificate, which is meant
    /// never to be valid (RFC 6962 section 3.1).
    static func fix(ofUnknown oid: ASN1ObjectIdentifier) -> String {
        oid == precertificatePoison
            ? "install the certificate itself: this is its precertificate, which a CA makes for Certificate Transparency alone"
            : "have that certificate issued without the extension, or with it not critical"
    }

    /// Returns the fix for an extended key usage without the wanted purpose; nil for a server's certificate, whose cause
    /// implies it.
    static func fix(ofUnnamed purpose: TrustQuestion.Purpose, depth: Int) -> String? {
        if depth > 0 { return "issue the certificate below a CA whose extended key usage names it, or that has none" }
        return purpose == .client
            ? "issue the certificate for TLS clients (extended key usage clientAuth)" : nil
    }

    private static let precertificatePoison: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 11129, 2, 4, 3]
}
