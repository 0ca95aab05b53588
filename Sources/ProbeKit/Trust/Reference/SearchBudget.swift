import Synchronization

/// Bounds the work that a hostile set of certificates can cause, in units that do not depend on the machine.
///
/// One unit is one candidate issuer, which costs a signature check; a release build does some hundreds of them in 100 ms.
final class SearchBudget: Sendable {
    private let left: Mutex<Int>

    init(units: Int) {
        left = Mutex(units)
    }

    /// Takes up to `wanted` units and returns how many there were.
    func take(_ wanted: Int) -> Int {
        left.withLock {
            let taken = min(wanted, $0)
            // Asking for more than is left spends the budget for good.
            $0 = wanted > $0 ? 0 : $0 - taken
            return taken
        }
    }

    var isSpent: Bool { left.withLock { $0 == 0 } }
}
