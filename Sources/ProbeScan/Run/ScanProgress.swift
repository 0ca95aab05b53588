import ProbeKit

/// The progress of a scan, as one line of text.
public struct ScanProgress: Sendable {
    /// The counts so far.
    public let tally: ScanTally
    /// The number of targets begun and not done.
    public let inFlight: Int
    /// The handed-out share of the list, from 0 to 1; nil if its length is not known.
    public let fraction: Double?
    /// The same when the first target began, and when that was.
    let start: (fraction: Double, instant: ContinuousClock.Instant)?
    /// The number of targets that had ended before the first target of this run began.
    var endedBefore = 0

    /// Returns the line: counts, targets for each second, the most frequent outcomes, and the estimated time left.
    public func text(at now: ContinuousClock.Instant = .now) -> String {
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
