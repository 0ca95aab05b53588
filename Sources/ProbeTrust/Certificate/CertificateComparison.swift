import ProbeKit
import ProbePins

/// Two certificates side by side by four attributes (requirement 88). They are equal only if all four are: a missing
/// subject key identifier, in one or both, is not equal, as in the shipped client (decided: upstream-traps).
public struct CertificateComparison: Hashable, Sendable {
    /// The compared attributes, in report order.
    public enum Attribute: String, Hashable, Sendable, CaseIterable {
        /// SHA-256 of the whole certificate.
        case hash
        /// The serial number.
        case serialNumber = "serial number"
        /// The subject key identifier extension (RFC 5280 section 4.2.1.2).
        case subjectKeyIdentifier = "subject key identifier"
        /// The SubjectPublicKeyInfo.
        case publicKey = "public key"
    }

    /// The comparison's result for one attribute; the texts are hexadecimal.
    public enum Result: Hashable, Sendable {
        /// Both have it, and the same.
        case equal
        /// Both have it, each its own.
        case different(seen: String, expected: String)
        /// At least one has none.
        case missing(seen: String?, expected: String?)

        /// True if the attribute is equal.
        public var isEqual: Bool { self == .equal }
    }

    /// The result for each attribute.
    public let results: [Attribute: Result]

    /// Compares a presented certificate with the expected one, both DER.
    ///
    /// - Throws: an error if either is not a certificate.
    public init(seen: [UInt8], expected: [UInt8]) throws {
        try self.init(seen: ReadCertificate(seen), expected: ReadCertificate(expected))
    }

    init(seen: ReadCertificate, expected: ReadCertificate) throws {
        let (seen, expected) = (try Self.attributes(of: seen), try Self.attributes(of: expected))
        var results: [Attribute: Result] = [:]
        for attribute in Attribute.allCases {
            results[attribute] = Self.compare(seen[attribute], expected[attribute])
        }
        self.results = results
    }

    /// True if the certificates are the same.
    public var isEqual: Bool { equalCount == Attribute.allCases.count }

    /// The number of equal attributes, 0 to 4.
    public var equalCount: Int { results.values.count(where: \.isEqual) }

    /// Each attribute with its result, as text.
    public var text: String {
        Attribute.allCases.map { attribute in
            switch results[attribute] {
            case .equal?: "\(attribute.rawValue) equal"
            case .different(let seen, let expected)?: "\(attribute.rawValue) differs (\(seen), expected \(expected))"
            case .missing(nil, nil)?: "\(attribute.rawValue) missing in both"
            case .missing(nil, let expected?)?: "\(attribute.rawValue) missing (expected \(expected))"
            case .missing(let seen?, _)?: "\(attribute.rawValue) \(seen), missing in the expected certificate"
            case nil: "\(attribute.rawValue) not compared"
            }
        }.joined(separator: ", ")
    }

    private static func compare(_ seen: String?, _ expected: String?) -> Result {
        guard let seen, let expected else { return .missing(seen: seen, expected: expected) }
        return seen == expected ? .equal : .different(seen: seen, expected: expected)
    }

    private static func attributes(of certificate: ReadCertificate) throws -> [Attribute: String] {
        let (fields, der) = (try certificate.fields.get(), certificate.der)
        let slices = try CertificateSlices(certificate: der.span)
        var attributes: [Attribute: String] = [
            .hash: PinDigest.sha256(of: der).hex, .serialNumber: Hex.encode(fields.serial),
            .publicKey: PinDigest.sha256(of: der[slices.spki]).hex,
        ]
        attributes[.subjectKeyIdentifier] = fields.subjectKeyIdentifier.map(Hex.encode)
        return attributes
    }
}
