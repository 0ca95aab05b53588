/// The form of a record's data, for the types that servers put into replies (RFC 1035 section 3.3 and later).
///
/// A reply with a record that lacks the form of its type is malformed, whether the record is needed or not: some stacks
/// refuse such a reply, some pass over the record, and a client gets the one or the other.
enum DNSRecordForm {
    private enum Part {
        case bytes(Int)
        case name
        /// Character-strings to the end, at least one.
        case strings
        /// Keys with the lengths of their values, to the end (RFC 9460 section 2.2).
        case parameters
        /// Whatever is left.
        case rest
    }

    private static let parts: [UInt16: [Part]] = [
        1: [.bytes(4)],  // A
        DNSType.ns: [.name],
        DNSType.cname: [.name],
        DNSType.soa: [.name, .name, .bytes(20)],
        12: [.name],  // PTR
        15: [.bytes(2), .name],  // MX
        DNSType.txt: [.strings],
        28: [.bytes(16)],  // AAAA
        33: [.bytes(6), .name],  // SRV
        DNSType.dname: [.name],
        43: [.bytes(4), .rest],  // DS
        DNSType.rrsig: [.bytes(18), .name, .rest],
        47: [.name, .rest],  // NSEC
        48: [.bytes(4), .rest],  // DNSKEY
        64: [.bytes(2), .name, .parameters],  // SVCB
        65: [.bytes(2), .name, .parameters],  // HTTPS
    ]

    /// Refuses a record whose data does not fill the form of its type exactly; a type that is not known has none.
    static func check(_ record: DNSRecord, in bytes: [UInt8]) throws(ReplyFault) {
        guard let parts = parts[record.type] else { return }
        guard (try? end(of: parts, record.data, in: bytes)) == record.data.upperBound else {
            throw .malformed("a record of \(record.owner) has data that do not fit its type, \(record.type)")
        }
    }

    /// Where the parts end, which may be beyond the record.
    private static func end(of parts: [Part], _ data: Range<Int>, in bytes: [UInt8]) throws(ReplyFault) -> Int {
        var reader = DNSWireReader(bytes, at: data.lowerBound)
        for part in parts {
            switch part {
            case .bytes(let count): _ = try reader.take(count)
            case .name: _ = try reader.name()
            case .strings:
                repeat { _ = try reader.take(Int(reader.byte())) } while reader.position < data.upperBound
            case .parameters:
                while reader.position < data.upperBound {
                    _ = try reader.word()
                    _ = try reader.take(Int(reader.word()))
                }
            case .rest: _ = try reader.take(max(0, data.upperBound - reader.position))
            }
        }
        return reader.position
    }
}
