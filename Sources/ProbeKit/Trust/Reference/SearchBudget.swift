/// Bounds the work that a hostile set of certificates can cause.
///
/// A unit is about a microsecond of a release build, so that the sum says how long a chain can keep the verifier busy. What
/// costs what is an estimate by size, not a measurement: the same chain always gets the same answer, on every machine.
struct SearchBudget {
    /// Design: at most 100 ms of work a chain.
    static let perChain = 100_000

    private var left: Int

    init(units: Int = perChain) {
        left = units
    }

    /// Whether something was left undone.
    var isSpent: Bool { left < 0 }

    /// Takes `cost` units, and says whether there were as many. Once it fails it always does.
    mutating func spend(_ cost: Int) -> Bool {
        left = left < cost ? -1 : left - cost
        return left >= 0
    }
}
