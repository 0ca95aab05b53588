import ProbeKit
import ProbeProfiles
import ProbeReport

/// A lint's findings as text: each with its place and fix.
struct LintText {
    let style: Style

    func text(_ findings: [LintFinding], of file: String) -> String {
        let file = PrintableText.escape(file)
        guard !findings.isEmpty else { return "\(file): nothing to fix" }
        let counts = [Finding.Severity.error, .warning, .note].compactMap { severity -> String? in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : count.counted(severity.rawValue)
        }
        return (findings.map(text) + ["\(file): \(counts.joined(separator: ", "))"]).joined(separator: "\n")
    }

    private func text(_ finding: LintFinding) -> String {
        let head = "\(finding.severity.rawValue) \(finding.code) at \(PrintableText.escape(finding.path))"
        let outcome: Outcome =
            switch finding.severity {
            case .error: .pinMismatch
            case .warning: .passWithWarnings
            case .note: .pass
            }
        let shown = finding.severity == .note ? style.dim(head) : style.outcome(outcome, head)
        return "\(shown)\n  \(finding.message)\n  fix: \(finding.fix)"
    }
}
