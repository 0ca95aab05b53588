import SwiftASN1
import X509

/// A certificate's name constraints in the form in which they are compared.
struct ReadConstraints: Sendable {
    let permitted: [ConstrainedName]
    let excluded: [ConstrainedName]
    /// True if a DNS subtree begins with a period, and so covers only the names below it.
    let hasLeadingPeriod: Bool

    init(_ ext: Certificate.Extension) throws {
        // At least one of the two lists, and at least one subtree in each (RFC 5280 section 4.2.1.10).
        let lists = try CertificateFrame.children(of: DER.parse(ext.value))
        guard !lists.isEmpty,
            try lists.allSatisfy({ try !CertificateFrame.children(of: $0, identifier: $0.identifier).isEmpty })
        else { throw ASN1Error.invalidASN1Object(reason: "the name constraints are empty") }
        let constraints = try NameConstraints(ext)
        permitted = constraints.permittedSubtrees.map { ConstrainedName(subtree: $0) }
        excluded = constraints.excludedSubtrees.map { ConstrainedName(subtree: $0) }
        hasLeadingPeriod = (constraints.permittedDNSDomains.map(\.self) + constraints.excludedDNSDomains).contains {
            $0.hasPrefix(".")
        }
    }

    var count: Int { permitted.count + excluded.count }
}
