public import ProbeKit

/// One figure of `probe bench`, beside its baseline.
public struct BenchLine: Sendable, Encodable {
    /// The name of the bench, like `hash`.
    public let bench: String
    /// The subject, like `rsa-2048`.
    public let subject: String
    /// The name of the library's backend.
    public let library: String
    /// The figure, in ``unit``; times and counts are for one operation.
    public let value: Double
    /// The figure of the baseline in the same run, in the same unit.
    @Always public var floor: Double?
    /// `ns`, `allocations`, …
    public let unit: String
    /// Value by floor, measured as one: not the quotient of the two figures, which are medians of their own.
    @Always public var ratio: Double?
    /// The target for the ratio, or for the value if there is no ratio.
    @Always public var target: Double?
    /// True if the target is met.
    @Always public var met: Bool?
    /// The target as text, including whether more or less is better.
    public let goal: String?

    private enum CodingKeys: String, CodingKey {
        case bench, subject, library, value, floor, unit, ratio, target, met
    }

    /// Creates a line; numbers are rounded to three decimals.
    public init(
        _ bench: String, subject: String, library: String, value: Double, floor: Double? = nil, unit: String,
        ratio: Double? = nil, target: BenchTarget? = nil
    ) {
        func short(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
        self.bench = bench
        self.subject = subject
        self.library = library
        self.unit = unit
        self.value = short(value)
        self.floor = floor.map(short)
        self.ratio = ratio.map(short)
        self.target = target?.number
        goal = target?.description
        met = target?.isMet(value: value, ratio: ratio)
    }

    /// Creates a line for a measurement of time.
    public init(
        _ bench: String, subject: String, library: String, _ measured: RatioMeasurement, target: BenchTarget? = nil
    ) {
        self.init(
            bench, subject: subject, library: library, value: measured.value, floor: measured.floor, unit: "ns",
            ratio: measured.ratio, target: target)
    }
}
