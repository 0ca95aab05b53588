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
        fixed(text) ?? dashed(text, now) ?? asctime(text)
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixed(_ text: String) -> Date? {
        var text = DateText(text)
        guard text.name(2...2) != nil, text.skip(", "), let day = text.number(2), text.skip(" "),
            let month = text.name(2...2), text.skip(" "), let year = text.number(4), text.skip(" "),
            let time = text.timeOfDay(), text.skip(" GMT"), text.isAtEnd
        else { return nil }
        return instant(year, month, day, time)
    }

    /// Reads `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func dashed(_ text: String, _ now: Date) -> Date? {
        var text = DateText(text)
        guard text.name(5...8) != nil, text.skip(", "), let day = text.number(2), text.skip("-"),
            let month = text.name(2...2), text.skip("-"), let year = text.number(2), text.skip(" "),
            let time = text.timeOfDay(), text.skip(" GMT"), text.isAtEnd
        else { return nil }
        return instant(century(of: year, now: now), month, day, time)
    }

    /// Reads `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ text: String) -> Date? {
        var text = DateText(text)
        guard text.name(2...2) != nil, text.skip(" "), let month = text.name(2...2), text.skip(" "),
            let day = text.skip(" ") ? text.number(1) : text.number(2), text.skip(" "), let time = text.timeOfDay(),
            text.skip(" "), let year = text.number(4), text.isAtEnd
        else { return nil }
        return instant(year, month, day, time)
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

    private static func instant(_ year: Int, _ month: String, _ day: Int, _ time: Int) -> Date? {
        guard let index = months.firstIndex(of: month),
            let day = GregorianDay.number(year: year, month: index + 1, day: day)
        else { return nil }
        return Date(timeIntervalSince1970: Double(day * 86_400 + time))
    }

    private static func century(of year: Int, now: Date) -> Int {
        let current = Int(RFC3339.format(now).prefix(4)) ?? 2000
        let candidate = current / 100 * 100 + year
        return candidate > current + 50 ? candidate - 100 : candidate
    }
}
