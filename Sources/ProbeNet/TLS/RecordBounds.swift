import NIOCore

/// Finds the bounds of the TLS records in a stream of bytes (RFC 8446 section 5.1).
struct RecordBounds {
    /// The length of a header: type, version and length.
    private static let headerLength = 5
    /// The length of the shortest encrypted ticket: a message with lifetime, age, an empty nonce, a ticket of one byte and no
    /// extensions (RFC 8446 section 4.6.1), the type of the content, and the usual tag (section 5.2). A KeyUpdate has 22
    /// bytes, an alert has 19. Padded ones may be as long as a ticket (section 5.4); no stack is known to pad them.
    private static let shortestTicket = 4 + 4 + 4 + 1 + (2 + 1) + 2 + 1 + 16

    private var headerCount = 0
    private var length = 0
    private var missing = 0

    /// True if the bytes so far end with a record.
    var isBetweenRecords: Bool { headerCount == 0 }

    /// True if the last record is long enough for a ticket. Alerts and key updates accept nobody: stacks pass over
    /// user_canceled, and a server may change its key right after its Finished (RFC 8446 section 4.6.3).
    var mayBeTicket: Bool { length >= Self.shortestTicket }

    /// Takes bytes up to the end of a record, or all if they end before, and returns the number of those taken.
    mutating func advance(through bytes: ByteBufferView) -> Int {
        var rest = bytes
        while headerCount < Self.headerLength, let byte = rest.popFirst() {
            headerCount += 1
            // The last two bytes of the header remain.
            length = (length << 8 | Int(byte)) & 0xffff
            missing = length
        }
        guard headerCount == Self.headerLength else { return bytes.count }
        let count = min(missing, rest.count)
        missing -= count
        if missing == 0 { headerCount = 0 }
        return bytes.count - rest.count + count
    }

    /// Takes all bytes.
    mutating func take(_ bytes: ByteBuffer) {
        var rest = bytes.readableBytesView
        while !rest.isEmpty { rest = rest.dropFirst(advance(through: rest)) }
    }
}
