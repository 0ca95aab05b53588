import Synchronization

/// Counts the time that libcurl's thread was busy with some transfers while others waited for it.
final class CurlLateness: Sendable {
    private let state = Mutex((lost: Duration.zero, began: ContinuousClock.Instant?.none))
    /// The time a turn may take without anybody being slow.
    private static let tolerance = Duration.milliseconds(10)

    /// The time lost so far, in the turn under way too.
    var lost: Duration {
        state.withLock { $0.lost + Self.lost(since: $0.began) }
    }

    func beginTurn() { state.withLock { $0.began = .now } }

    func endTurn() {
        state.withLock { state in
            state.lost += Self.lost(since: state.began)
            state.began = nil
        }
    }

    private static func lost(since began: ContinuousClock.Instant?) -> Duration {
        began.map { max(.zero, $0.duration(to: .now) - tolerance) } ?? .zero
    }
}
