public import ProbeKit

/// A finding about a profile that deserves attention before it ships.
public struct LintFinding: Hashable, Sendable, Encodable {
    /// A stable name in kebab case.
    public let code: String
    /// The severity: an error can't work or locks users out, a warning may, a note is worth knowing.
    public let severity: Finding.Severity
    /// The place in the profile, like `services.api.pins[0]`.
    public let path: String
    /// The message.
    public let message: String
    /// The suggested fix.
    public let fix: String

    /// Creates a finding.
    public init(_ severity: Finding.Severity, _ code: String, at path: String, _ message: String, fix: String) {
        self.severity = severity
        self.code = code
        self.path = path
        // Messages quote certificates and answers of DNS.
        self.message = PrintableText.escape(message)
        self.fix = PrintableText.escape(fix)
    }

    /// Creates a finding from a format reader's note.
    public init(_ note: FormatNote) {
        self.init(
            note.severity == .warning ? .warning : .note, note.code, at: "the file", note.message,
            fix: note.fix?.description ?? "change the file if this is not intended")
    }
}
