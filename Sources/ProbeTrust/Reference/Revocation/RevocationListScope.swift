import SwiftASN1
import X509

/// The certificates of its issuer that a revocation list covers (RFC 5280 section 5.2.5).
struct RevocationListScope: Sendable {
    /// The reasons for a revocation, by the bits of RFC 5280 section 4.2.1.13.
    static let everyReason: UInt16 = 0b0111_1111_1000_0000

    private(set) var isIndirect = false
    /// The reasons that the list has entries for.
    private(set) var reasons = everyReason
    private var onlyUsers = false
    private var onlyAuthorities = false
    private var onlyAttributes = false
    /// The names of the distribution point, as DER; nil if the list is for all of them.
    private var points: Set<ArraySlice<UInt8>>?

    /// Creates the scope of every certificate of the issuer.
    init() {}

    /// Reads an issuing distribution point.
    init(_ value: ArraySlice<UInt8>) throws {
        for field in try CertificateFrame.children(of: DER.parse(value)) {
            guard field.identifier.tagClass == .contextSpecific else {
                throw ASN1Error.invalidASN1Object(reason: "a distribution point has an unknown field")
            }
            switch field.identifier.tagNumber {
            case 0: points = Set(try Self.names(ofPoint: field))
            case 1: onlyUsers = try Self.flag(field)
            case 2: onlyAuthorities = try Self.flag(field)
            case 3:
                let bits = try ASN1BitString(derEncoded: field, withIdentifier: field.identifier).bytes
                let value = bits.prefix(2).reduce(0) { $0 << 8 | UInt16($1) } << (bits.count < 2 ? 8 : 0)
                reasons = value & Self.everyReason
            case 4: isIndirect = try Self.flag(field)
            case 5: onlyAttributes = try Self.flag(field)
            default: throw ASN1Error.invalidASN1Object(reason: "a distribution point has an unknown field")
            }
        }
    }

    /// Returns true if the list covers a certificate that its issuer issued.
    func covers(_ certificate: ParsedCertificate) -> Bool {
        var isAuthority = false
        if case .isCertificateAuthority? = certificate.extensions.basicConstraints { isAuthority = true }
        guard !onlyAttributes, !(onlyUsers && isAuthority), !(onlyAuthorities && !isAuthority) else { return false }
        guard let points else { return true }
        // A list that is one of several covers the certificates that name it.
        guard let value = certificate.certificate.extensions[oid: [2, 5, 29, 31]]?.value,
            let named = try? CertificateFrame.children(of: DER.parse(value))
        else { return false }
        return named.contains { point in
            let fields = (try? CertificateFrame.children(of: point)) ?? []
            guard let field = fields.first, let names = try? Self.names(ofPoint: field) else { return false }
            return !points.isDisjoint(with: names)
        }
    }

    /// Returns the full names of a DistributionPointName; one relative to the issuer has none, and so matches nothing.
    private static func names(ofPoint field: ASN1Node) throws -> [ArraySlice<UInt8>] {
        let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        guard let name = try CertificateFrame.children(of: field, identifier: tag).first, name.identifier == tag else {
            return []
        }
        return try CertificateFrame.children(of: name, identifier: tag).map(\.encodedBytes)
    }

    private static func flag(_ field: ASN1Node) throws -> Bool {
        try Bool(derEncoded: field, withIdentifier: field.identifier)
    }
}
