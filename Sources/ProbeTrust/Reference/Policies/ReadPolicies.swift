import ProbeKit
import SwiftASN1
import X509

/// A certificate's policy extensions (RFC 5280 sections 4.2.1.4, 4.2.1.5, 4.2.1.11 and 4.2.1.14), read once.
struct ReadPolicies: Sendable {
    /// A policy of the issuer's, and the equivalent one of the subject's.
    struct Mapping: Sendable {
        let issuer: PolicyIdentifier
        let subject: PolicyIdentifier
    }

    /// The certificate policies; nil if the extension is missing.
    private(set) var policies: [PolicyIdentifier]?
    private(set) var mappings: [Mapping] = []
    /// The number of certificates that may follow before a policy is required, before mapping ends and before anyPolicy
    /// ends.
    private(set) var requireExplicitPolicy: Int?
    private(set) var inhibitPolicyMapping: Int?
    private(set) var inhibitAnyPolicy: Int?

    static let certificatePolicies: ASN1ObjectIdentifier = [2, 5, 29, 32]
    static let policyMappings: ASN1ObjectIdentifier = [2, 5, 29, 33]
    static let policyConstraints: ASN1ObjectIdentifier = [2, 5, 29, 36]
    static let inhibitAnyPolicy: ASN1ObjectIdentifier = [2, 5, 29, 54]

    /// Creates the result for no policy extensions.
    init() {}

    init(_ extensions: Certificate.Extensions) throws {
        if let value = extensions[oid: Self.certificatePolicies]?.value {
            let policies = try Self.items(value).map { information in
                // Qualifiers follow, which decide nothing.
                guard let policy = try CertificateFrame.children(of: information).first else {
                    throw ASN1Error.invalidASN1Object(reason: "a policy has no identifier")
                }
                return try PolicyIdentifier(policy)
            }
            guard Set(policies).count == policies.count else {
                throw ASN1Error.invalidASN1Object(reason: "a certificate policy is listed twice")
            }
            self.policies = policies
        }
        if let value = extensions[oid: Self.policyMappings]?.value {
            mappings = try Self.items(value).map { mapping in
                let sides = try CertificateFrame.children(of: mapping)
                guard sides.count == 2 else {
                    throw ASN1Error.invalidASN1Object(reason: "a policy mapping has \(sides.count) sides")
                }
                return Mapping(issuer: try PolicyIdentifier(sides[0]), subject: try PolicyIdentifier(sides[1]))
            }
        }
        if let value = extensions[oid: Self.policyConstraints]?.value { try readConstraints(value) }
        if let value = extensions[oid: Self.inhibitAnyPolicy]?.value {
            inhibitAnyPolicy = try Self.count(DER.parse(value), .integer)
        }
    }

    /// A measure of the work that the policies cause.
    var count: Int { (policies?.count ?? 0) + mappings.count }

    private mutating func readConstraints(_ value: ArraySlice<UInt8>) throws {
        for field in try Self.items(value) {
            let tag = field.identifier
            if tag == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific), requireExplicitPolicy == nil,
                inhibitPolicyMapping == nil
            {
                requireExplicitPolicy = try Self.count(field, tag)
            } else if tag == ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific), inhibitPolicyMapping == nil {
                inhibitPolicyMapping = try Self.count(field, tag)
            } else {
                throw ASN1Error.invalidASN1Object(reason: "policy constraints have an unknown field")
            }
        }
    }

    /// Returns the members of a sequence that has at least one.
    private static func items(_ value: ArraySlice<UInt8>) throws -> [ASN1Node] {
        let items = try CertificateFrame.children(of: DER.parse(value))
        guard !items.isEmpty else { throw ASN1Error.invalidASN1Object(reason: "a policy extension is empty") }
        return items
    }

    /// Returns a number of certificates; one larger than any path means no limit.
    private static func count(_ node: ASN1Node, _ identifier: ASN1Identifier) throws -> Int {
        let digits = try ArraySlice<UInt8>(derEncoded: node, withIdentifier: identifier)
        return digits.count > 4 ? .max : digits.reduce(0) { $0 << 8 | Int($1) }
    }
}
