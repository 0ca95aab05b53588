public import ProbeKit

/// The counts of a scan so far.
public struct ScanTally: Encodable, Sendable {
    /// Targets with all their results.
    public private(set) var targets = 0
    /// Targets that ended, those that replaced an earlier one's results included.
    public private(set) var ended = 0
    /// Results: one for each target, address and backend.
    public private(set) var results = 0
    /// Lines that name no target.
    public private(set) var malformed = 0
    /// Targets of the list that an earlier run had done.
    public internal(set) var skipped = 0
    /// Targets of the list that belong to other shards.
    public internal(set) var otherShards = 0
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count)

    private enum CodingKeys: String, CodingKey {
        case targets, results, malformed, skipped, otherShards, outcomes
    }

    /// Creates the counts of a scan without results.
    public init() {}

    /// True if the list had nothing at all, for this shard and run or another.
    public var isEmpty: Bool { targets + malformed + skipped + otherShards == 0 }

    /// Counts a target.
    package mutating func add(_ outcomes: [Outcome]) {
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
    package mutating func addMalformed() { malformed += 1 }

    /// The number of results for each outcome; every outcome is present.
    public var outcomes: [String: Int] {
        Dictionary(uniqueKeysWithValues: zip(Outcome.allCases.map(\.rawValue), counts))
    }

    /// The outcomes that occur, the most frequent first.
    public var frequent: [(outcome: Outcome, count: Int)] {
        zip(Outcome.allCases, counts).filter { $0.1 > 0 }.map { (outcome: $0.0, count: $0.1) }
            .sorted { $0.count > $1.count }
    }

    /// Writes the counts; ``ended`` is not among them.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(targets, forKey: .targets)
        try container.encode(results, forKey: .results)
        try container.encode(malformed, forKey: .malformed)
        try container.encode(skipped, forKey: .skipped)
        try container.encode(otherShards, forKey: .otherShards)
        try container.encode(outcomes, forKey: .outcomes)
    }
}
