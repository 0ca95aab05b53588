package import ProbePlatform

/// Instants as HTTP fields carry them (RFC 9110 section 5.6.7): IMF-fixdate, and the two older forms a recipient must read.
package enum HTTPDate: Sendable {
    /// Reads a date.
    ///
    /// - Parameters:
    ///   - text: the field's value.
    ///   - now: decides the century of a year of two digits, which is never more than 50 years ahead.
    /// - Returns: the instant to the second; nil for anything that is not a date.
    package static func parse(_ text: String, now: Date) -> Date? {
        let fixed = #/[A-Z][a-z]{2}, (?<d>\d\d) (?<m>[A-Z][a-z]{2}) (?<y>\d{4}) (?<t>\d\d:\d\d:\d\d) GMT/#
        if let match = text.wholeMatch(of: fixed) {
            return instant(year: Int(match.y), month: match.m, day: match.d, time: match.t)
        }
        let dashed = #/[A-Z][a-z]{5,8}, (?<d>\d\d)-(?<m>[A-Z][a-z]{2})-(?<y>\d\d) (?<t>\d\d:\d\d:\d\d) GMT/#
        if let match = text.wholeMatch(of: dashed), let year = Int(match.y) {
            return instant(year: century(of: year, now: now), month: match.m, day: match.d, time: match.t)
        }
        let asctime = #/[A-Z][a-z]{2} (?<m>[A-Z][a-z]{2}) (?<d>[ \d]\d) (?<t>\d\d:\d\d:\d\d) (?<y>\d{4})/#
        if let match = text.wholeMatch(of: asctime) {
            let day = match.d.hasPrefix(" ") ? "0" + match.d.dropFirst() : match.d
            return instant(year: Int(match.y), month: match.m, day: day, time: match.t)
        }
        return nil
    }

    /// Writes an instant as IMF-fixdate.
    package static func format(_ date: Date) -> String {
        let parts = RFC3339.format(date).split { "-T:Z".contains($0) }
        guard parts.count == 6, let month = Int(parts[1]) else { return "" }
        // 1970-01-01 was a Thursday.
        let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((day % 7) + 7) % 7]
        return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func instant(year: Int?, month: Substring, day: some StringProtocol, time: Substring) -> Date? {
        guard let year, let number = months.firstIndex(of: String(month)).map({ $0 + 1 }) else { return nil }
        let (years, number2) = (pad(year, to: 4), pad(number, to: 2))
        return try? RFC3339.parse("\(years)-\(number2)-\(day)T\(time)Z")
    }

    private static func pad(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func century(of year: Int, now: Date) -> Int {
        let current = Int(RFC3339.format(now).prefix(4)) ?? 2000
        let candidate = current / 100 * 100 + year
        return candidate > current + 50 ? candidate - 100 : candidate
    }
}
