import ProbeKit
import ProbeProfiles

/// A difference between two profiles as text.
enum DriftText {
    /// Returns `HOST: CODE` with each file's value on a line of its own.
    static func text(_ drift: ProfileDrift, first: String, second: String) -> String {
        let head = "\(drift.subject): \(drift.code)\(drift.severity == .platform ? " (platform)" : "")"
        let sides = [(first, drift.first), (second, drift.second)].map { name, said in
            "  \(name): \(said ?? "nothing")"
        }
        return PrintableText.escape(head) + sides.map { "\n" + PrintableText.escape($0) }.joined()
    }
}
