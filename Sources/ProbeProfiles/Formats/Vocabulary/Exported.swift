import ProbeKit

/// A profile in some format.
public struct Exported: Hashable, Sendable {
    /// The file; text is UTF-8 and ends with a line break.
    public var bytes: [UInt8]
    /// The losses: everything the format can't express.
    public var losses: [FormatLoss]

    /// Creates a result.
    public init(bytes: [UInt8], losses: [FormatLoss]) {
        self.bytes = bytes
        self.losses = losses
    }

    /// Returns the result of a library's encoder. It fails for values that its format can't hold, which ours can, or
    /// for a fault of its own: then nothing is written rather than something empty.
    static func encoded<Value>(_ encode: () throws -> Value) throws(InputError) -> Value {
        do {
            return try encode()
        } catch {
            throw InputError("it can't be encoded: \(error)", remedy: "report this; another format may do")
        }
    }
}

/// A loss: content that a format can't express, and its replacement, if any.
public struct FormatLoss: Hashable, Sendable, Encodable, CustomStringConvertible {
    /// A stable name in kebab case.
    public let code: String
    /// The subject of the loss: a host, or a part of the profile.
    public let subject: String
    /// A sentence with its consequence.
    public let message: String

    init(_ code: String, _ subject: String, _ message: String) {
        self.code = code
        self.subject = PrintableText.escape(subject)
        self.message = PrintableText.escape(message)
    }

    /// `subject: message`.
    public var description: String { "\(subject): \(message)" }
}
