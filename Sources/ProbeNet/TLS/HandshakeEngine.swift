public import ProbeKit

/// A TLS client without I/O: bytes go in, bytes come out, and the driver owns the socket.
///
/// An engine lives on one event loop and is never shared. The driver calls, in this order and as often as needed:
/// ``receive(_:)`` with what the peer sent, ``advance()``, then ``takeOutput()`` until it is empty. After the handshake
/// has completed or failed, ``fill(_:)`` collects the facts, once.
public protocol HandshakeEngine: AnyObject {
    /// Takes bytes from the peer; nothing is processed before ``advance()``.
    func receive(_ bytes: UnsafeRawBufferPointer)

    /// Goes as far as the bytes allow.
    func advance() -> HandshakeProgress

    /// The bytes to send to the peer, in order; empty when there are none.
    func takeOutput() -> [UInt8]

    /// Writes what the handshake has shown so far, complete or not: negotiated parameters, chain, keys and staple. Leaves
    /// what it does not know.
    ///
    /// - Returns: the stack's own trust decision, still to be made; nil where there is nothing to decide on.
    func fill(_ report: inout HandshakeReport) -> TrustDecision?
}

/// A trust decision still to be made. A hostile chain makes it slow, so it is made off the event loop, which other
/// handshakes share.
public typealias TrustDecision = @Sendable () -> TrustReading
