import ProbeKit
import ProbePacking

/// A file to be read as one of the formats.
struct FormatInput {
    let bytes: [UInt8]
    let context: FormatContext
    /// The file as text, without a byte order mark; nil if it is not UTF-8.
    let text: String?
    /// The non-empty lines at the start of the file, for detecting formats.
    let sniffedLines: [String]

    init(_ bytes: [UInt8], _ context: FormatContext) {
        self.bytes = bytes
        self.context = context
        let text = InputFile.text(of: bytes)
        self.text = text
        sniffedLines = Self.start(of: text ?? "").split(whereSeparator: \.isNewline).map { $0.trimmed }
            .filter { line in !line.isEmpty && !["#", "//", ";"].contains(where: line.hasPrefix) }
    }

    /// The start of the file as it is.
    var sniffedText: String { String(Self.start(of: text ?? "")) }

    private static let maximumSniffed = 1 << 20

    /// Returns the whole lines of a text within the bound.
    private static func start(of text: String) -> Substring {
        guard let bound = text.utf8.index(text.startIndex, offsetBy: maximumSniffed, limitedBy: text.endIndex) else {
            return text[...]
        }
        let end = text.utf8[..<bound].lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return text[..<(end ?? text.startIndex)]
    }

    /// Returns true if there are lines, and all of them satisfy the predicate.
    func allLines(_ isLike: (String) -> Bool) -> Bool { !sniffedLines.isEmpty && sniffedLines.allSatisfy(isLike) }

    /// Returns the file to read: for an app, the one in it that defines its pins.
    ///
    /// - Throws: ``InputError`` if an app has no such file.
    func opened() throws(InputError) -> (input: FormatInput, notes: [FormatNote]) {
        guard ZipDirectory.recognises(bytes) else { return (self, []) }
        let package = try AppPackage(self)
        var inner = context
        inner.path = package.path
        return (FormatInput(package.bytes, inner), package.notes)
    }

    /// Returns true if the bytes contain an ASCII text anywhere.
    func holds(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return true }
        return bytes.indices.contains { bytes[$0] == first && bytes[$0...].starts(with: wanted) }
    }

    /// Returns the text of a format that is text.
    func requiredText() throws(InputError) -> String {
        guard let text else { throw refuse("is not UTF-8 text", remedy: "save it as UTF-8") }
        return text
    }

    /// Returns the non-empty lines, numbered from 1: trimmed, without whole-line comments.
    func lines(comment: [String] = ["#"]) throws(InputError) -> [FormatLine] {
        try requiredText().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .compactMap { index, line in
                let text = line.trimmed
                guard !text.isEmpty, !comment.contains(where: text.hasPrefix) else { return nil }
                return FormatLine(number: index + 1, text: text)
            }
    }

    /// Returns an error about the file.
    func refuse(
        _ reason: String, line: Int? = nil, remedy: String, source: InputError.Source = .file
    ) -> InputError {
        let place = line.map { ":\($0)" } ?? ""
        return InputError(PrintableText.escape("\(context.path)\(place) \(reason)"), remedy: remedy, source: source)
    }

    /// Returns the result of `parse`; its errors are reported at the line.
    func at<Value>(_ line: Int? = nil, _ parse: () throws(InputError) -> Value) throws(InputError) -> Value {
        do throws(InputError) {
            return try parse()
        } catch {
            let place = line.map { ":\($0)" } ?? ""
            throw InputError(
                PrintableText.escape("\(context.path)\(place): \(error.message)"), remedy: error.remedy, source: .file)
        }
    }

    /// Returns a profile of pins whose format names no host: they hold for the caller's, or for every one.
    func profile(of sets: [PinSet]) throws(InputError) -> Profile {
        guard !sets.isEmpty else { throw refuse("has no pins", remedy: "give a file that has some") }
        guard let host = context.host else { return Profile(pins: sets) }
        return Profile(hosts: [try at { () throws(InputError) in try HostRule(pattern: "\(host)", pins: sets) }])
    }
}

/// One line of a text.
struct FormatLine {
    let number: Int
    let text: String
}

extension FormatInput {
    /// Returns a rule for a name as a platform's file has it; nil, with a warning, if the platform would never match
    /// it.
    func rule(
        _ name: String, _ semantics: HostSemantics, subdomains: Bool, pins: [PinSet], platform: String,
        notes: inout [FormatNote]
    ) -> HostRule? {
        if name.hasSuffix("."), semantics == .ats {
            notes.append(
                .warning(
                    "never-matches", "'\(name)' ends with a dot, which \(platform) takes literally: it never matches"))
            return nil
        }
        do throws(InputError) {
            let rule = try HostRule(pattern: name, semantics: semantics, includesSubdomains: subdomains, pins: pins)
            guard semantics == .exact || name.utf8.allSatisfy({ $0 < 0x80 }) else {
                notes.append(
                    .warning(
                        "never-matches",
                        "'\(name)' is compared as it stands, and hosts arrive in ASCII: it never matches; write \(rule.pattern)"
                    ))
                return nil
            }
            if rule.pattern != name, name.lowercased() != name {
                notes.append(.note("case", "'\(name)' is read as \(rule.pattern)"))
            }
            return rule
        } catch {
            let why = name.contains("*") ? "has a wildcard, which \(platform) takes literally" : "is not a host name"
            let shown = InputError.withoutCredentials(name)
            notes.append(.warning("never-matches", "'\(shown)' \(why): it never matches"))
            return nil
        }
    }
}

extension StringProtocol {
    /// The text without blanks and line breaks around it.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
