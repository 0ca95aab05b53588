/// Everything a resolver did to answer one query, in order; the last attempt is the one that counts.
public struct DNSReport: Sendable {
    /// The attempts, the first one first; never empty unless no server was given.
    public let attempts: [DNSAttempt]

    /// Creates a report of attempts in order.
    public init(attempts: [DNSAttempt]) {
        self.attempts = attempts
    }
}
