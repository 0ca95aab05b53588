import ProbeKit
import ProbePlatform

/// Instants as profiles write them: RFC 3339, or a date, which means its first or its last second in UTC.
enum ProfileInstant {
    case first
    case last

    func parse(_ text: String) throws(InputError) -> Date {
        guard text.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil else { return try RFC3339.parse(text) }
        guard let day = try? RFC3339.parse(text + (self == .first ? "T00:00:00Z" : "T23:59:59Z")) else {
            throw InputError("'\(text)' is not a day", remedy: "write one of the calendar, like 2027-01-31")
        }
        return day
    }

    /// Returns the shortest text that reads back.
    func format(_ date: Date) -> String {
        let text = RFC3339.format(date)
        let suffix = self == .first ? "T00:00:00Z" : "T23:59:59Z"
        return text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
    }
}

/// Days after which platforms stop pinning, `yyyy-MM-dd`: pins count until their first instant, in UTC.
enum ExpiryDay {
    private static let seconds = 86_400.0

    static func parse(_ text: String) throws(InputError) -> Date {
        // A day that is in no calendar is refused like any other text.
        guard text.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil, let day = try? RFC3339.parse(text + "T00:00:00Z")
        else { throw InputError("'\(text)' is not a day", remedy: "write it like 2027-01-31") }
        return day
    }

    /// Returns the first midnight that is not before an instant.
    static func instant(atOrAfter date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 / seconds).rounded(.up) * seconds)
    }

    static func format(_ date: Date) -> String { String(RFC3339.format(date).prefix(10)) }
}
