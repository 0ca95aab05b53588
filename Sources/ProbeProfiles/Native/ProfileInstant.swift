import FoundationEssentials
import ProbeKit

/// Instants as profiles write them: RFC 3339, or a date, which means its first or its last second in UTC.
enum ProfileInstant {
    case first
    case last

    func parse(_ text: String) throws(InputError) -> Date {
        guard text.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil else { return try RFC3339.parse(text) }
        return try RFC3339.parse(text + (self == .first ? "T00:00:00Z" : "T23:59:59Z"))
    }

    /// Returns the shortest text that reads back.
    func format(_ date: Date) -> String {
        let text = RFC3339.format(date)
        let suffix = self == .first ? "T00:00:00Z" : "T23:59:59Z"
        return text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
    }
}
