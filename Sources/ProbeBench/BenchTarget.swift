/// The target of a figure.
public enum BenchTarget: Sendable, Hashable, CustomStringConvertible {
    /// The ratio of value and floor is at most this.
    case ratioAtMost(Double)
    /// The ratio of value and floor is at least this.
    case ratioAtLeast(Double)
    /// The value itself is at most this.
    case valueAtMost(Double)

    /// The number alone.
    public var number: Double {
        switch self {
        case .ratioAtMost(let number), .ratioAtLeast(let number), .valueAtMost(let number): number
        }
    }

    /// Like `≤ 1.15`.
    public var description: String {
        switch self {
        case .ratioAtMost(let limit), .valueAtMost(let limit): "≤ \(limit)"
        case .ratioAtLeast(let limit): "≥ \(limit)"
        }
    }

    /// Returns true if a figure meets the target.
    func isMet(value: Double, ratio: Double?) -> Bool {
        switch self {
        case .ratioAtMost(let limit): ratio.map { $0 <= limit } ?? false
        case .ratioAtLeast(let limit): ratio.map { $0 >= limit } ?? false
        case .valueAtMost(let limit): value <= limit
        }
    }
}
