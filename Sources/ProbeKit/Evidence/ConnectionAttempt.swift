/// One of several targets that a check may try, with its result (requirement 49).
public struct ConnectionAttempt: Hashable, Sendable {
    /// The target of the attempt.
    public let target: Target
    /// The reason why there was no answer; nil for the target that answered, successfully or not.
    public let failure: HandshakeFailure?

    /// Creates an attempt.
    public init(target: Target, failure: HandshakeFailure?) {
        self.target = target
        self.failure = failure
    }
}
