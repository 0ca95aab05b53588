package import ProbeKit

/// The messages of a stream, each behind its length in two bytes (RFC 7766 section 8).
package struct DNSStream: Sendable {
    private var bytes: [UInt8] = []
    /// The number of bytes in front that were taken off.
    private var taken = 0

    /// Creates a stream of which nothing has come.
    package init() {}

    /// Returns a message as a stream has it.
    ///
    /// - Parameter message: at most 65535 bytes.
    static func framed(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8), UInt8(message.count & 0xff)] + message
    }

    /// Adds bytes that have come.
    package mutating func append(_ received: some Collection<UInt8>) {
        bytes.removeFirst(taken)
        taken = 0
        bytes += received
    }

    /// Takes the next message off; nil if it is not complete.
    ///
    /// - Throws: `DNSFailure` with the code `tcp-framing` if it is smaller than a header; it is taken off all the same.
    package mutating func next() throws(DNSFailure) -> [UInt8]? {
        let start = taken + 2
        guard start <= bytes.count else { return nil }
        let end = start + (Int(bytes[taken]) << 8 | Int(bytes[taken + 1]))
        guard end <= bytes.count else { return nil }
        taken = end
        guard end - start >= DNSHeader.size else {
            throw DNSFailure(.framing, "the length prefix \(end - start) is smaller than a DNS header")
        }
        return Array(bytes[start..<end])
    }

    /// The failure of a query whose server closed the stream here.
    package var closed: DNSFailure {
        let rest = bytes.count - taken
        let detail = rest == 0 ? "before a reply came" : "within a message, after \(rest) bytes of it"
        return DNSFailure(.closed, "the server closed the connection \(detail)")
    }
}
