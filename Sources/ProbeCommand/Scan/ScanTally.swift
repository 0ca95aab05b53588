import ProbeKit

/// The counts of a scan so far.
package struct ScanTally: Encodable, Sendable {
    /// Targets with all their results.
    package private(set) var targets = 0
    /// Targets that ended, those that replaced an earlier one's results included.
    private(set) var ended = 0
    /// Results: one for each target, address and backend.
    package private(set) var results = 0
    /// Lines that name no target.
    private(set) var malformed = 0
    /// Targets of the list that an earlier run had done.
    var skipped = 0
    /// Targets of the list that belong to other shards.
    var otherShards = 0
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count)

    private enum CodingKeys: String, CodingKey {
        case targets, results, malformed, skipped, otherShards, outcomes
    }

    /// True if the list had nothing at all, for this shard and run or another.
    var isEmpty: Bool { targets + malformed + skipped + otherShards == 0 }

    /// Counts a target.
    mutating func add(_ outcomes: [Outcome]) {
        targets += 1
        ended += 1
        results += outcomes.count
        for outcome in outcomes {
            if let index = Outcome.allCases.firstIndex(of: outcome) { counts[index] += 1 }
        }
    }

    /// Takes a target out again whose results were replaced by others.
    mutating func remove(_ outcomes: [Outcome]) {
        targets -= 1
        results -= outcomes.count
        for outcome in outcomes {
            if let index = Outcome.allCases.firstIndex(of: outcome) { counts[index] -= 1 }
        }
    }

    /// Counts a line that names none.
    mutating func addMalformed() { malformed += 1 }

    /// The number of results for each outcome; every outcome is present.
    var outcomes: [String: Int] {
        Dictionary(uniqueKeysWithValues: zip(Outcome.allCases.map(\.rawValue), counts))
    }

    /// The outcomes that occur, the most frequent first.
    var frequent: [(outcome: Outcome, count: Int)] {
        zip(Outcome.allCases, counts).filter { $0.1 > 0 }.map { (outcome: $0.0, count: $0.1) }
            .sorted { $0.count > $1.count }
    }

    /// The exit code: that of the outcome that decides, else of lines that could not be read.
    var exitCode: Int32 {
        let code = Outcome.deciding(among: frequent.map(\.outcome)).exitCode
        return code == 0 && malformed > 0 ? InputError.Source.file.exitCode : code
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(targets, forKey: .targets)
        try container.encode(results, forKey: .results)
        try container.encode(malformed, forKey: .malformed)
        try container.encode(skipped, forKey: .skipped)
        try container.encode(otherShards, forKey: .otherShards)
        try container.encode(outcomes, forKey: .outcomes)
    }
}

/// The progress of a scan, as one line of text.
struct ScanProgress: Sendable {
    let tally: ScanTally
    let inFlight: Int
    /// The handed-out share of the list; nil if its length is not known.
    let fraction: Double?
    /// The same when the first target began, and when that was.
    let start: (fraction: Double, instant: ContinuousClock.Instant)?
    /// The number of targets that had ended before the first target of this run began.
    var endedBefore = 0

    func text(at now: ContinuousClock.Instant = .now) -> String {
        let seconds = start.map { $0.instant.duration(to: now).inSeconds } ?? 0
        let rate = seconds > 0 ? Double(tally.ended - endedBefore) / seconds : 0
        var parts = ["\(tally.targets) done", "\(inFlight) in flight", "\(Self.rounded(rate))/s"]
        parts += tally.frequent.prefix(4).map { "\($0.outcome.rawValue) \($0.count)" }
        if tally.malformed > 0 { parts.append("usage-error \(tally.malformed)") }
        if let left = secondsLeft(seconds) { parts.append("\(Self.clock(left)) left") }
        return parts.joined(separator: " · ")
    }

    /// Returns the estimated time left: the remaining share of the list at the pace so far.
    private func secondsLeft(_ seconds: Double) -> Int? {
        guard let fraction, let start, fraction > start.fraction, seconds >= 1 else { return nil }
        let left = seconds * (1 - fraction) / (fraction - start.fraction)
        return left < 1e6 ? Int(left.rounded(.up)) : nil
    }

    private static func rounded(_ rate: Double) -> String {
        rate >= 10 ? "\(Int(rate.rounded()))" : "\((rate * 10).rounded() / 10)"
    }

    /// Returns `m:ss`, or `h:mm:ss`.
    private static func clock(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }
}
