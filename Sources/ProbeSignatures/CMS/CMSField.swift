import ProbeKit
import SwiftASN1

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
