/// A peer's behaviour instead of TLS, or of HTTP inside TLS: wait for its cue, send, and end. The client's data is read
/// and dropped.
public struct LabScript: Hashable, Sendable {
    /// The start of the script.
    public enum Cue: Hashable, Sendable {
        /// The acceptance of the connection.
        case accept
        /// The arrival of the client's complete first TLS record, which contains its ClientHello.
        case clientHello
        /// The client's first bytes.
        case firstBytes
    }

    /// The end of the script.
    public enum End: Hashable, Sendable {
        /// The peer stays and sends nothing more.
        case silence
        /// The peer sends its FIN, and stays to read.
        case close
        /// The peer resets the connection (RFC 9293 section 3.6).
        case reset
    }

    /// The start of the script.
    public var cue: Cue
    /// The bytes to send first.
    public var bytes: [UInt8]
    /// The bytes to send repeatedly until the client leaves; empty for none, followed by the end.
    public var refrain: [UInt8]
    /// The end of the script.
    public var end: End

    /// Creates a script.
    public init(on cue: Cue, bytes: [UInt8] = [], refrain: [UInt8] = [], end: End = .silence) {
        self.cue = cue
        self.bytes = bytes
        self.refrain = refrain
        self.end = end
    }
}
