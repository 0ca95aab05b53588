/// A certificate policy's object identifier (RFC 5280 section 4.2.1.4).
///
/// It is kept as its encoding: an arc may be larger than any integer, as those made of UUIDs are.
public struct PolicyIdentifier: Hashable, Sendable {
    /// The content of the OBJECT IDENTIFIER, without tag and length.
    public let content: [UInt8]

    /// The policy anyPolicy, which includes every policy.
    public static let any = PolicyIdentifier(content: [0x55, 0x1d, 0x20, 0x00])

    /// An identifier with this content.
    package init(content: [UInt8]) {
        self.content = content
    }

    /// The identifier as a whole OBJECT IDENTIFIER in DER; nil if it is too long to be one that anybody uses.
    public var der: [UInt8]? { content.count < 128 ? [0x06, UInt8(content.count)] + content : nil }
}
