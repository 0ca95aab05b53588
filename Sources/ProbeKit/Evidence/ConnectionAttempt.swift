/// One of several targets that a check may turn to, and what came of it (requirement 49).
public struct ConnectionAttempt: Hashable, Sendable {
    /// Who was tried.
    public let target: Target
    /// Why there was no answer; nil for the one that answered, well or not.
    public let failure: HandshakeFailure?

    /// An attempt of its parts.
    public init(target: Target, failure: HandshakeFailure?) {
        self.target = target
        self.failure = failure
    }
}
