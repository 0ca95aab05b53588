import FoundationEssentials

/// JSON as we print it: one object a line, keys in a stable order, slashes as they are.
public enum JSONText: Sendable {
    /// The value on one line.
    public static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            // Only a floating-point number that is none could get here, and our records have no such value.
            preconditionFailure("a record that can't be written as JSON: \(error)")
        }
    }
}
