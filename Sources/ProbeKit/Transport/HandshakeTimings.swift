/// The duration of each step of a handshake; nil for a step that was not reached.
public struct HandshakeTimings: Hashable, Sendable {
    /// From the call to a TCP connection, name lookup included.
    public var connect: Duration?
    /// From the connection to the end of the handshake.
    public var handshake: Duration?
    /// The stack's own trust evaluation.
    public var trust: Duration?

    /// Creates unknown timings.
    public init() {}
}
