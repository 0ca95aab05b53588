import ProbePlatform

/// A property whose key is always written: nil becomes `null`, which distinguishes "absent" from "not looked at".
@propertyWrapper
public struct Always<Value: Encodable & Sendable>: Encodable, Sendable {
    /// The value.
    public var wrappedValue: Value?

    /// Wraps a value.
    public init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    /// Writes the value, or null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension Always: Decodable where Value: Decodable {
    /// Reads the value, or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}

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
