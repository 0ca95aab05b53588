import ProbePlatform

/// JSON as we print it: one object a line, keys in a stable order, slashes as they are.
package enum JSONText: Sendable {
    /// Returns the value on one line.
    package static func line(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            // Only a non-finite floating-point number could get here, and our records have none.
            preconditionFailure("a record that can't be written as JSON: \(error)")
        }
    }
}
