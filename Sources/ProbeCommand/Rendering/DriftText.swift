import Foundation
import ProbeDNS
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeReport
import ProbeRun
import ProbeTrust

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

/// Finds pins in the file they came from, so that they are shown as a person finds them there.
struct PinsAsWritten {
    private let text: String

    init(_ bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the words with each pin in the form that the file has. One that the file does not spell out, as in an app's
    /// package, stays as it is.
    func words(_ words: String) -> String {
        words.replacing(#/(cert|spki|rawkey):sha256:([0-9a-f]{64})/#) { match in
            let (whole, kind, hex) = (String(match.0), String(match.1), String(match.2))
            guard let pin = try? PinText.parse(whole).first?.pin,
                let found = [hex, hex.uppercased(), pin.digest.colonHex, pin.digest.base64]
                    .lazy.compactMap({ text.range(of: $0) }).first
            else { return whole }
            let written = token(around: found)
            return written.contains(kind) ? written : "\(written) (\(kind))"
        }
    }

    /// The digest with the words directly before it, like `sha256/` or `spki@leaf:sha256:`.
    private func token(around digest: Range<String.Index>) -> String {
        var start = digest.lowerBound
        while start > text.startIndex {
            let before = text.index(before: start)
            guard text[before].isASCII, text[before].isLetter || text[before].isNumber || "@:/-".contains(text[before])
            else { break }
            start = before
        }
        return String(text[start..<digest.upperBound])
    }
}
