import ProbeKit
import ProbePlatform
import Synchronization

/// The watched targets whose last round gave no verdict because of this process, which was late with its own work, or short of
/// means or of places for it.
///
/// Each is left alone for a while: a machine without time must not ask its targets more often than another (requirement 77).
/// It is reported when that begins, and not again until the target had a verdict.
final class LateTargets: Sendable {
    private struct Pause {
        /// The rounds in a row that gave no verdict.
        let rounds: Int
        let start: Date
        /// The last round's reason.
        let reason: String
    }

    /// The first pause; each further one is twice as long, up to the time between rounds.
    private static let first: Duration = .seconds(5)
    /// As many doublings are longer than the hour that rounds may be apart.
    private static let mostDoublings = 10

    private let pauses = Mutex<[WatchPlan.Item: Pause]>([:])
    private let report: @Sendable (String) -> Void

    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// The reason why a target's last round gave no verdict; nil if it gave one.
    subscript(item: WatchPlan.Item) -> String? { pauses.withLock { $0[item]?.reason } }

    /// Takes in the last round of a target.
    ///
    /// - Parameter reason: the reason why it gave no verdict; nil if it gave one.
    func take(_ item: WatchPlan.Item, _ reason: String?, at now: Date) {
        guard let reason else {
            pauses.withLock { $0[item] = nil }
            return
        }
        let isFirst = pauses.withLock { pauses in
            let rounds = (pauses[item]?.rounds ?? 0) + 1
            pauses[item] = Pause(rounds: rounds, start: now, reason: reason)
            return rounds == 1
        }
        guard isFirst else { return }
        report(
            PrintableText.escape(
                "this machine could not ask \(item.words), and asks again after a pause: \(reason)"))
    }

    /// Returns true if a target is left alone.
    ///
    /// - Parameter every: the time between rounds.
    func isPaused(_ item: WatchPlan.Item, at now: Date, every: Duration) -> Bool {
        guard let pause = pauses.withLock({ $0[item] }) else { return false }
        let age = now.timeIntervalSince(pause.start)
        let length = min(Self.first * (1 << min(pause.rounds - 1, Self.mostDoublings)), every)
        // A clock that was set back would leave it alone for good.
        return age >= 0 && age < length.inSeconds
    }

    /// Forgets the targets that a plan does not have.
    func settle(on plan: WatchPlan) {
        pauses.withLock { $0 = $0.filter { plan.contains($0.key) } }
    }
}
