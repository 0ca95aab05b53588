import ProbeKit

/// What is left when the connection is closed: its facts, and the trust decision still to be made on them.
struct HandshakeEnding: Sendable {
    let report: HandshakeReport
    let decision: TrustDecision?

    init(_ report: HandshakeReport, _ decision: TrustDecision?) {
        self.report = report
        self.decision = decision
    }

    /// The ending of a handshake that came to nothing.
    init(failure: HandshakeFailure) {
        self.init(HandshakeReport(failure: failure), nil)
    }
}
