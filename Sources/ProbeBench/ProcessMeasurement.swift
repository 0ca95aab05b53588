import CoreFoundation
import ProbePlatform

/// The cost of work that waits for peers, compared with other such work: the processor time of this process, in
/// alternating rounds. The peer has to run in another process.
struct ProcessMeasurement {
    /// Nanoseconds of one operation of the work: the median of the rounds.
    let value: Double
    /// Nanoseconds of one operation of the baseline: the median of the rounds.
    let floor: Double
    /// The median of the rounds' ratios.
    let ratio: Double

    /// Measures two pieces of work.
    ///
    /// - Parameters:
    ///   - rounds: the number of measured pairs; at least one.
    ///   - count: the number of operations of a round, which both sides do sequentially.
    ///   - value: does the work once.
    ///   - floor: does the baseline's work once.
    init(
        rounds: Int, count: Int, value: () async throws -> Void, floor: () async throws -> Void
    ) async throws {
        var (values, floors, ratios): ([Double], [Double], [Double]) = ([], [], [])
        // The first round warms both sides up.
        for round in 0...max(1, rounds) {
            let (v, f): (Double, Double)
            if round.isMultiple(of: 2) {
                f = try await Self.time(count, floor)
                v = try await Self.time(count, value)
            } else {
                v = try await Self.time(count, value)
                f = try await Self.time(count, floor)
            }
            guard round > 0 else { continue }
            values.append(v)
            floors.append(f)
            ratios.append(v / f)
        }
        (self.value, self.floor, ratio) = (Self.median(values), Self.median(floors), Self.median(ratios))
    }

    private static func time(_ count: Int, _ work: () async throws -> Void) async throws -> Double {
        let start = ProcessTime.nanoseconds
        for _ in 0..<count { try await work() }
        return Double(ProcessTime.nanoseconds - start) / Double(count)
    }

    private static func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }
}

/// The processor time of the whole process: a probe's work is done on several threads.
enum ProcessTime {
    /// Nanoseconds since the process began.
    static var nanoseconds: Int {
        var now = timespec()
        let result = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
        precondition(result == 0, "this system has no clock of a process's time")
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
