import SwiftASN1

/// A certificate policy's object identifier (RFC 5280 section 4.2.1.4).
///
/// It is kept as its encoding: an arc may be larger than any integer, as those made of UUIDs are.
public struct PolicyIdentifier: Hashable, Sendable {
    /// The content of the OBJECT IDENTIFIER, without tag and length.
    public let content: [UInt8]

    /// The policy anyPolicy, which includes every policy.
    public static let any = PolicyIdentifier(content: [0x55, 0x1d, 0x20, 0x00])

    init(content: [UInt8]) {
        self.content = content
    }

    /// Reads an identifier in dotted form, like `2.23.140.1.2.1`; nil if it is not one.
    public init?(_ text: String) {
        var coder = DER.Serializer()
        guard let oid = try? ASN1ObjectIdentifier(dotRepresentation: text), (try? coder.serialize(oid)) != nil,
            let node = try? DER.parse(coder.serializedBytes), case .primitive(let bytes) = node.content
        else { return nil }
        content = Array(bytes)
    }

    /// Reads an OBJECT IDENTIFIER.
    init(_ node: ASN1Node) throws {
        guard node.identifier == .objectIdentifier, case .primitive(let bytes) = node.content, let last = bytes.last,
            last & 0x80 == 0
        else { throw ASN1Error.invalidASN1Object(reason: "a policy is not an object identifier") }
        content = Array(bytes)
    }

    /// The identifier as a whole OBJECT IDENTIFIER in DER; nil if it is too long to be one that anybody uses.
    public var der: [UInt8]? { content.count < 128 ? [0x06, UInt8(content.count)] + content : nil }
}
