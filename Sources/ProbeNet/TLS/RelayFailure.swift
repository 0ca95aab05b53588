import ProbeKit
import Synchronization

/// The failure of a relayed connection: the stack at the other end of the relay sees that its socket was closed, and would
/// blame the server for what became of the way to it.
final class RelayFailure: Sendable {
    private let place: DialledPlace
    private let first = Mutex<HandshakeFailure?>(nil)

    /// - Parameter place: the place that the connection leads to.
    init(of place: DialledPlace) { self.place = place }

    /// The failure; nil as long as there was no error.
    var failure: HandshakeFailure? { first.withLock(\.self) }

    /// Takes the error that ended the connection; the first one counts.
    func take(_ error: any Error) {
        let failure = reason(error)
        first.withLock { $0 = $0 ?? failure }
    }

    private func reason(_ error: any Error) -> HandshakeFailure {
        if let record = error as? RecordFailure { return place.tlsFailure(record.afterHandshake) }
        return HandshakeStep.tls(didReceive: true).broken(by: error)
    }
}
