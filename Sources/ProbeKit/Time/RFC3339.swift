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
        date.formatted(Date.ISO8601FormatStyle())
    }

    /// Writes an instant's day in UTC, like `2026-07-27`. Such days sort as text.
    public static func day(_ date: Date) -> String { String(format(date).prefix(10)) }
}
