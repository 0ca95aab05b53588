public import ProbeKit

/// The progress of an engine.
public enum HandshakeProgress: Sendable {
    /// It needs more data from the peer.
    case needsInput
    /// The handshake is complete.
    case complete
    /// The handshake can't complete any more.
    case failed(HandshakeFailure)
}
