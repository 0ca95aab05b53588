import ProbeKit

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
