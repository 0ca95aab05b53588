/// Durations as written on the command line and in profiles: `21d`, `12h`, `30m`, `90s`, or seconds alone.
package enum DurationText: Sendable {
    /// The maximum: ten years.
    package static let longest: Duration = .seconds(3650 * 86_400)

    private static let units: [Character: Int64] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]

    /// Reads a whole number with a unit.
    ///
    /// - Throws: ``InputError`` naming the text.
    package static func parse(_ text: String) throws(InputError) -> Duration {
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        let isNumber =
            !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, let count = Int64(digits) else {
            throw InputError(
                "'\(text)' is not a length of time", remedy: "write 21d, 12h, 30m or 90s; a number alone is of seconds")
        }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflow, .seconds(seconds) <= longest else {
            throw InputError("'\(text)' is longer than ten years", remedy: "give at most 3650d")
        }
        return .seconds(seconds)
    }

    /// Returns a length of time in the largest unit of which it has at least two, rounded down: `4 days`, `36 hours`.
    package static func words(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        for (unit, name) in [(86_400, "days"), (3600, "hours"), (60, "minutes")] as [(Int64, String)]
        where seconds >= 2 * unit {
            return "\(seconds / unit) \(name)"
        }
        return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }

    /// Returns the whole days of a length of time, before or after an instant alike: `19 days`, `less than a day`.
    package static func days(_ seconds: Double) -> String {
        let days = Int(abs(seconds) / 86_400)
        return days == 0 ? "less than a day" : days.counted("day")
    }

    /// Returns the shortest text that ``parse(_:)`` reads as the same.
    package static func format(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        for (letter, unit) in units.sorted(by: { $0.value > $1.value }) where seconds > 0 && seconds % unit == 0 {
            return "\(seconds / unit)\(letter)"
        }
        return "\(seconds)s"
    }
}

extension Duration {
    /// The duration as a number of seconds.
    public var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
