public import ProbeKit

/// How far an engine got.
public enum HandshakeProgress: Sendable {
    /// It can't go on before the peer has sent more.
    case needsInput
    /// The handshake is complete.
    case complete
    /// The handshake can't complete any more.
    case failed(HandshakeFailure)
}
