/// The actions of a resolver to answer one query, in order; the last attempt counts.
public struct DNSReport: Sendable {
    /// The attempts in order; never empty unless no server was given.
    public let attempts: [DNSAttempt]

    /// Creates a report of attempts in order.
    public init(attempts: [DNSAttempt]) {
        self.attempts = attempts
    }
}
