import ProbeKit

/// Something a format can't express: what was written instead, or left out.
public struct FormatLoss: Hashable, Sendable, Encodable, CustomStringConvertible {
    /// A stable name in kebab case.
    public let code: String
    /// What is lost: a host, or a part of the profile.
    public let subject: String
    /// What that means, for a person.
    public let message: String

    init(_ code: String, _ subject: String, _ message: String) {
        self.code = code
        self.subject = PrintableText.escape(subject)
        self.message = PrintableText.escape(message)
    }

    /// `subject: message`.
    public var description: String { "\(subject): \(message)" }
}
