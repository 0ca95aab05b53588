/// A transport whose library has its own public-key pin check, which can be applied to a key that we read.
///
/// It is a second check of the data that SPKI pins are compared with, closer to the clients that ship such pins than
/// the key's encoding is. It declares ``TransportCapability/pinCheck``.
public protocol KeyConfirming: Transport {
    /// Checks with the library whether a server's leaf has the key that we read from it, over a connection of its own.
    ///
    /// The transport still never sees a pin: it checks the SubjectPublicKeyInfo in `leaf`. Neither chain nor name is
    /// judged.
    ///
    /// - Parameters:
    ///   - leaf: the leaf as DER, as an earlier handshake showed it.
    ///   - request: the server's endpoint, and the deadline.
    func confirmKey(ofLeaf leaf: [UInt8], _ request: HandshakeRequest) async -> KeyConfirmation
}

/// The result of a library's own pin check of a key that we read.
@nonexhaustive public enum KeyConfirmation: Hashable, Sendable {
    /// It finds the same key in the leaf.
    case confirmed
    /// It finds another key in the leaf: one of the two readings is wrong (decided: read-twice).
    case denied
    /// It never got to the key.
    case unanswered(HandshakeFailure)
}
