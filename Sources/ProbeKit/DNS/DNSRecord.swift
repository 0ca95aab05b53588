/// A resource record within a message (RFC 1035 section 4.1.3).
package struct DNSRecord: Sendable {
    package let owner: DNSName
    package let type: UInt16
    package let recordClass: UInt16
    package let ttl: UInt32
    /// Where its data lies in the message.
    package let data: Range<Int>
}

/// The record types this code knows by number.
package enum DNSType: Sendable {
    package static let ns: UInt16 = 2
    package static let cname: UInt16 = 5
    package static let soa: UInt16 = 6
    package static let txt: UInt16 = 16
    package static let dname: UInt16 = 39
    package static let opt: UInt16 = 41
    package static let rrsig: UInt16 = 46
}

/// The record classes this code knows by number.
package enum DNSClass: Sendable {
    package static let internet: UInt16 = 1
    package static let chaos: UInt16 = 3
}
