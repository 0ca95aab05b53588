/// The program that writes a SARIF log, and the words it has for what it offers in a way of its own.
public struct SARIFTool: Sendable {
    /// The name, which code scanning groups results by.
    public let name: String
    /// The version, as semver.org has it.
    public let version: String
    /// The command that shows a host's evidence, as people type it without the host; nil if the program has none.
    public let evidence: String?
    /// Sentences about the fixes of findings by their codes, in place of the plain ones: those that name an option.
    public let advice: [String: String]

    /// Creates the description of a program.
    ///
    /// - Parameters:
    ///   - name: the program's name.
    ///   - version: its version.
    ///   - evidence: the command that shows a host's evidence, if it has one.
    ///   - advice: whole sentences by the codes of findings.
    public init(name: String, version: String, evidence: String? = nil, advice: [String: String] = [:]) {
        self.name = name
        self.version = version
        self.evidence = evidence
        self.advice = advice
    }
}
