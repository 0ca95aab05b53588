import ProbeKit
import Synchronization

/// A handshake that someone waits for.
struct CurlJob: Sendable {
    let request: HandshakeRequest
    let pin: PinDigest?
    let ticket: CurlTicket
    let continuation: CheckedContinuation<CurlHandshake.Outcome, Never>
}

/// Tells a handshake from others, and whether it is still wanted: the cancellation may come before the start.
final class CurlTicket: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() {
        cancelled.store(true, ordering: .releasing)
    }
}
