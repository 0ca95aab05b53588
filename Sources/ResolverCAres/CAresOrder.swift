import ProbeKit

/// What one channel is to ask.
struct CAresOrder: Sendable {
    let name: DNSName
    let id: UInt16
    let ednsSize: UInt16?
    /// The servers in order, each asked once; one that is to be asked twice stands there twice.
    let servers: [Endpoint]
    /// How long c-ares waits for each of them.
    let timeout: Duration
    let deadline: Deadline
}

/// What one channel's exchange came to.
struct CAresOutcome: Sendable {
    /// The attempts in order; never empty.
    let attempts: [DNSAttempt]
    /// How many of the order's servers are done with.
    let tries: Int
}
