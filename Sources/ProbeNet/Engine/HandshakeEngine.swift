public import ProbeKit

/// A TLS client without I/O: bytes go in, bytes come out, and the driver owns the socket.
///
/// An engine lives on one event loop and is never shared. The driver calls, in this order and as often as needed:
/// ``receive(_:)`` with the peer's bytes, ``advance()``, then ``takeOutput()`` until it is empty. After the handshake
/// has completed or failed, ``fill(_:)`` collects the facts, once.
///
/// A handshake that has completed may be followed by an HTTP exchange: then the driver calls ``receive(_:)`` and
/// ``decrypt()``, and ``encrypt(_:)`` for the request, each time followed by ``takeOutput()``.
public protocol HandshakeEngine: AnyObject {
    /// Takes bytes from the peer; nothing is processed before ``advance()``.
    func receive(_ bytes: RawSpan)

    /// Goes as far as the bytes allow.
    func advance() -> HandshakeProgress

    /// Returns the bytes to send to the peer, in order; empty if there are none.
    func takeOutput() -> [UInt8]

    /// Writes the facts of the handshake so far, complete or not: negotiated parameters, chain, keys and staple. Leaves
    /// unknown fields unchanged.
    ///
    /// - Returns: the stack's own trust decision, still to be made; nil if there is nothing to decide.
    func fill(_ report: inout HandshakeReport) -> TrustDecision?

    /// True if the server may still refuse this client although the handshake is complete: TLS 1.3 in which it asked
    /// for a certificate and got none (RFC 8446 section 4.4.2.4).
    var mayBeRefusedLate: Bool { get }

    /// The server's request for a client certificate after the handshake, once it has been answered; nil if there was none.
    var lateCertificateRequest: LateCertificateRequest? { get }

    /// Decrypts all data received since the handshake, and handles TLS's own messages, like tickets and key updates.
    ///
    /// - Returns: the plaintext so far, and the end if it is reached.
    func decrypt() -> DecryptedBytes

    /// Encrypts plaintext into records.
    ///
    /// - Throws: the reason, if the stack does not accept it.
    func encrypt(_ plaintext: RawSpan) throws(RecordFailure)

    /// Ends our side of a connection whose handshake is complete: its close_notify is in the next output (RFC 8446 section 6.1).
    func close()
}

/// A trust decision still to be made. A hostile chain makes it slow, so it is made off the event loop, which other
/// handshakes share.
public typealias TrustDecision = @Sendable () -> TrustReading

extension HandshakeEngine {
    /// False by default: the driver does not wait for a refusal.
    public var mayBeRefusedLate: Bool { false }

    /// Nil by default: the stack does not let a server ask after the handshake.
    public var lateCertificateRequest: LateCertificateRequest? { nil }

    /// Nothing by default: the connection ends as TCP's does.
    public func close() {}
}

/// Makes the engine of one handshake on the event loop that it will live on.
public typealias EngineMaker = @Sendable (HandshakeRequest) throws(HandshakeFailure) -> any HandshakeEngine
