import ProbeKit
import X509

/// Forms of an accepted path that the standards leave undefined or forbid, but every stack accepts.
enum AcceptedForms {
    /// Remarks on a certificate below the anchor.
    static func remarks(of parsed: ParsedCertificate) -> [TrustReading.Remark] {
        guard parsed.extensions.isKeyUsagePadded else { return [] }
        return [
            .warning(
                "key-usage-padding",
                "the key usage of '\(parsed.certificate.subject)' ends in zero bits, which is not DER",
                fix: "ask the CA to encode the key usage without trailing zero bits")
        ]
    }

    /// Remarks on a certificate above the leaf.
    static func remarks(ofIssuer parsed: ParsedCertificate) -> [TrustReading.Remark] {
        guard parsed.extensions.constraints?.hasLeadingPeriod ?? false else { return [] }
        return [
            .note(
                "name-constraint-leading-period",
                "a DNS name constraint of '\(parsed.certificate.subject)' begins with a period: it covers the names below it, "
                    + "and not the name itself")
        ]
    }

    /// Remarks on the server's certificate.
    static func remarks(
        ofLeaf leaf: ParsedCertificate?, isPublicSuffix: (@Sendable (String) -> Bool)?
    ) -> [TrustReading.Remark] {
        guard let leaf, let names = leaf.extensions.names, let isPublicSuffix else { return [] }
        for case .dnsName(let name) in names.prefix(maximumNames) where name.hasPrefix("*.") {
            let parent = name.dropFirst(2).lowercased()
            guard parent.contains("."), parent.utf8.count <= ConstrainedName.maximumHostBytes, isPublicSuffix(parent)
            else { continue }
            return [
                .warning(
                    "wildcard-public-suffix",
                    "'\(leaf.certificate.subject)' is for '\(name)', and anyone can register names under '\(parent)'",
                    fix: "issue the certificate for names of one owner")
            ]
        }
        return []
    }

    /// The maximum number of names of a certificate; the list is only searched for wildcards.
    private static let maximumNames = 1000
}
