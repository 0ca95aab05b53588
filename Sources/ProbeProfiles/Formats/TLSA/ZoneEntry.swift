import ProbeKit

/// An entry of a zone file: its words, without comments and parentheses (RFC 1035 section 5.1).
struct ZoneEntry {
    /// One word; of a quoted one the text between the quotes. Escapes stand as they are written.
    struct Word {
        let text: Substring
        let isQuoted: Bool

        /// The word as a type or a class, which have no case; nil for a quoted one.
        var keyword: String? { isQuoted ? nil : text.uppercased() }
    }

    let words: [Word]
    /// True if the entry begins with a blank, and so has the owner of the one before.
    let startsWithBlank: Bool
    /// The line that it begins in.
    let line: Int

    /// Returns the entries of a file.
    static func all(of input: FormatInput) throws(InputError) -> [ZoneEntry] {
        var entries: [ZoneEntry] = []
        var words: [Word] = []
        var (start, depth, startsWithBlank) = (1, 0, false)
        let lines = try input.requiredText().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            if depth == 0 { (words, start, startsWithBlank) = ([], index + 1, line.first?.isWhitespace ?? false) }
            guard append(line, to: &words, &depth) else {
                throw input.refuse(
                    "opens a quote and does not close it in the line", line: index + 1, remedy: "close it")
            }
            guard depth <= 0 else { continue }
            depth = 0
            if !words.isEmpty { entries.append(ZoneEntry(words: words, startsWithBlank: startsWithBlank, line: start)) }
        }
        guard depth == 0 else {
            throw input.refuse("opens a parenthesis and does not close it", line: start, remedy: "close it")
        }
        return entries
    }

    /// Adds the words of a line.
    ///
    /// - Returns: false if a quote in it is not closed.
    private static func append(_ line: Substring, to words: inout [Word], _ depth: inout Int) -> Bool {
        var rest = line
        while let first = rest.first, first != ";" {
            switch first {
            case "(", ")":
                depth += first == "(" ? 1 : -1
                rest.removeFirst()
            case "\"":
                let text = rest.dropFirst().unescapedPrefix { $0 == "\"" }
                guard text.endIndex < rest.endIndex else { return false }
                words.append(Word(text: text, isQuoted: true))
                rest = rest[text.endIndex...].dropFirst()
            case _ where first.isWhitespace: rest.removeFirst()
            default:
                let text = rest.unescapedPrefix { $0.isWhitespace || "\"();".contains($0) }
                words.append(Word(text: text, isQuoted: false))
                rest = rest[text.endIndex...]
            }
        }
        return true
    }
}
