import ProbeKit

/// Strings whose length comes before them, in the protocols that have them: `{n}` or `{n+}` ends a line, n bytes follow, and
/// the line goes on (RFC 9051 section 4.3, RFC 5804 section 4).
extension DialogueInput {
    /// Takes one line, with each literal in it as a quoted string; nil if it is not complete yet.
    ///
    /// - Parameter holdsStrings: returns false for a line with free text, which may end like one that announces a literal.
    /// - Throws: the peer's fault, if the line grows beyond the limit with its literals.
    mutating func lineWithLiterals(
        of dialogue: some Dialogue, where holdsStrings: (String) -> Bool = { _ in true }
    ) throws(HandshakeFailure) -> String? {
        var input = self
        var whole = ""
        while let part = try input.line(of: dialogue) {
            guard let literal = Self.literal(atEndOf: part), holdsStrings(whole + part) else {
                self = input
                return whole + part
            }
            guard literal.count <= DialogueLimits.message - whole.utf8.count - part.utf8.count else {
                throw dialogue.violation("it sent a line of more than \(DialogueLimits.message) bytes")
            }
            guard let content = input.take(literal.count) else { return nil }
            whole += "\(literal.before)\"\(String(decoding: content, as: UTF8.self))\""
        }
        return nil
    }

    /// Returns the text before the length of a literal, and the length; nil for a line that doesn't end in one.
    private static func literal(atEndOf line: String) -> (before: Substring, count: Int)? {
        guard line.hasSuffix("}"), let open = line.lastIndex(of: "{") else { return nil }
        var digits = line[line.index(after: open)...].dropLast()
        if digits.last == "+" { digits = digits.dropLast() }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return (line[..<open], Int(digits) ?? .max)
    }
}
