public import ProbePlatform

/// Instants as text: RFC 3339 with a zone, to the second or finer.
public enum RFC3339: Sendable {
    /// Reads an instant like `2026-07-27T00:00:00Z`.
    ///
    /// - Throws: ``InputError`` naming the text.
    public static func parse(_ text: String) throws(InputError) -> Date {
        guard let date = instant(text) else {
            throw InputError(
                "'\(text)' is not an instant", remedy: "write RFC 3339 with a zone, like 2026-07-27T00:00:00Z")
        }
        return date
    }

    private static func instant(_ text: String) -> Date? {
        var text = DateText(text)
        guard let year = text.number(4), text.skip("-"), let month = text.number(2), text.skip("-"),
            let dayOfMonth = text.number(2),
            let day = GregorianDay.number(year: year, month: month, day: dayOfMonth), text.one(of: "T", "t") != nil,
            let second = text.timeOfDay()
        else { return nil }
        var fraction = 0.0
        if text.skip(".") {
            guard let digits = text.digits(), let number = Double("0.\(digits)") else { return nil }
            fraction = number
        }
        guard let offset = offset(&text), text.isAtEnd else { return nil }
        let seconds = Double(day * 86_400 + second - offset) + fraction
        return writable.contains(seconds) ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// The instants whose years have four digits in UTC, in seconds since 1970.
    private static let writable = -62_167_219_200.0..<253_402_300_800

    /// Reads a zone, in seconds that its clocks are ahead.
    private static func offset(_ text: inout DateText) -> Int? {
        switch text.one(of: "Z", "z", "+", "-") {
        case "Z", "z": return 0
        case let sign?:
            guard let hour = text.number(2), hour < 24, text.skip(":"), let minute = text.number(2), minute < 60
            else { return nil }
            return (sign == "-" ? -1 : 1) * (hour * 60 + minute) * 60
        case nil: return nil
        }
    }

    /// Writes an instant in UTC, to the second.
    public static func format(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        // Foundation takes many times as long, and a report has many instants.
        guard writable.contains(seconds) else { return date.formatted(Date.ISO8601FormatStyle()) }
        let days = Int((seconds / 86_400).rounded(.down))
        let second = Int(seconds) - days * 86_400
        let (year, month, day) = GregorianDay.day(days)
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

    /// Writes an instant's day in UTC, like `2026-07-27`. Such days sort as text.
    public static func day(_ date: Date) -> String { String(format(date).prefix(10)) }
}
