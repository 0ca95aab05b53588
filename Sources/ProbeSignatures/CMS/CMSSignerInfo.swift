import ProbeKit
import SwiftASN1

/// The one signature of a message (RFC 5652 section 5.3).
struct CMSSignerInfo {
    /// The form in which the signature identifies its certificate.
    enum Identifier {
        /// The issuer's name and the serial number, as they are encoded.
        case issuerAndSerial(issuer: ArraySlice<UInt8>, serial: ArraySlice<UInt8>)
        /// The subject key identifier.
        case keyIdentifier(ArraySlice<UInt8>)
    }

    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]

    let version: UInt8
    let identifier: Identifier
    let digest: CMSDigest
    /// The digest of the content among the signed attributes; nil if nothing but the content is signed.
    let messageDigest: ArraySlice<UInt8>?

    init(_ node: ASN1Node) throws(SignatureProblem) {
        var fields = try CMSField.children(of: node, .sequence, "SignerInfo")[...]
        func next(_ name: String) throws(SignatureProblem) -> ASN1Node {
            guard let field = fields.popFirst() else { throw .malformed("a SignerInfo lacks its \(name)") }
            return field
        }
        let version = try next("version")
        identifier = try Self.identifier(try next("sid"))
        digest = try CMSDigest(try next("digestAlgorithm"))
        if fields.first?.identifier == CMSField.tag(0) {
            messageDigest = try Self.messageDigest(in: try next("signedAttrs"), digest)
        } else {
            messageDigest = nil
        }
        try CMSSignatureAlgorithm.check(try next("signatureAlgorithm"), digest: digest)
        _ = try CMSField.octets(try next("signature"), "the signature")
        // Unsigned attributes prove nothing, and are skipped.
        if let unsigned = fields.popFirst() {
            _ = try CMSField.children(of: unsigned, CMSField.tag(1), "unsignedAttrs")
        }
        guard fields.isEmpty else { throw .malformed("a SignerInfo has too many fields") }
        self.version =
            switch identifier {
            case .issuerAndSerial: 1
            case .keyIdentifier: 3
            }
        guard version.encodedBytes.elementsEqual([0x02, 0x01, self.version]) else {
            throw .malformed("the version of the SignerInfo does not fit how it names its certificate")
        }
    }

    private static func identifier(_ node: ASN1Node) throws(SignatureProblem) -> Identifier {
        if node.identifier == CMSField.tag(0), case .primitive(let bytes) = node.content {
            return .keyIdentifier(bytes)
        }
        let fields = try CMSField.children(of: node, .sequence, "sid")
        guard fields.count == 2, fields[1].identifier == .integer else {
            throw .malformed("a SignerInfo names no certificate")
        }
        return .issuerAndSerial(issuer: fields[0].encodedBytes, serial: fields[1].encodedBytes)
    }

    /// Checks the signed attributes: content type and message digest present, each attribute once and with one value as
    /// RFC 5652 section 11 requires, and in DER order, since they are signed in that order.
    private static func messageDigest(
        in node: ASN1Node, _ digest: CMSDigest
    ) throws(SignatureProblem) -> ArraySlice<UInt8> {
        let attributes = try CMSField.children(of: node, CMSField.tag(0), "signedAttrs")
        for (former, latter) in zip(attributes, attributes.dropFirst())
        where latter.encodedBytes.lexicographicallyPrecedes(former.encodedBytes) {
            throw .malformed("the signed attributes are not in the order of DER")
        }
        var values: [ASN1ObjectIdentifier: [ASN1Node]] = [:]
        for attribute in attributes {
            let fields = try CMSField.children(of: attribute, .sequence, "an attribute")
            guard fields.count == 2 else { throw .malformed("an attribute is not a type and its values") }
            let type = try CMSField.oid(fields[0])
            guard values[type] == nil else { throw .malformed("the signed attribute \(type) is there twice") }
            values[type] = try CMSField.children(of: fields[1], .set, "an attribute's values")
        }
        guard let types = values[contentType], types.count == 1, try CMSField.oid(types[0]) == data else {
            throw .malformed("the signed attributes do not say once that the content is data")
        }
        guard let digests = values[messageDigest], digests.count == 1 else {
            throw .malformed("the signed attributes do not have one message digest")
        }
        let bytes = try CMSField.octets(digests[0], "the message digest")
        guard bytes.count == digest.count else {
            throw .malformed("the message digest has another length than its algorithm's")
        }
        return bytes
    }

    private static let contentType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 3]
    private static let messageDigest: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 4]

    /// Returns true if content parses as signed attributes with a message digest.
    ///
    /// A signature with signed attributes can be turned into a second one without the key: over those attributes as
    /// content, without attributes. Nobody signs such content on purpose.
    static func looksLikeAttributes(_ content: [UInt8]) -> Bool {
        guard content.first == 0x31, content.count <= CMSMessage.maximumBytes, let node = try? DER.parse(content),
            case .constructed(let attributes) = node.content
        else { return false }
        return attributes.contains { attribute in
            guard case .constructed(let fields) = attribute.content, let first = fields.first(where: { _ in true })
            else {
                return false
            }
            return (try? ASN1ObjectIdentifier(derEncoded: first)) == messageDigest
        }
    }
}

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
