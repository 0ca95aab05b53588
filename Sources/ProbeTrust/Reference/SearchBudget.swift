/// Bounds the work that a hostile set of certificates can cause.
///
/// A unit is a microsecond of a release build, with a margin for slower machines: on one of 2026 work takes about a
/// third of what it is charged, so that the sum bounds how long a chain can keep the verifier busy. Costs are estimates
/// by size, not measurements: the same chain always gets the same answer, on every machine. `probe bench chains`
/// measures the worst chains.
package struct SearchBudget {
    /// Design: at most 100 ms of work a chain.
    static let perChain = 100_000

    /// The budget for displaying the certificates of a chain, beside judging it.
    package static let forDetails = 50_000

    private var left: Int

    /// The units left.
    var remaining: Int { max(0, left) }

    package init(units: Int = perChain) {
        left = units
    }

    /// True if some work was left undone.
    var isSpent: Bool { left < 0 }

    /// Takes `cost` units, and returns true if that many were left. Once it fails, it always does.
    mutating func spend(_ cost: Int) -> Bool {
        left = left < cost ? -1 : left - cost
        return left >= 0
    }
}
