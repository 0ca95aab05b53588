package import ProbeKit
import ProbeTrust
import SwiftASN1

/// A CMS SignedData as we read it ourselves, strictly (RFC 5652 section 5): DER, data and nothing else, exactly one signature.
///
/// It is the first reading; the stack's is the second. Whatever could be read in two ways is refused here.
package struct CMSMessage {
    /// The message as DER.
    package let der: [UInt8]
    /// The content inside the message; nil if it is detached.
    let attachedContent: ArraySlice<UInt8>?
    /// The certificates inside the message, DER.
    package let certificates: [[UInt8]]
    /// Its one signature.
    let signer: CMSSignerInfo

    /// The largest accepted message, in bytes: one with a chain of large certificates has ten thousand.
    static let maximumBytes = HandshakeLimits.certificateMessageBytes

    /// Reads a message of DER or PEM.
    package init(signature: [UInt8]) throws(SignatureProblem) {
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
