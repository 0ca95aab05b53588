import SwiftASN1

/// The kind and size of a certificate's key for display, whether or not any stack can use it.
enum KeyDescription {
    /// Returns the description of a key.
    ///
    /// - Parameters:
    ///   - fields: the certificate's fields.
    ///   - info: its SubjectPublicKeyInfo.
    ///   - der: the whole certificate.
    static func of(_ fields: CertificateFields, _ info: ASN1Node, in der: [UInt8]) -> String {
        switch fields.key {
        case CertificateFields.rsaEncryption: "RSA" + size(CertificateFields.modulusBits(der))
        case rsassaPSS: "RSASSA-PSS" + size(CertificateFields.modulusBits(der))
        case dsa: "DSA" + size(parameters(of: info).flatMap { bitsOfFirstInteger(in: $0) })
        case CertificateFields.ecPublicKey: "EC " + curve(fields, info)
        default: names[fields.key] ?? "algorithm \(fields.key)"
        }
    }

    private static func curve(_ fields: CertificateFields, _ info: ASN1Node) -> String {
        if let curve = fields.curve { return curves[curve] ?? "on the curve \(curve)" }
        // ECParameters: version, then the field, a type and a prime (RFC 3279 section 2.3.5).
        let field = parameters(of: info).flatMap { try? CertificateFrame.children(of: $0) }?.dropFirst().first
        let prime = field.flatMap { try? CertificateFrame.children(of: $0) }?.last
        return "with explicit parameters" + (prime.flatMap(bits).map { " of \($0) bits" } ?? "")
    }

    private static func size(_ bits: Int?) -> String { bits.map { " \($0)" } ?? " of a size that can't be read" }

    private static func parameters(of info: ASN1Node) -> ASN1Node? {
        guard let algorithm = try? CertificateFrame.children(of: info).first else { return nil }
        return try? CertificateFrame.children(of: algorithm).dropFirst().first
    }

    private static func bitsOfFirstInteger(in node: ASN1Node) -> Int? {
        (try? CertificateFrame.children(of: node))?.first.flatMap(bits)
    }

    /// Returns the size of a positive INTEGER.
    private static func bits(of integer: ASN1Node) -> Int? {
        guard integer.identifier == .integer, case .primitive(let bytes) = integer.content else { return nil }
        let digits = bytes.drop { $0 == 0 }
        return digits.first.map { digits.count * 8 - $0.leadingZeroBitCount }
    }

    private static let rsassaPSS: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]
    private static let dsa: ASN1ObjectIdentifier = [1, 2, 840, 10040, 4, 1]

    /// RFC 8410.
    private static let names: [ASN1ObjectIdentifier: String] = [
        [1, 3, 101, 110]: "X25519", [1, 3, 101, 111]: "X448", [1, 3, 101, 112]: "Ed25519", [1, 3, 101, 113]: "Ed448",
    ]

    /// RFC 5480 section 2.1.1.1, SEC 2, RFC 5639.
    private static let curves: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 10045, 3, 1, 1]: "P-192", [1, 3, 132, 0, 33]: "P-224", [1, 2, 840, 10045, 3, 1, 7]: "P-256",
        [1, 3, 132, 0, 34]: "P-384", [1, 3, 132, 0, 35]: "P-521", [1, 3, 132, 0, 10]: "secp256k1",
        [1, 3, 36, 3, 3, 2, 8, 1, 1, 7]: "brainpoolP256r1", [1, 3, 36, 3, 3, 2, 8, 1, 1, 11]: "brainpoolP384r1",
        [1, 3, 36, 3, 3, 2, 8, 1, 1, 13]: "brainpoolP512r1",
    ]
}
