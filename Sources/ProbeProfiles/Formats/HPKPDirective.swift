import ProbeKit

/// One directive of a header: a name, and perhaps a value (RFC 7469 section 2.1).
struct HPKPDirective {
    /// The name in lowercase, for it has no case.
    let name: String
    /// The value, without quotes and escapes; empty for none.
    let value: String
    /// True for a value in quotes.
    let isQuoted: Bool
    /// True if it has a value, which may be empty.
    let hasValue: Bool
    /// True if name and value are of the header's grammar, apart from blanks beside `=`.
    let isWellFormed: Bool
    /// True if blanks are beside `=`.
    let hasBlanks: Bool

    /// Reads a part of a header between semicolons.
    ///
    /// - Parameter separator: `=`, or the colon in lines of gnutls-cli.
    init(_ part: Substring, separator: Character) {
        let text = part.trimmed[...]
        let name = text.prefix { $0 != separator }
        let rest = text[name.endIndex...].dropFirst()
        let written = rest.trimmed[...]
        self.name = name.trimmed.lowercased()
        hasValue = name.endIndex < text.endIndex
        hasBlanks = hasValue && (name.last?.isWhitespace ?? false || rest.first?.isWhitespace ?? false)
        let quoted = written.first == "\"" ? written.dropFirst().unescapedPrefix { $0 == "\"" } : nil
        // Nothing follows the second quote.
        isQuoted = quoted.map { written[$0.endIndex...] == "\"" } ?? false
        value = isQuoted ? quoted?.withoutEscapes ?? "" : String(written)
        isWellFormed = Self.isToken(self.name) && (!hasValue || isQuoted || Self.isToken(value))
    }

    /// Returns the reason for which clients ignore all of a header with the directive, and its remedy; nil if they don't.
    func fault(isRepeated: Bool) -> (reason: String, remedy: String)? {
        if !isWellFormed {
            return (
                "a malformed directive '\(InputError.quoting(name, limit: 40))'",
                "write NAME, NAME=TOKEN or NAME=\"TEXT\""
            )
        }
        if isRepeated { return ("'\(name)' twice", "write it once") }
        if name.hasPrefix("pin-"), !isQuoted {
            return ("a value of \(name) that is not in double quotes", "write \(name)=\"BASE64\"")
        }
        if name == "includesubdomains", hasValue {
            return ("a value of includeSubDomains, which takes none", "write includeSubDomains alone")
        }
        return nil
    }

    /// Returns the parts between semicolons that are not in quotes.
    static func parts(of text: Substring) -> [Substring] {
        var parts: [Substring] = []
        var rest = text
        while true {
            var isQuoted = false
            let part = rest.unescapedPrefix { character in
                if character == "\"" { isQuoted.toggle() }
                return character == ";" && !isQuoted
            }
            parts.append(part)
            guard part.endIndex < rest.endIndex else { return parts }
            rest = rest[part.endIndex...].dropFirst()
        }
    }

    /// Returns true for one or more of the characters of a token (RFC 7230 section 3.2.6).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0)) }
    }
}
