public import ProbeKit

/// The progress of an engine.
public enum HandshakeProgress: Sendable {
    /// It can't go on before the peer has sent more.
    case needsInput
    /// The handshake is complete.
    case complete
    /// The handshake can't complete any more.
    case failed(HandshakeFailure)
}
