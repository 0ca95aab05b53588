import ProbeKit
import ProbeProfiles

/// A difference between two profiles as text.
struct DriftText {
    /// A file that is compared.
    struct Side {
        let path: String
        let pins: PinsAsWritten

        init(path: String, bytes: [UInt8]) {
            self.path = path
            pins = PinsAsWritten(bytes)
        }
    }

    let first: Side
    let second: Side

    /// Returns `HOST: CODE` with each file's value on a line of its own.
    func text(_ drift: ProfileDrift) -> String {
        let head = "\(drift.subject): \(drift.code)\(drift.severity == .platform ? " (platform)" : "")"
        let sides = [(first, drift.first), (second, drift.second)].map { side, words in
            "  \(side.path): \(words.map(side.pins.words) ?? "nothing")"
        }
        return PrintableText.escape(head) + sides.map { "\n" + PrintableText.escape($0) }.joined()
    }
}
