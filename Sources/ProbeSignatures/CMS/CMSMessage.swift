import Crypto
import ProbeKit
import ProbeTrust
import SwiftASN1

/// A CMS SignedData as we read it ourselves, strictly (RFC 5652 section 5): DER, data and nothing else, exactly one signature.
///
/// It is the first reading; the stack's is the second. Whatever could be read in two ways is refused here.
struct CMSMessage {
    /// The message as DER.
    let der: [UInt8]
    /// The content inside the message; nil if it is detached.
    let attachedContent: ArraySlice<UInt8>?
    /// The certificates inside the message, DER.
    let certificates: [[UInt8]]
    /// Its one signature.
    let signer: CMSSignerInfo

    /// The largest accepted message, in bytes: one with a chain of large certificates has ten thousand.
    static let maximumBytes = HandshakeLimits.certificateMessageBytes

    /// Reads a message of DER or PEM.
    init(signature: [UInt8]) throws(SignatureProblem) {
        guard !signature.isEmpty else { throw SignatureProblem(.empty, "the signature is empty") }
        guard signature.count <= Self.maximumBytes else {
            throw SignatureProblem(.tooComplex, "the signature has \(signature.count) bytes")
        }
        try self.init(der: try Self.der(signature))
    }

    private init(der: [UInt8]) throws(SignatureProblem) {
        self.der = der
        let fields = try Self.signedData(der)
        guard fields.count >= 4, let last = fields.last else {
            throw .malformed("a SignedData has at least four fields")
        }
        let digests = try CMSField.children(of: fields[1], .set, "digestAlgorithms")
        attachedContent = try Self.content(of: fields[2])
        var optional = fields[3..<(fields.count - 1)]
        if optional.first?.identifier == CMSField.tag(0) {
            certificates = try Self.certificates(in: optional.removeFirst())
        } else {
            certificates = []
        }
        // Revocation lists are skipped: the signer could have left them out.
        if optional.first?.identifier == CMSField.tag(1) { optional.removeFirst() }
        guard optional.isEmpty else { throw .malformed("a SignedData has an unknown field") }
        let signers = try CMSField.children(of: last, .set, "signerInfos")
        guard let only = signers.first else { throw SignatureProblem(.noSigner, "nobody signed the message") }
        guard signers.count == 1 else {
            throw SignatureProblem(.severalSigners, "\(signers.count) signatures are in the message")
        }
        signer = try CMSSignerInfo(only)
        // RFC 5652 section 5.1: with plain certificates and data the signer's own version decides.
        guard fields[0].encodedBytes.elementsEqual([0x02, 0x01, signer.version]) else {
            throw .malformed("the version of the SignedData does not fit its content")
        }
        var announced: [ASN1ObjectIdentifier] = []
        for node in digests { announced.append(try CMSField.algorithm(node).oid) }
        guard announced.contains(signer.digest.oid) else {
            throw .malformed("the digest of the signature is not among those of the message")
        }
    }

    /// Returns DER unchanged, or the one block of a PEM text.
    private static func der(_ bytes: [UInt8]) throws(SignatureProblem) -> [UInt8] {
        guard bytes.first != 0x30 else { return bytes }
        do throws(InputError) {
            let blocks = try PEMText.blocks(in: bytes, from: "the signature", remedy: "")
            guard let block = blocks.first, blocks.count == 1 else {
                throw InputError("the signature is neither DER nor one whole block of PEM", remedy: "")
            }
            guard ["CMS", "PKCS7", "PKCS #7 SIGNED DATA"].contains(block.label) else {
                throw InputError("the PEM block is a \(block.label)", remedy: "")
            }
            return try block.decoded()
        } catch {
            throw .malformed(error.message)
        }
    }

    /// Returns the fields of the SignedData inside the ContentInfo.
    private static func signedData(_ der: [UInt8]) throws(SignatureProblem) -> [ASN1Node] {
        let root: ASN1Node
        do {
            root = try DER.parse(der)
        } catch {
            throw .malformed("the signature is not DER")
        }
        let info = try CMSField.children(of: root, .sequence, "ContentInfo")
        guard info.count == 2, try CMSField.oid(info[0]) == [1, 2, 840, 113549, 1, 7, 2] else {
            throw .malformed("the message is not a SignedData")
        }
        let content = try CMSField.children(of: info[1], CMSField.tag(0), "content")
        guard content.count == 1 else { throw .malformed("the message has no single content") }
        return try CMSField.children(of: content[0], .sequence, "SignedData")
    }

    private static func content(of node: ASN1Node) throws(SignatureProblem) -> ArraySlice<UInt8>? {
        let fields = try CMSField.children(of: node, .sequence, "encapContentInfo")
        guard let type = fields.first, fields.count <= 2, try CMSField.oid(type) == CMSSignerInfo.data else {
            throw .malformed("the content is not of the type data")
        }
        guard fields.count == 2 else { return nil }
        let explicit = try CMSField.children(of: fields[1], CMSField.tag(0), "eContent")
        guard explicit.count == 1 else { throw .malformed("the message has no single eContent") }
        return try CMSField.octets(explicit[0], "eContent")
    }

    private static func certificates(in node: ASN1Node) throws(SignatureProblem) -> [[UInt8]] {
        let nodes = try CMSField.children(of: node, node.identifier, "certificates")
        guard nodes.count <= HandshakeLimits.certificates else {
            throw SignatureProblem(.tooComplex, "\(nodes.count) certificates are in the message")
        }
        guard nodes.allSatisfy({ $0.identifier == .sequence }) else {
            throw .malformed("something other than certificates is among them")
        }
        return nodes.map { Array($0.encodedBytes) }
    }
}

/// The steps of reading a CMS message, each with an error for a missing element.
enum CMSField {
    static func tag(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }

    static func children(
        of node: ASN1Node, _ identifier: ASN1Identifier, _ name: String
    ) throws(SignatureProblem) -> [ASN1Node] {
        guard node.identifier == identifier, case .constructed(let nodes) = node.content else {
            throw .malformed("\(name) has another tag than it should")
        }
        return Array(nodes)
    }

    static func oid(_ node: ASN1Node) throws(SignatureProblem) -> ASN1ObjectIdentifier {
        do {
            return try ASN1ObjectIdentifier(derEncoded: node)
        } catch {
            throw .malformed("an identifier can't be read: \(error)")
        }
    }

    static func octets(_ node: ASN1Node, _ name: String) throws(SignatureProblem) -> ArraySlice<UInt8> {
        guard node.identifier == .octetString, case .primitive(let bytes) = node.content else {
            throw .malformed("\(name) is not an OCTET STRING")
        }
        return bytes
    }

    /// Returns an AlgorithmIdentifier, its parameters as encoded; nil if there are none.
    static func algorithm(
        _ node: ASN1Node
    ) throws(SignatureProblem) -> (oid: ASN1ObjectIdentifier, parameters: ArraySlice<UInt8>?) {
        let fields = try children(of: node, .sequence, "an algorithm")
        guard let first = fields.first, fields.count <= 2 else { throw .malformed("an algorithm has no single name") }
        return (try oid(first), fields.count == 2 ? fields[1].encodedBytes : nil)
    }
}

extension SignatureProblem {
    static func malformed(_ message: String) -> SignatureProblem { SignatureProblem(.malformed, message) }
}

/// The digests a signature may use.
enum CMSDigest: CaseIterable {
    case sha256
    case sha384
    case sha512

    var oid: ASN1ObjectIdentifier {
        switch self {
        case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
        case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
        case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
        }
    }

    /// The digest's size in bytes.
    var count: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }

    /// Reads the digest of an AlgorithmIdentifier, whose parameters are absent or NULL (RFC 5754 section 2).
    init(_ node: ASN1Node) throws(SignatureProblem) {
        let (oid, parameters) = try CMSField.algorithm(node)
        guard let digest = Self.allCases.first(where: { $0.oid == oid }) else {
            guard let name = Self.weak[oid] else {
                throw SignatureProblem(.unsupported, "the digest \(oid) is not supported")
            }
            throw SignatureProblem(.weakDigest, "the content is digested with \(name)")
        }
        guard parameters.map({ $0.elementsEqual([0x05, 0x00]) }) ?? true else {
            throw .malformed("the digest algorithm has parameters")
        }
        self = digest
    }

    private static let weak: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 2, 2]: "MD2", [1, 2, 840, 113549, 2, 4]: "MD4", [1, 2, 840, 113549, 2, 5]: "MD5",
        [1, 3, 14, 3, 2, 26]: "SHA-1", [1, 3, 36, 3, 2, 1]: "RIPEMD-160",
    ]
}
