/// Bounds the work that a hostile set of certificates can cause.
///
/// A unit is a microsecond of a release build, with a margin for slower machines: on one of 2026 work takes about a third
/// of what it is charged, so that the sum bounds how long a chain can keep the verifier busy. What costs what is an estimate
/// by size, not a measurement: the same chain always gets the same answer, on every machine. `probe bench chains` measures
/// the worst.
package struct SearchBudget {
    /// Design: at most 100 ms of work a chain.
    static let perChain = 100_000

    /// What showing the certificates of a chain may take beside judging it.
    package static let forDetails = 50_000

    private var left: Int

    /// What is left to spend.
    var remaining: Int { max(0, left) }

    package init(units: Int = perChain) {
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
