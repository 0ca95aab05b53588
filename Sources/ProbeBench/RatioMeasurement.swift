import CoreFoundation
import ProbePlatform

/// The relative cost of two pieces of work, measured to be meaningful on a shared machine: both run in turns, in many
/// short rounds, by the thread's own processor time, and the ratio is the median of the rounds' ratios.
public struct RatioMeasurement: Sendable {
    /// Nanoseconds of one operation of the work: the median of the rounds.
    public let value: Double
    /// Nanoseconds of one operation of the baseline: the median of the rounds.
    public let floor: Double
    /// The median of the rounds' ratios.
    public let ratio: Double

    /// Long enough for the clock, short enough that a disturbance affects both sides.
    private static let roundNanoseconds = 200_000.0

    /// Measures two pieces of work.
    ///
    /// - Parameters:
    ///   - rounds: the number of measured pairs; at least one.
    ///   - value: does the work a number of times.
    ///   - floor: does the baseline's work a number of times.
    public init(rounds: Int, value: (Int) throws -> Void, floor: (Int) throws -> Void) rethrows {
        let (valueCount, floorCount) = (try Self.calibrate(value), try Self.calibrate(floor))
        var (values, floors, ratios): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0..<max(1, rounds) {
            // Neither side is always the first.
            let (v, f): (Double, Double)
            if round.isMultiple(of: 2) {
                f = try Self.time(floorCount, floor)
                v = try Self.time(valueCount, value)
            } else {
                v = try Self.time(valueCount, value)
                f = try Self.time(floorCount, floor)
            }
            values.append(v)
            floors.append(f)
            ratios.append(v / f)
        }
        (self.value, self.floor, ratio) = (Self.median(values), Self.median(floors), Self.median(ratios))
    }

    private init(value: Double, floor: Double, ratio: Double) {
        (self.value, self.floor, self.ratio) = (value, floor, ratio)
    }

    /// Returns the same for one part of an operation with this many parts.
    func forEach(of parts: Int) -> RatioMeasurement {
        RatioMeasurement(value: value / Double(parts), floor: floor / Double(parts), ratio: ratio)
    }

    /// Returns the number of repetitions for a round; also warms the work up.
    private static func calibrate(_ work: (Int) throws -> Void) rethrows -> Int {
        var count = 1
        while true {
            let nanoseconds = try time(count, work) * Double(count)
            if nanoseconds >= roundNanoseconds / 2 || count >= 1 << 24 {
                return max(1, Int(Double(count) * roundNanoseconds / max(1, nanoseconds)))
            }
            count *= 2
        }
    }

    /// Nanoseconds of this thread for one of `count` operations.
    private static func time(_ count: Int, _ work: (Int) throws -> Void) rethrows -> Double {
        let start = ThreadTime.nanoseconds
        try work(count)
        return Double(ThreadTime.nanoseconds - start) / Double(count)
    }

    private static func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }
}

/// The processor time of the calling thread, independent of other work on the machine.
enum ThreadTime {
    /// Nanoseconds since the thread began.
    static var nanoseconds: Int {
        var now = timespec()
        let result = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        precondition(result == 0, "this system has no clock of a thread's time")
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
