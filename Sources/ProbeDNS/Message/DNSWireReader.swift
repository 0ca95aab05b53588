import ProbeKit

/// A position in a message's bytes; every step is checked against the end.
struct DNSWireReader {
    let bytes: [UInt8]
    /// The end of the readable range: the message's, or that of a record's data.
    let end: Int
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int, until end: Int? = nil) {
        self.bytes = bytes
        self.end = end ?? bytes.count
        self.position = position
    }

    var isAtEnd: Bool { position == end }

    mutating func byte() throws(ReplyFault) -> UInt8 {
        guard position < end else { throw .malformed("it ends at byte \(position), within a field") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func word() throws(ReplyFault) -> UInt16 {
        try UInt16(byte()) << 8 | UInt16(byte())
    }

    mutating func doubleWord() throws(ReplyFault) -> UInt32 {
        try UInt32(word()) << 16 | UInt32(word())
    }

    /// Steps over `count` bytes.
    mutating func take(_ count: Int) throws(ReplyFault) -> Range<Int> {
        guard count <= end - position else {
            throw .malformed("a field of \(count) bytes at \(position) goes beyond the end at \(end)")
        }
        defer { position += count }
        return position..<position + count
    }

    /// One pointer for each label that a name of 255 bytes can have (RFC 1035 section 2.3.4).
    private static var maximumJumps: Int { 127 }

    /// Reads a name, compressed or not (RFC 1035 section 4.1.4), and stops behind it.
    ///
    /// A pointer has to lead to before the run of labels that it ends, so every jump goes further back and no name can
    /// loop. Without a limit thousands of them, each to the one before, would cost a reply seconds.
    mutating func name() throws(ReplyFault) -> DNSName {
        var name: [UInt8] = []
        name.reserveCapacity(64)
        let beginning = position
        var limit = beginning
        var cursor = self
        var jumps = 0
        while true {
            let start = cursor.position
            let length = try cursor.byte()
            switch length {
            case 0:
                if jumps == 0 { self = cursor }
                name.append(0)
                guard let name = DNSName(wireBytes: name) else {
                    throw .malformed("the name at \(beginning) is too long")
                }
                return name
            case 1...63:
                guard name.count + Int(length) + 2 <= 255 else {
                    throw .malformed("the name at \(beginning) is longer than 255 bytes")
                }
                name.append(length)
                name.append(contentsOf: bytes[try cursor.take(Int(length))])
            case 0xc0...:
                let target = Int(length & 0x3f) << 8 | Int(try cursor.byte())
                guard target < limit, target >= DNSHeader.size else {
                    throw .malformed("the compression pointer at \(start) leads to \(target), not to an earlier name")
                }
                guard jumps < Self.maximumJumps else {
                    throw .malformed("the name at \(beginning) has more than \(Self.maximumJumps) compression pointers")
                }
                if jumps == 0 { self = cursor }
                jumps += 1
                limit = target
                cursor = DNSWireReader(bytes, at: target)
            default:
                throw .malformed("byte \(start) begins a label of no known type")
            }
        }
    }
}
