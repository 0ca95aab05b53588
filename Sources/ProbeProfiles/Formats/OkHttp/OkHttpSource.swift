import ProbeKit

/// Finds the calls of `.add` in Kotlin and Java source whose arguments are string literals; what is in a comment or in
/// another literal is none.
struct OkHttpSource {
    private var rest: Substring
    private var line = 1

    /// - Throws: ``InputError`` where a call has other arguments: what a constant holds is not known here.
    static func entries(_ input: FormatInput) throws(InputError) -> [OkHttpEntry] {
        var source = OkHttpSource(rest: try input.requiredText()[...])
        var entries: [OkHttpEntry] = []
        while try source.skipToCall(input) {
            let line = source.line
            guard let words = try source.literals(input), words.count > 1, let pattern = words.first else {
                throw input.refuse(
                    "has an .add( whose arguments are not all string literals", line: line,
                    remedy: "write them in: .add(\"PATTERN\", \"sha256/BASE64\")")
            }
            entries.append(OkHttpEntry(pattern: pattern, pins: Array(words.dropFirst()), line: line))
        }
        return entries
    }

    /// Goes behind the next `.add(` of the code.
    private mutating func skipToCall(_ input: FormatInput) throws(InputError) -> Bool {
        while let next = rest.firstIndex(where: { "./\"'".contains($0) }) {
            advance(to: next)
            switch rest[next] {
            case "/": try skipComment(input)
            case ".":
                let isCall = rest.hasPrefix(Self.call)
                advance(by: isCall ? Self.call.count : 1)
                if isCall { return true }
            default: try skipLiteral(input)
            }
        }
        return false
    }

    private static let call = ".add("

    /// A comment, or the slash that begins none. Kotlin's may hold comments of their own, Java's may not: one within
    /// another is refused, for what it leaves depends on the language.
    private mutating func skipComment(_ input: FormatInput) throws(InputError) {
        if rest.hasPrefix("//") {
            advance(to: rest.firstIndex(where: \.isNewline) ?? rest.endIndex)
        } else if rest.hasPrefix("/*") {
            let start = line
            guard let end = rest.dropFirst(2).firstRange(of: "*/") else {
                throw input.refuse("has a comment without an end", line: start, remedy: "end it with */")
            }
            guard rest[..<end.lowerBound].dropFirst(2).firstRange(of: "/*") == nil else {
                throw input.refuse("has a comment within a comment", line: start, remedy: "take one of them out")
            }
            advance(to: end.upperBound)
        } else {
            advance(by: 1)
        }
    }

    /// A literal of text or a character, or Kotlin's raw text between three quotation marks.
    private mutating func skipLiteral(_ input: FormatInput) throws(InputError) {
        let start = line
        let marks = rest.hasPrefix(Self.rawMarks) ? Self.rawMarks : String(rest.prefix(1))
        advance(by: marks.count)
        while !rest.hasPrefix(marks) {
            guard let next = rest.first, marks == Self.rawMarks || !next.isNewline else {
                throw input.refuse("has a text without an end", line: start, remedy: "end it with \(marks)")
            }
            advance(by: next == "\\" && marks != Self.rawMarks ? 2 : 1)
        }
        advance(by: marks.count)
    }

    private static let rawMarks = "\"\"\""

    /// `"a", "b")`, with blanks, comments, and a comma at the end as Kotlin allows it.
    private mutating func literals(_ input: FormatInput) throws(InputError) -> [String]? {
        var words: [String] = []
        while true {
            try skipBlanks(input)
            if rest.first == ")" { return words }
            guard rest.first == "\"" else { return nil }
            let body = rest.dropFirst()
            guard let end = body.firstIndex(where: { "\"\\$\n".contains($0) }), body[end] == "\"" else { return nil }
            words.append(String(body[..<end]))
            advance(to: body.index(after: end))
            try skipBlanks(input)
            if rest.first == "," {
                advance(to: rest.index(after: rest.startIndex))
            } else if rest.first != ")" {
                return nil
            }
        }
    }

    private mutating func skipBlanks(_ input: FormatInput) throws(InputError) {
        while let next = rest.first, next.isWhitespace || rest.hasPrefix("//") || rest.hasPrefix("/*") {
            if next == "/" { try skipComment(input) } else { advance(by: 1) }
        }
    }

    private mutating func advance(by count: Int) {
        advance(to: rest.index(rest.startIndex, offsetBy: count, limitedBy: rest.endIndex) ?? rest.endIndex)
    }

    private mutating func advance(to index: Substring.Index) {
        line += rest[..<index].count(where: \.isNewline)
        rest = rest[index...]
    }

    private init(rest: Substring) { self.rest = rest }
}
