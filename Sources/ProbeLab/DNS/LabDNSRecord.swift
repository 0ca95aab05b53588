public import ProbeKit

/// A resource record of the lab, well-formed or not: type, class and data are the case's.
public struct LabDNSRecord: Sendable {
    /// The owner; nil is the queried name.
    public var owner: DNSName?
    /// The owner's bytes as sent, if they are compressed or not a name at all; they override ``owner``.
    public var ownerBytes: [UInt8]?
    /// The type's number.
    public var type: UInt16
    /// The class's number, 1 being IN.
    public var recordClass: UInt16
    /// The time to live in seconds.
    public var ttl: UInt32
    /// The data as sent.
    public var data: [UInt8]
    /// The length sent before the data; nil is the true one.
    public var claimedLength: UInt16?

    /// Creates a record.
    public init(
        owner: DNSName? = nil, type: UInt16, recordClass: UInt16 = 1, ttl: UInt32 = 3600, data: [UInt8]
    ) {
        self.owner = owner
        self.type = type
        self.recordClass = recordClass
        self.ttl = ttl
        self.data = data
    }

    /// Returns a TXT record of character-strings; longer ones than 255 bytes are split.
    public static func txt(_ strings: [UInt8]..., owner: DNSName? = nil) -> LabDNSRecord {
        txt(strings, owner: owner)
    }

    /// Returns a TXT record of character-strings, given as text.
    public static func txt(_ strings: String..., owner: DNSName? = nil) -> LabDNSRecord {
        txt(strings.map { Array($0.utf8) }, owner: owner)
    }

    /// Returns a TXT record of character-strings; longer ones than 255 bytes are split.
    public static func txt(_ strings: [[UInt8]], owner: DNSName? = nil) -> LabDNSRecord {
        let chunks = strings.flatMap { string in
            string.isEmpty
                ? [[]]
                : stride(from: 0, to: string.count, by: 255).map { Array(string[$0..<min($0 + 255, string.count)]) }
        }
        return LabDNSRecord(owner: owner, type: 16, data: chunks.flatMap { [UInt8($0.count)] + $0 })
    }

    /// Returns an alias of the owner.
    public static func cname(_ target: DNSName, owner: DNSName? = nil) -> LabDNSRecord {
        LabDNSRecord(owner: owner, type: 5, data: target.wireBytes)
    }

    /// Returns a name server of a zone.
    public static func ns(_ server: DNSName, zone: DNSName? = nil) -> LabDNSRecord {
        LabDNSRecord(owner: zone, type: 2, data: server.wireBytes)
    }

    /// Returns the start of authority of a zone.
    public static func soa(zone: DNSName? = nil) -> LabDNSRecord {
        // Root as server and mailbox; serial, refresh, retry, expire, minimum.
        let numbers: [UInt8] = [1, 60, 60, 60, 60].flatMap { [0, 0, 0, $0] }
        return LabDNSRecord(owner: zone, type: 6, data: [0, 0] + numbers)
    }

    /// Returns the OPT pseudo-record of EDNS.
    public static func opt(
        size: UInt16 = 1232, extendedCode: UInt8 = 0, version: UInt8 = 0, options: [UInt8] = []
    ) -> LabDNSRecord {
        let ttl = UInt32(extendedCode) << 24 | UInt32(version) << 16
        return LabDNSRecord(owner: DNSName(labels: []), type: 41, recordClass: size, ttl: ttl, data: options)
    }

    /// Returns an OPT record with an extended error and its text (RFC 8914).
    public static func opt(extendedError code: UInt16, text: String = "") -> LabDNSRecord {
        .opt(options: word(15) + word(UInt16(2 + text.utf8.count)) + word(code) + Array(text.utf8))
    }

    /// Returns the same record with a change.
    public func with(_ change: (inout LabDNSRecord) -> Void) -> LabDNSRecord {
        var copy = self
        change(&copy)
        return copy
    }

    func wireBytes(asked name: DNSName) -> [UInt8] {
        var bytes = ownerBytes ?? (owner ?? name).wireBytes
        bytes += word(type) + word(recordClass) + word(UInt16(ttl >> 16)) + word(UInt16(ttl & 0xffff))
        return bytes + word(claimedLength ?? UInt16(truncatingIfNeeded: data.count)) + data
    }
}

/// Returns a number in network byte order.
func word(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xff)] }
