/// The bytes between a session and its driver: received and not yet read, written and not yet sent.
final class GnuTLSWire {
    private var inbound: [UInt8] = []
    private var position = 0
    private var outbound: [UInt8] = []

    /// The number of bytes to read.
    var unread: Int { inbound.count - position }

    /// Takes bytes from the peer.
    func receive(_ bytes: RawSpan) {
        if position > 0 {
            inbound.removeFirst(position)
            position = 0
        }
        unsafe bytes.withUnsafeBytes { unsafe inbound.append(contentsOf: $0) }
    }

    /// Moves as many bytes as there are, and as fit, to the session.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, unread)
        unsafe buffer.copyBytes(from: inbound[position..<position + count])
        position += count
        return count
    }

    /// Takes bytes from the session.
    func write(_ bytes: UnsafeRawBufferPointer) {
        unsafe outbound.append(contentsOf: bytes)
    }

    /// Returns the bytes that the session wrote.
    func takeOutput() -> [UInt8] {
        defer { outbound = [] }
        return outbound
    }
}
