import ProbeKit
import ProbeRun

/// The parts of a list's line that no result may repeat: the text before an `@` may have a password, and the URI of a token a
/// PIN.
struct LineSecrets {
    /// The line with `…` in place of them.
    let shown: String
    /// The texts before an `@`, as the line has them.
    private let credentials: [Substring]
    /// The PINs of URIs.
    private let pins: [Substring]

    /// Looks through a line.
    init(_ line: String) {
        var (shown, credentials): ([String], [Substring]) = ([], [])
        for part in Self.parts(of: line) {
            if let hidden = Self.credentials(in: part) {
                shown.append("\(part[..<hidden.lowerBound])…\(part[hidden.upperBound...])")
                credentials.append(part[hidden])
            } else {
                shown.append(String(part))
            }
        }
        self.shown = TokenURI.redacting(shown.joined(separator: "\""))
        self.credentials = credentials
        pins = line.matches(of: #/(?i)pin-value(?:=|%3d)([^&"\s]*)/#).map { $0.output.1 }
    }

    /// Returns the strings of a JSON object and the text between them, or any other line as it is: a password may have quotes
    /// too.
    private static func parts(of line: String) -> [Substring] {
        guard line.utf8.first == UInt8(ascii: "{") else { return [line[...]] }
        let text = line.replacing(#"\u0040"#, with: "@")
        var parts: [Substring] = []
        var (start, isEscaped) = (text.startIndex, false)
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == UInt8(ascii: "\""), !isEscaped {
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return parts + [text[start...]]
    }

    /// Returns the range before the last `@`, behind the scheme of a URL; nil if there is nothing, or the kind of a pin.
    private static func credentials(in part: Substring) -> Range<Substring.Index>? {
        guard let range = InputError.credentials(in: part), PinKind(rawValue: part[range].lowercased()) == nil else {
            return nil
        }
        return range
    }

    /// Returns the fault of the line, or another one in its place if it quotes any part of them.
    func hiding(_ error: InputError) -> InputError {
        guard !credentials.isEmpty || !pins.isEmpty else { return error }
        let quoted = Self.words(of: "\(error)"[...])
        if credentials.contains(where: { !Self.words(of: $0).isDisjoint(with: quoted) }) { return .carriesCredentials }
        guard pins.contains(where: { !Self.words(of: $0).isDisjoint(with: quoted) }) else { return error }
        return InputError(
            "the line has the PIN of a token", remedy: "write HOST:PORT, and no PIN", source: error.source)
    }

    /// Returns the parts that a reader of lines may take a text apart into; a single character gives nothing away.
    private static func words(of text: Substring) -> Set<String> {
        Set(
            text.utf8.split(whereSeparator: separators.contains).filter { $0.count > 1 }.map {
                Substring($0).lowercased()
            })
    }

    private static let separators = Set(" \t'\"\\/:?#@,;=&()[]{}".utf8)
}
