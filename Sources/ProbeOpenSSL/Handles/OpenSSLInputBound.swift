import CProbeOpenSSL
package import ProbeKit

/// Ends a connection that somebody else drives and whose peer sends without end.
///
/// OpenSSL reads on inside one call for as long as the socket has something, and skips what it may skip: a peer that sends
/// nothing but HelloRequests would keep it, and with it the thread, for itself.
package struct OpenSSLInputBound {
    private let deadline: Deadline
    private var received = 0

    /// A bound of ``HandshakeLimits/handshakeBytes`` and a deadline.
    package init(until deadline: Deadline) {
        self.deadline = deadline
    }

    /// Counts a record by its header, as a message callback shows it. From the first one too many the connection's reads
    /// fail.
    ///
    /// - Returns: why they do; nil where they go on.
    package mutating func take(_ header: UnsafeRawBufferPointer, _ ssl: OpaquePointer) -> HandshakeFailure? {
        guard header.count == 5 else { return nil }
        received += unsafe 5 + (Int(header[3]) << 8 | Int(header[4]))
        let failure: HandshakeFailure
        if received > HandshakeLimits.handshakeBytes {
            failure = HandshakeLimits.excess
        } else if deadline.remaining == .zero {
            failure = HandshakeFailure(
                .handshakeTimeout, "the peer went on sending and did not complete the handshake before the deadline")
        } else {
            return nil
        }
        unsafe cprobe_ssl_refuse_input(ssl)
        return failure
    }
}
