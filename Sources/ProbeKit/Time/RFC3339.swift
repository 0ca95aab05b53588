public import FoundationEssentials

/// Instants as text: RFC 3339 with a zone, to the second or finer.
public enum RFC3339: Sendable {
    /// Reads an instant like `2026-07-27T00:00:00Z`.
    ///
    /// - Throws: ``InputError`` naming the text.
    public static func parse(_ text: String) throws(InputError) -> Date {
        let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
        for style in styles {
            if let date = try? style.parse(text) { return date }
        }
        throw InputError("'\(text)' is not an instant", remedy: "write RFC 3339 with a zone, like 2026-07-27T00:00:00Z")
    }

    /// Writes an instant in UTC, to the second.
    public static func format(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle())
    }
}
