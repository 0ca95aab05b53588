/// A value that no log, report or debugger shows by itself; it is not `Encodable`, whatever the value is.
public struct Redacted<Value> {
    /// The text shown instead.
    public static var text: String { "<redacted>" }

    /// The value itself.
    public let revealed: Value

    /// Hides a value.
    public init(_ value: Value) {
        revealed = value
    }
}

extension Redacted: Sendable where Value: Sendable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text shown instead.
    public var description: String { Self.text }
    /// The text shown instead.
    public var debugDescription: String { Self.text }
    /// A mirror without the value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
