import ProbeKit
import ProbePlatform
package import SwiftASN1

/// The outermost structure of a certificate, for checks before the library parses it.
package struct CertificateFrame {
    package let body: [ASN1Node]
    let signedBytes: ArraySlice<UInt8>
    let algorithm: ASN1Node
    let signature: ASN1Node

    /// The maximum number: the library compares each extension with each other one.
    static let maximumExtensions = 100

    package init(_ der: [UInt8]) throws {
        WorkCounter.note(.certificateFrame(der))
        let fields = try Self.children(of: DER.parse(der))
        guard fields.count == 3 else { throw ASN1Error.invalidASN1Object(reason: "three fields make a certificate") }
        body = try Self.children(of: fields[0])
        signedBytes = fields[0].encodedBytes
        algorithm = fields[1]
        signature = fields[2]
    }

    var extensionCount: Int { extensions.count }

    /// The extensions, unparsed, in order.
    var extensions: [ASN1Node] {
        let tag = ASN1Identifier(tagWithNumber: 3, tagClass: .contextSpecific)
        guard let field = body.last, let list = try? Self.children(of: field, identifier: tag).first else { return [] }
        return (try? Self.children(of: list)) ?? []
    }

    /// Many times the size that X.520 allows for all attributes of a name.
    private static let maximumNameBytes = 4096

    /// The message for an issuer or subject that is longer than any report can show; nil if neither is.
    var oversizedName: String? {
        for (name, index) in [("issuer", algorithmIndex + 1), ("subject", algorithmIndex + 3)]
        where body.indices.contains(index) && body[index].encodedBytes.count > Self.maximumNameBytes {
            return "the name of the certificate's \(name) has \(body[index].encodedBytes.count) bytes"
        }
        return nil
    }

    /// The position of the signature algorithm in the body, after an optional version and the serial number.
    package var algorithmIndex: Int { body.first?.identifier == .integer ? 1 : 2 }

    /// The unique identifiers of issuer and subject (RFC 5280 section 4.1.2.8), one of each at most.
    private var uniqueIdentifiers: Range<Int> {
        // They follow the key, the fourth field after the algorithm.
        let first = min(algorithmIndex + 5, body.count)
        var end = first
        for tag in [UInt(1), 2] where end < body.count {
            if body[end].identifier == ASN1Identifier(tagWithNumber: tag, tagClass: .contextSpecific) { end += 1 }
        }
        return first..<end
    }

    var hasUniqueIdentifiers: Bool { !uniqueIdentifiers.isEmpty }

    /// Returns the certificate in a form that swift-certificates reads: without unique identifiers, for which it
    /// expects another tag, and with an algorithm that it knows. It is only for reading, not for verification.
    ///
    /// - Parameters:
    ///   - algorithm: the AlgorithmIdentifier to write in both places; nil keeps the current one.
    ///   - serial: the serial number to write, as an INTEGER; nil keeps the current one.
    func standIn(algorithm: ArraySlice<UInt8>? = nil, serial: ArraySlice<UInt8>? = nil) -> [UInt8] {
        let left = uniqueIdentifiers
        var coder = DER.Serializer()
        coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendConstructedNode(identifier: .sequence) { coder in
                for (position, field) in body.enumerated() where !left.contains(position) {
                    let substitute = [algorithmIndex: algorithm, algorithmIndex - 1: serial][position] ?? nil
                    coder.serializeRawBytes(substitute ?? field.encodedBytes)
                }
            }
            coder.serializeRawBytes(algorithm ?? self.algorithm.encodedBytes)
            coder.serializeRawBytes(signature.encodedBytes)
        }
        return coder.serializedBytes
    }

    /// Returns the certificate in a form that swift-certificates reads, whatever its own signature and serial number are: an
    /// anchor is a name and a key (RFC 5280 section 6.1.1 (d)).
    var standInForAnchor: [UInt8] {
        standIn(algorithm: PSSSignature.standInAlgorithm[...], serial: [0x02, 0x01, 0x01])
    }

    /// The content of the serial number's INTEGER.
    var serial: ArraySlice<UInt8> {
        let index = algorithmIndex - 1
        guard body.indices.contains(index), case .primitive(let bytes) = body[index].content else { return [] }
        return bytes
    }

    /// Requires the form of what the library reads too widely or leaves out: times, and unique identifiers, which are BIT
    /// STRINGs under a tag of their own.
    func requireForm() throws {
        let validity = algorithmIndex + 2
        guard body.indices.contains(validity) else { throw ASN1Error.invalidASN1Object(reason: "it has no validity") }
        for time in try Self.children(of: body[validity]) { _ = try Date(certificateTime: time) }
        for field in body[uniqueIdentifiers] {
            _ = try ASN1BitString(derEncoded: field, withIdentifier: field.identifier)
        }
    }

    /// Returns the content of a BIT STRING of whole octets, like a signature's.
    static func octets(of node: ASN1Node) throws -> ArraySlice<UInt8> {
        let bits = try ASN1BitString(derEncoded: node)
        guard bits.paddingBits == 0 else {
            throw ASN1Error.invalidASN1Object(reason: "a signature ends within an octet")
        }
        return bits.bytes
    }

    /// Returns the elements of a node, which has to be constructed and of an identifier.
    ///
    /// - Throws: `ASN1Error` for any other node.
    package static func children(of node: ASN1Node, identifier: ASN1Identifier = .sequence) throws -> [ASN1Node] {
        try DER.sequence(node, identifier: identifier) { fields in
            var nodes: [ASN1Node] = []
            while let node = fields.next() { nodes.append(node) }
            return nodes
        }
    }
}
