public import ProbePlatform

/// Instants as text: RFC 3339 with a zone, to the second or finer.
public enum RFC3339: Sendable {
    /// Reads an instant like `2026-07-27T00:00:00Z`.
    ///
    /// - Throws: ``InputError`` naming the text.
    public static func parse(_ text: String) throws(InputError) -> Date {
        // Foundation's parser ignores trailing text, and days that no month has.
        let shape =
            #/\d{4}-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)/#
        let upper = text.uppercased()
        guard let parts = upper.wholeMatch(of: shape), let month = Int(parts.1), let day = Int(parts.2),
            (1...12).contains(month), (1...daysInMonth(month, of: Int(text.prefix(4)) ?? 0)).contains(day)
        else { throw refusal(text) }
        let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
        for style in styles {
            if let date = try? style.parse(upper) { return date }
        }
        throw refusal(text)
    }

    private static func refusal(_ text: String) -> InputError {
        InputError("'\(text)' is not an instant", remedy: "write RFC 3339 with a zone, like 2026-07-27T00:00:00Z")
    }

    private static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Writes an instant in UTC, to the second.
    public static func format(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        // From 1970 on, years of four digits. Foundation takes many times as long, and a report has many instants.
        guard (0..<253_402_300_800).contains(seconds) else { return date.formatted(Date.ISO8601FormatStyle()) }
        let (days, second) = Int(seconds).quotientAndRemainder(dividingBy: 86400)
        let (year, month, day) = calendarDay(days)
        var text: [UInt8] = []
        text.reserveCapacity(20)
        func append(_ number: Int, _ end: Unicode.Scalar?) {
            text.append(UInt8(ascii: "0") + UInt8(number / 10))
            text.append(UInt8(ascii: "0") + UInt8(number % 10))
            if let end { text.append(UInt8(ascii: end)) }
        }
        append(year / 100, nil)
        append(year % 100, "-")
        append(month, "-")
        append(day, "T")
        append(second / 3600, ":")
        append(second / 60 % 60, ":")
        append(second % 60, "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the day of the Gregorian calendar by its number from 1970 on.
    private static func calendarDay(_ number: Int) -> (year: Int, month: Int, day: Int) {
        // Years that begin in March end with the leap day; 400 of them, an era, have 146 097 days.
        let fromMarch = number + 719_468
        let (era, dayOfEra) = fromMarch.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // The months from March on have 31, 30, 31, 30 and 31 days, and so on.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            era * 400 + yearOfEra + (month < 3 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// Writes an instant's day in UTC, like `2026-07-27`. Such days sort as text.
    public static func day(_ date: Date) -> String { String(format(date).prefix(10)) }
}
