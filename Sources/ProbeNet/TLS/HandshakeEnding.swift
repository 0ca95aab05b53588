import NIOCore
import ProbeKit

/// The state after a handshake: its facts, the trust decision still to be made on them, and the connection, if it may
/// be used.
///
/// It is a class, so that a function that waits for it has room for a pointer and not for copies of the facts.
final class HandshakeEnding: Sendable {
    let report: HandshakeReport
    let decision: TrustDecision?
    /// It has to be closed, or used for its exchange, which closes it.
    let connection: NIOLoopBound<OpenConnection>?
    /// The socket of a connection without an engine.
    let socket: OpenSocket?

    init(
        _ report: HandshakeReport, _ decision: TrustDecision?, connection: NIOLoopBound<OpenConnection>? = nil,
        socket: OpenSocket? = nil
    ) {
        self.report = report
        self.decision = decision
        self.connection = connection
        self.socket = socket
    }

    /// Creates the ending of a failed handshake.
    convenience init(failure: HandshakeFailure) {
        self.init(HandshakeReport(failure: failure), nil)
    }
}
