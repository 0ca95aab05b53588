import SwiftASN1

/// The names of signature algorithms, including those unknown to the certificate library, in its spelling.
enum SignatureName {
    /// Returns the name of a certificate's algorithm, else its identifier.
    static func of(_ fields: CertificateFields) -> String {
        if fields.signature == rsassaPSS, case .sized(let digest, _) = SignatureDigest(fields) {
            return "rsassaPSSWith\(digest.filter { $0 != "-" })"
        }
        return names[fields.signature] ?? "\(fields.signature)"
    }

    private static let rsassaPSS: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]

    /// RFC 8017 appendix C, RFC 3279, RFC 5758, RFC 8410.
    private static let names: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 1, 2]: "md2WithRSAEncryption", [1, 2, 840, 113549, 1, 1, 4]: "md5WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 5]: "sha1WithRSAEncryption", [1, 3, 14, 3, 2, 29]: "sha1WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 14]: "sha224WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 11]: "sha256WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 12]: "sha384WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 13]: "sha512WithRSAEncryption", [1, 2, 840, 10045, 4, 1]: "ecdsaWithSHA1",
        [1, 2, 840, 10045, 4, 3, 1]: "ecdsaWithSHA224", [1, 2, 840, 10045, 4, 3, 2]: "ecdsaWithSHA256",
        [1, 2, 840, 10045, 4, 3, 3]: "ecdsaWithSHA384", [1, 2, 840, 10045, 4, 3, 4]: "ecdsaWithSHA512",
        [1, 2, 840, 10040, 4, 3]: "dsaWithSHA1", [2, 16, 840, 1, 101, 3, 4, 3, 1]: "dsaWithSHA224",
        [2, 16, 840, 1, 101, 3, 4, 3, 2]: "dsaWithSHA256", [1, 3, 101, 112]: "ed25519", [1, 3, 101, 113]: "ed448",
    ]
}
