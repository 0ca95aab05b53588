import ProbeKit

/// Something a reader of a format has to say: what it passed over, or what means something else than it looks like.
public struct FormatNote: Hashable, Sendable, Encodable, CustomStringConvertible {
    /// How much it matters.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// Something of the file is not in what was read, or does not work where the file is used.
        case warning
        /// Worth knowing.
        case note
    }

    /// A stable name in kebab case.
    public let code: String
    /// How much it matters.
    public let severity: Severity
    /// What was seen, naming the place, for a person.
    public let message: String

    static func warning(_ code: String, _ message: String) -> FormatNote {
        FormatNote(code: code, severity: .warning, message: PrintableText.escape(message))
    }

    static func note(_ code: String, _ message: String) -> FormatNote {
        FormatNote(code: code, severity: .note, message: PrintableText.escape(message))
    }

    /// `warning: message` or `note: message`.
    public var description: String { "\(severity.rawValue): \(message)" }
}
