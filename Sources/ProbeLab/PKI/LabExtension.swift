import SwiftASN1

/// A certificate extension given as bytes, for those without a property in the recipe.
public struct LabExtension: Hashable, Sendable {
    /// The object identifier's arcs.
    public let oid: [UInt]
    /// True if a reader that does not know it has to reject the certificate.
    public let isCritical: Bool
    /// The DER inside the OCTET STRING.
    public let value: [UInt8]

    /// Creates an extension.
    public init(oid: [UInt], isCritical: Bool, value: [UInt8]) {
        self.oid = oid
        self.isCritical = isCritical
        self.value = value
    }

    /// An unknown critical extension: its identifier is from the arc of examples (2.999).
    public static let unknownCritical = LabExtension(oid: [2, 999, 1], isCritical: true, value: [0x05, 0x00])

    /// The identifier of the subject key identifier (RFC 5280 section 4.2.1.2), which every certificate has unless it is
    /// left out.
    public static let subjectKeyIdentifier: [UInt] = [2, 5, 29, 14]

    /// The demand for a stapled OCSP response (RFC 7633).
    public static let mustStaple = LabExtension(
        oid: [1, 3, 6, 1, 5, 5, 7, 1, 24], isCritical: false, value: [0x30, 0x03, 0x02, 0x01, 0x05])
    /// Critical policies: the one for domain-validated certificates (CA/B baseline requirements 7.1.6.1).
    public static let criticalPolicies = LabExtension(
        oid: [2, 5, 29, 32], isCritical: true,
        value: [0x30, 0x0a, 0x30, 0x08, 0x06, 0x06, 0x67, 0x81, 0x0c, 0x01, 0x02, 0x01])

    /// Name constraints that end before their content.
    public static let unreadableConstraints = LabExtension(oid: [2, 5, 29, 30], isCritical: true, value: [0x30, 0x01])

    /// Name constraints that permit the addresses 127.0.0.0/8 and do not restrict other names.
    public static let permittingLoopback = LabExtension(
        oid: [2, 5, 29, 30], isCritical: true,
        value: [0x30, 0x0e, 0xa0, 0x0c, 0x30, 0x0a, 0x87, 0x08, 127, 0, 0, 0, 255, 0, 0, 0])
}

extension LabExtension {
    /// Returns certificate policies (RFC 5280 section 4.2.1.4), in dotted form; arcs may have any size.
    public static func policies(_ policies: [String], isCritical: Bool = false) -> LabExtension {
        LabExtension(
            oid: [2, 5, 29, 32], isCritical: isCritical, value: sequence(policies.flatMap { sequence(identifier($0)) }))
    }

    /// Returns policy mappings (RFC 5280 section 4.2.1.5): the issuer's policy, and the subject's.
    public static func mappings(_ mappings: [(String, String)]) -> LabExtension {
        LabExtension(
            oid: [2, 5, 29, 33], isCritical: true,
            value: sequence(mappings.flatMap { sequence(identifier($0.0) + identifier($0.1)) }))
    }

    /// Returns policy constraints (RFC 5280 section 4.2.1.11).
    public static func policyConstraints(require: UInt8? = nil, inhibitMapping: UInt8? = nil) -> LabExtension {
        let fields = (require.map { [0x80, 0x01, $0] } ?? []) + (inhibitMapping.map { [0x81, 0x01, $0] } ?? [])
        return LabExtension(oid: [2, 5, 29, 36], isCritical: true, value: sequence(fields))
    }

    /// Returns the number of certificates after which anyPolicy has no effect (RFC 5280 section 4.2.1.14).
    public static func inhibitAny(_ count: UInt8) -> LabExtension {
        LabExtension(oid: [2, 5, 29, 54], isCritical: true, value: [0x02, 0x01, count])
    }

    private static func sequence(_ content: [UInt8]) -> [UInt8] {
        var coder = DER.Serializer()
        coder.appendConstructedNode(identifier: .sequence) { $0.serializeRawBytes(content) }
        return coder.serializedBytes
    }

    private static func identifier(_ text: String) -> [UInt8] {
        let arcs = text.split(separator: ".").map { digits(String($0)) }
        guard arcs.count > 1 else { return [0x06, 0x00] }
        // The first two arcs share one number; the first is at most 2.
        let first = (arcs[0].last ?? 0) * 40
        let joined = addition(arcs[1], first)
        let content = ([joined] + arcs.dropFirst(2)).flatMap(base128)
        return [0x06, UInt8(content.count)] + content
    }

    /// Returns decimal digits, the most significant first.
    private static func digits(_ text: String) -> [Int] { text.compactMap(\.wholeNumberValue) }

    private static func addition(_ digits: [Int], _ number: Int) -> [Int] {
        var (sum, carry) = (digits, number)
        for index in sum.indices.reversed() {
            carry += sum[index]
            sum[index] = carry % 10
            carry /= 10
        }
        while carry > 0 {
            sum.insert(carry % 10, at: 0)
            carry /= 10
        }
        return sum
    }

    /// Returns a number of any size in groups of seven bits, all but the last with the highest bit set.
    private static func base128(_ digits: [Int]) -> [UInt8] {
        var (rest, groups): ([Int], [UInt8]) = (digits, [])
        repeat {
            var (quotient, remainder): ([Int], Int) = ([], 0)
            for digit in rest {
                let value = remainder * 10 + digit
                if !quotient.isEmpty || value >= 128 { quotient.append(value / 128) }
                remainder = value % 128
            }
            groups.insert(UInt8(remainder) | (groups.isEmpty ? 0 : 0x80), at: 0)
            rest = quotient
        } while !rest.isEmpty
        return groups
    }
}
