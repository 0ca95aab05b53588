import ProbeKit

/// Finds the calls of `.add` in Kotlin and Java source whose arguments are string literals.
struct OkHttpSource {
    private var rest: Substring
    private var line = 1

    /// - Throws: ``InputError`` where a call has other arguments: what a constant holds is not known here.
    static func entries(_ input: FormatInput) throws(InputError) -> [OkHttpEntry] {
        var source = OkHttpSource(rest: try input.requiredText()[...])
        var entries: [OkHttpEntry] = []
        while source.skip(past: ".add(") {
            let line = source.line
            guard let words = source.literals(), words.count > 1, let pattern = words.first else {
                throw input.refuse(
                    "has an .add( whose arguments are not all string literals", line: line,
                    remedy: "write them in: .add(\"PATTERN\", \"sha256/BASE64\")")
            }
            entries.append(OkHttpEntry(pattern: pattern, pins: Array(words.dropFirst()), line: line))
        }
        return entries
    }

    private mutating func skip(past marker: String) -> Bool {
        guard let range = rest.firstRange(of: marker) else { return false }
        advance(to: range.upperBound)
        return true
    }

    /// `"a", "b")`, with blanks and a comma at the end as Kotlin allows it.
    private mutating func literals() -> [String]? {
        var words: [String] = []
        while true {
            skipBlanks()
            if rest.first == ")" { return words }
            guard rest.first == "\"" else { return nil }
            let body = rest.dropFirst()
            guard let end = body.firstIndex(where: { "\"\\$\n".contains($0) }), body[end] == "\"" else { return nil }
            words.append(String(body[..<end]))
            advance(to: body.index(after: end))
            skipBlanks()
            if rest.first == "," {
                advance(to: rest.index(after: rest.startIndex))
            } else if rest.first != ")" {
                return nil
            }
        }
    }

    private mutating func skipBlanks() { advance(to: rest.firstIndex { !$0.isWhitespace } ?? rest.endIndex) }

    private mutating func advance(to index: Substring.Index) {
        line += rest[..<index].count(where: \.isNewline)
        rest = rest[index...]
    }

    private init(rest: Substring) { self.rest = rest }
}
