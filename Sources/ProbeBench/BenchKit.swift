public import ProbeKit

/// The parts of a build that are measured: `main` lists it beside the backends.
public struct BenchKit: Sendable {
    /// Each TLS stack's digest function and certificate parser from C.
    public let floors: [any DigestFloor]
    /// Each TLS stack's bare client from C.
    public let handshakes: [any HandshakeFloor.Type]
    /// The arguments with which this program runs the benchmark servers.
    public let servers: [String]
    /// Counts allocations; nil if the program can't.
    public let allocations: AllocationCounter?

    /// Creates a kit; the default one measures nothing.
    public init(
        floors: [any DigestFloor] = [], handshakes: [any HandshakeFloor.Type] = [],
        servers: [String] = ["bench", "serve"], allocations: AllocationCounter? = nil
    ) {
        self.floors = floors
        self.handshakes = handshakes
        self.servers = servers
        self.allocations = allocations
    }
}

/// A bench whose work gave a wrong answer: its times mean nothing.
public struct BenchError: Error, Sendable, CustomStringConvertible {
    /// The error message.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

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
    /// The target for the ratio; without a ratio, for the value.
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
