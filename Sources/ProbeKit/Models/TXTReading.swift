/// The strict reader's result for a reply.
public enum TXTReading: Hashable, Sendable {
    /// The form in which a server answers that there are no records.
    public enum Absence: String, Hashable, Sendable, Codable {
        /// NXDOMAIN: the name does not exist.
        case nameError = "nxdomain"
        /// NODATA: the name exists and has no TXT record.
        case noData = "nodata"
    }

    /// The name's TXT records; at least one.
    case records([TXTRecord])
    /// The server reports that there are none.
    case absent(Absence)
    /// Nothing is known.
    case indeterminate(DNSDoubt)

    package var isIndeterminate: Bool {
        if case .indeterminate = self { true } else { false }
    }
}

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
