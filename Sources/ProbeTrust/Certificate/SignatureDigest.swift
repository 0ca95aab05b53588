import SwiftASN1

/// The digest of a certificate's signature.
enum SignatureDigest: Equatable {
    /// A digest of a size in bits.
    case sized(String, bits: Int)
    /// The scheme has a hash of its own and takes no digest: Ed25519, Ed448.
    case ownScheme(String)
    /// None that we know.
    case unknown(String)

    init(_ fields: CertificateFields) {
        if fields.signature == Self.rsassaPSS {
            self = Self.digest(ofPSS: fields.signatureParameters)
        } else {
            self = Self.known[fields.signature] ?? .unknown("\(fields.signature)")
        }
    }

    private static let rsassaPSS: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]

    private static let md2 = SignatureDigest.sized("MD2", bits: 128)
    private static let md5 = SignatureDigest.sized("MD5", bits: 128)
    static let sha1 = SignatureDigest.sized("SHA-1", bits: 160)
    private static let sha224 = SignatureDigest.sized("SHA-224", bits: 224)
    private static let sha256 = SignatureDigest.sized("SHA-256", bits: 256)
    private static let sha384 = SignatureDigest.sized("SHA-384", bits: 384)
    private static let sha512 = SignatureDigest.sized("SHA-512", bits: 512)

    /// RFC 8017 appendix C, RFC 5758, RFC 8410.
    private static let known: [ASN1ObjectIdentifier: SignatureDigest] = [
        [1, 2, 840, 113549, 1, 1, 2]: md2, [1, 2, 840, 113549, 1, 1, 4]: md5,
        [1, 2, 840, 113549, 1, 1, 5]: sha1, [1, 3, 14, 3, 2, 29]: sha1,
        [1, 2, 840, 113549, 1, 1, 14]: sha224, [1, 2, 840, 113549, 1, 1, 11]: sha256,
        [1, 2, 840, 113549, 1, 1, 12]: sha384, [1, 2, 840, 113549, 1, 1, 13]: sha512,
        [1, 2, 840, 10045, 4, 1]: sha1, [1, 2, 840, 10045, 4, 3, 1]: sha224, [1, 2, 840, 10045, 4, 3, 2]: sha256,
        [1, 2, 840, 10045, 4, 3, 3]: sha384, [1, 2, 840, 10045, 4, 3, 4]: sha512,
        [1, 2, 840, 10040, 4, 3]: sha1, [2, 16, 840, 1, 101, 3, 4, 3, 2]: sha256,
        [1, 3, 101, 112]: .ownScheme("Ed25519"), [1, 3, 101, 113]: .ownScheme("Ed448"),
    ]

    /// Returns the digest in the parameters of RSASSA-PSS; SHA-1 if they name none (RFC 4055 section 3.1).
    private static func digest(ofPSS parameters: ASN1Node?) -> SignatureDigest {
        let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
        guard let parameters, let fields = try? CertificateFrame.children(of: parameters) else {
            return .unknown("RSASSA-PSS without readable parameters")
        }
        guard let field = fields.first, field.identifier == tag else { return sha1 }
        guard let algorithm = try? CertificateFrame.children(of: field, identifier: tag).first,
            let node = try? CertificateFrame.children(of: algorithm).first,
            let oid = try? ASN1ObjectIdentifier(derEncoded: node)
        else { return .unknown("RSASSA-PSS without readable parameters") }
        return digests[oid] ?? .unknown("RSASSA-PSS over \(oid)")
    }

    private static let digests: [ASN1ObjectIdentifier: SignatureDigest] = [
        [1, 3, 14, 3, 2, 26]: sha1, [2, 16, 840, 1, 101, 3, 4, 2, 4]: sha224, [2, 16, 840, 1, 101, 3, 4, 2, 1]: sha256,
        [2, 16, 840, 1, 101, 3, 4, 2, 2]: sha384, [2, 16, 840, 1, 101, 3, 4, 2, 3]: sha512,
    ]
}
