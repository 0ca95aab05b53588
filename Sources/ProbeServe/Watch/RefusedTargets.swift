import ProbeKit
import Synchronization

/// The watched targets that may not be asked. Each is reported when that begins, and not again until it was asked.
final class RefusedTargets: Sendable {
    private let items = Mutex<Set<WatchPlan.Item>>([])
    private let report: @Sendable (String) -> Void

    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Takes in the last attempt to ask a target.
    ///
    /// - Parameter refusal: the reason why it was not asked; nil if it was.
    func take(_ item: WatchPlan.Item, _ refusal: ServeRefusal?) {
        guard let refusal else {
            items.withLock { _ = $0.remove(item) }
            return
        }
        guard items.withLock({ $0.insert(item).inserted }) else { return }
        report(PrintableText.escape("\(item.words) is refused: \(refusal.message)"))
    }

    /// Forgets the targets that a plan does not have.
    func settle(on plan: WatchPlan) { items.withLock { $0 = $0.filter { plan.contains($0) } } }
}
