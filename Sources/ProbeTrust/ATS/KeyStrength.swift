import SwiftASN1

/// The kind and size of a certificate's key.
enum KeyStrength: Equatable {
    case rsa(bits: Int)
    /// On a named curve of a size in bits.
    case ellipticCurve(String, bits: Int)
    /// A strength that we can't measure.
    case other(String)

    init(_ fields: CertificateFields) {
        if let bits = fields.rsaBits {
            self = .rsa(bits: bits)
        } else if fields.key == CertificateFields.ecPublicKey, let curve = fields.curve, let known = Self.curves[curve]
        {
            self = known
        } else {
            self = Self.names[fields.key].map { .other($0) } ?? .other("of the algorithm \(fields.key)")
        }
    }

    /// RFC 5480 section 2.1.1.1, SEC 2.
    private static let curves: [ASN1ObjectIdentifier: KeyStrength] = [
        [1, 2, 840, 10045, 3, 1, 1]: .ellipticCurve("P-192", bits: 192),
        [1, 3, 132, 0, 33]: .ellipticCurve("P-224", bits: 224),
        [1, 2, 840, 10045, 3, 1, 7]: .ellipticCurve("P-256", bits: 256),
        [1, 3, 132, 0, 34]: .ellipticCurve("P-384", bits: 384),
        [1, 3, 132, 0, 35]: .ellipticCurve("P-521", bits: 521),
        [1, 3, 132, 0, 10]: .ellipticCurve("secp256k1", bits: 256),
    ]

    private static let names: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 10045, 2, 1]: "on a curve we do not know", [1, 2, 840, 10040, 4, 1]: "DSA",
        [1, 3, 101, 112]: "Ed25519", [1, 3, 101, 113]: "Ed448", [1, 2, 840, 113549, 1, 1, 1]: "a broken RSA key",
        [1, 2, 840, 113549, 1, 1, 10]: "for RSASSA-PSS alone",
    ]
}
