/// One TXT record of the queried name, or of the name its aliases lead to.
public struct TXTRecord: Hashable, Sendable {
    /// The name that owns it.
    public let owner: DNSName
    /// The time a cache may keep it, in seconds.
    public let ttl: UInt32
    /// Its character-strings as received, each of 0 to 255 bytes; never empty.
    public let strings: [[UInt8]]

    /// Creates a record.
    public init(owner: DNSName, ttl: UInt32, strings: [[UInt8]]) {
        self.owner = owner
        self.ttl = ttl
        self.strings = strings
    }
}
