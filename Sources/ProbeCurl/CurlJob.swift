import CProbeCurl
import Synchronization

/// A transfer with a waiting caller, not yet set up.
struct CurlJob: Sendable {
    let ticket: CurlTicket
    /// Sets it up; nil if it is over before it began.
    let begin: @Sendable () -> CurlActive?
}

/// A transfer that is set up, whatever its kind.
struct CurlActive {
    let ticket: CurlTicket
    let easy: CurlEasy
    /// As in ``CurlTransfer``.
    let patience: (CURLcode) -> Duration?
    let hear: () -> Bool
    /// Takes the result; the returned closure resumes the waiting caller.
    let conclude: (CurlEnd) -> () -> Void
}

/// Identifies a transfer, and records whether it is still wanted: the cancellation may come before the start.
final class CurlTicket: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() {
        cancelled.store(true, ordering: .releasing)
    }
}
