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
