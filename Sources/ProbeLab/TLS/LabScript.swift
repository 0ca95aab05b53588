/// What a peer does instead of TLS, or of HTTP inside TLS: wait for its cue, send, and end. Whatever the client says is read
/// and dropped.
public struct LabScript: Hashable, Sendable {
    /// When the script begins.
    public enum Cue: Hashable, Sendable {
        /// As soon as the connection is accepted.
        case accept
        /// When the client's first TLS record, which holds its ClientHello, is there as a whole.
        case clientHello
        /// When the client has said anything.
        case firstBytes
    }

    /// How the script ends.
    public enum End: Hashable, Sendable {
        /// The peer stays and says nothing more.
        case silence
        /// The peer sends its FIN, and stays to read.
        case close
        /// The peer resets the connection (RFC 9293 section 3.6).
        case reset
    }

    /// When it begins.
    public var cue: Cue
    /// What it sends first.
    public var bytes: [UInt8]
    /// What it sends again and again until the client leaves; empty for nothing, and then the end comes.
    public var refrain: [UInt8]
    /// How it ends.
    public var end: End

    /// A script of its parts.
    public init(on cue: Cue, bytes: [UInt8] = [], refrain: [UInt8] = [], end: End = .silence) {
        self.cue = cue
        self.bytes = bytes
        self.refrain = refrain
        self.end = end
    }
}
