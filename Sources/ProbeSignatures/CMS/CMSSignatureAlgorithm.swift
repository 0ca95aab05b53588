import ProbeKit
import SwiftASN1

/// The signature algorithms that every stack verifies, and the parameters that have to fit the digest.
///
/// Ed25519 (RFC 8419) is not among them: OpenSSL 3.0 can't verify it in CMS.
enum CMSSignatureAlgorithm {
    /// Checks an AlgorithmIdentifier against the digest of the same signature.
    static func check(_ node: ASN1Node, digest: CMSDigest) throws(SignatureProblem) {
        let (oid, parameters) = try CMSField.algorithm(node)
        if let name = weak[oid] { throw SignatureProblem(.weakDigest, "the signature is made with \(name)") }
        if oid == rsassaPSS {
            return try checkPSS(try CMSField.children(of: node, .sequence, "the signature algorithm"), digest: digest)
        }
        let isRSA = oid == rsaEncryption || rsa[oid] != nil
        guard isRSA || ecdsa[oid] != nil else {
            throw SignatureProblem(.unsupported, "the signature algorithm \(oid) is not supported")
        }
        // RSA has NULL, or nothing by mistake (RFC 3370 section 3.2); ECDSA has nothing (RFC 5754 section 3.3).
        guard parameters.map({ isRSA && $0.elementsEqual(null) }) ?? true else {
            throw .malformed("the signature algorithm has parameters")
        }
        guard oid == rsaEncryption || (rsa[oid] ?? ecdsa[oid]) == digest else {
            throw .malformed("the signature algorithm has another digest than the signature says")
        }
    }

    /// RFC 4055 section 3.1: the same digest throughout, and a salt of its length. GnuTLS 3.7 assumes that length, and
    /// SHA-256 too, whatever the parameters contain.
    private static func checkPSS(_ algorithm: [ASN1Node], digest: CMSDigest) throws(SignatureProblem) {
        guard algorithm.count == 2 else { throw .malformed("RSASSA-PSS has no parameters, which means SHA-1") }
        let fields = try CMSField.children(of: algorithm[1], .sequence, "the parameters of RSASSA-PSS")
        guard fields.count == 3 else { throw .malformed("RSASSA-PSS lacks parameters, or has too many") }
        func explicit(_ index: Int) throws(SignatureProblem) -> ASN1Node {
            let inner = try CMSField.children(of: fields[index], CMSField.tag(UInt(index)), "a parameter of RSASSA-PSS")
            guard inner.count == 1 else { throw .malformed("a parameter of RSASSA-PSS is not single") }
            return inner[0]
        }
        let generator = try CMSField.children(of: try explicit(1), .sequence, "the mask generation of RSASSA-PSS")
        guard generator.count == 2, try CMSField.oid(generator[0]) == mgf1 else {
            throw .malformed("the mask generation of RSASSA-PSS is not MGF1")
        }
        guard try CMSDigest(try explicit(0)) == digest, try CMSDigest(generator[1]) == digest else {
            throw .malformed("RSASSA-PSS has another digest than the signature says")
        }
        guard digest == .sha256 else {
            throw SignatureProblem(.unsupported, "RSASSA-PSS is supported with SHA-256 alone")
        }
        guard let salt = try? Int(derEncoded: try explicit(2)), salt == digest.count else {
            throw SignatureProblem(.unsupported, "the salt of RSASSA-PSS is not as long as its digest")
        }
    }

    private static let null: [UInt8] = [0x05, 0x00]
    private static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
    private static let rsassaPSS: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]
    private static let mgf1: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 8]
    private static let rsa: [ASN1ObjectIdentifier: CMSDigest] = [
        [1, 2, 840, 113549, 1, 1, 11]: .sha256, [1, 2, 840, 113549, 1, 1, 12]: .sha384,
        [1, 2, 840, 113549, 1, 1, 13]: .sha512,
    ]
    private static let ecdsa: [ASN1ObjectIdentifier: CMSDigest] = [
        [1, 2, 840, 10045, 4, 3, 2]: .sha256, [1, 2, 840, 10045, 4, 3, 3]: .sha384,
        [1, 2, 840, 10045, 4, 3, 4]: .sha512,
    ]
    private static let weak: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 1, 4]: "MD5", [1, 2, 840, 113549, 1, 1, 5]: "SHA-1", [1, 2, 840, 10045, 4, 1]: "SHA-1",
    ]
}
