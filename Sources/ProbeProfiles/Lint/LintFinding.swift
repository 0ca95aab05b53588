public import ProbeKit

/// One thing about a profile that a person should look at before it ships.
public struct LintFinding: Hashable, Sendable, Encodable {
    /// A stable name in kebab case.
    public let code: String
    /// How much it matters: an error can't work or locks people out, a warning may, a note is worth knowing.
    public let severity: Finding.Severity
    /// Where in the profile, like `services.api.pins[0]`.
    public let path: String
    /// What was found.
    public let message: String
    /// What to write instead.
    public let fix: String

    /// A finding of its parts.
    public init(_ severity: Finding.Severity, _ code: String, at path: String, _ message: String, fix: String) {
        self.severity = severity
        self.code = code
        self.path = path
        // Messages quote certificates and answers of DNS.
        self.message = PrintableText.escape(message)
        self.fix = PrintableText.escape(fix)
    }

    /// What a format's reader has to say of a file.
    public init(_ note: FormatNote) {
        self.init(
            note.severity == .warning ? .warning : .note, note.code, at: "the file", note.message,
            fix: "change the file where it is not meant so")
    }
}
