extension InputError {
    private static let mark = UInt8(ascii: "@")

    /// Returns the range before the last `@` of a text, behind the scheme of a URL; nil if nothing is there.
    package static func credentials(in text: Substring) -> Range<Substring.Index>? {
        guard let end = text.utf8.lastIndex(of: mark) else { return nil }
        let before = text[..<end]
        let scheme = before.prefix { $0.isLetter || $0.isNumber || "+.-".contains($0) }
        let rest = before[scheme.endIndex...]
        let start = rest.hasPrefix("://") ? rest.index(rest.startIndex, offsetBy: 3) : before.startIndex
        return start < end ? start..<end : nil
    }

    /// Returns a target, a host or a URL with `…` for what may be a user and a password.
    package static func withoutCredentials(_ text: String) -> String {
        guard let hidden = credentials(in: text[...]) else { return text }
        return "\(text[..<hidden.lowerBound])…\(text[hidden.upperBound...])"
    }

    /// Returns a message with `…` for the credentials of URLs, and for a user and a password before a host: it may quote an
    /// input that was meant for another place.
    package static func withoutPasswords(_ message: String) -> String {
        guard message.utf8.contains(mark) else { return message }
        var (shown, rest) = ("", message[...])
        while !rest.isEmpty {
            let word = rest.prefix { !$0.isWhitespace }
            shown += withoutPassword(word)
            let spaces = rest[word.endIndex...].prefix(while: \.isWhitespace)
            shown += spaces
            rest = rest[spaces.endIndex...]
        }
        return shown
    }

    /// Returns the beginning of a text to quote in a message. A password is blanked first: without the host behind it
    /// nothing shows that it is one.
    ///
    /// - Parameter limit: the most characters; `…` stands for the rest.
    package static func quoting(_ text: some StringProtocol, limit: Int) -> String {
        let shown = withoutPasswords(String(text))
        let beginning = shown.prefix(limit)
        return beginning.endIndex < shown.endIndex ? "\(beginning)…" : shown
    }

    private static func withoutPassword(_ word: Substring) -> String {
        guard let hidden = PasswordSearch(word.drop { "'\"([{".contains($0) }).range else { return String(word) }
        return "\(word[..<hidden.lowerBound])…\(word[hidden.upperBound...])"
    }
}
