import ProbeKit
import ProbePlatform

/// A day as `SimpleDateFormat("yyyy-MM-dd")` reads it, not lenient: each field takes all digits that follow, and the text
/// after the day is ignored.
struct AndroidDay {
    /// The day's first instant in UTC; for a year after 9999 that of the last day that can be written.
    let instant: Date
    /// The ways in which the day is another than it looks.
    let warnings: [String]

    /// - Throws: ``InputError`` for a text that crashes the app.
    init(_ text: String) throws(InputError) {
        guard let match = text.prefixMatch(of: #/[ \t]*([0-9]+)-[ \t]*([0-9]+)-[ \t]*([0-9]+)/#),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), year > 0
        else { throw InputError("'\(text)' is not a day", remedy: "write it like 2027-01-31") }
        // Years 400 apart have the same days, and those of this range can be written.
        let usual = Self.written(2000 + year % 400, month, day)
        let written = year > 9999 ? "9999-12-31" : Self.written(year, month, day)
        guard (try? ExpiryDay.parse(usual)) != nil, let instant = try? ExpiryDay.parse(written) else {
            throw InputError("'\(text)' is not a day", remedy: "write it like 2027-01-31")
        }
        self.instant = instant
        var warnings: [String] = []
        if match.1.count != 4 {
            let effect = year < 1000 ? "pins are off for good" : "pins hold until then"
            warnings.append("of expiration=\"\(text)\" Android reads the year \(year): \(effect); write four digits")
        }
        if match.range.upperBound != text.endIndex {
            warnings.append("of expiration=\"\(text)\" Android reads \(written) and passes over the rest")
        }
        self.warnings = warnings
    }

    private static func written(_ year: Int, _ month: Int, _ day: Int) -> String {
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
