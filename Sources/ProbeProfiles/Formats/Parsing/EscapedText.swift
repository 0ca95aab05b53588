extension Substring {
    /// Returns the characters before the first that ends them. One after a backslash ends nothing: zone files and HTTP's
    /// quoted strings escape alike (RFC 1035 section 5.1, RFC 7230 section 3.2.6).
    func unescapedPrefix(until ends: (Character) -> Bool) -> Substring {
        var isEscaped = false
        let end = firstIndex { character in
            if isEscaped {
                isEscaped = false
                return false
            }
            isEscaped = character == "\\"
            return !isEscaped && ends(character)
        }
        return self[..<(end ?? endIndex)]
    }

    /// The text with each pair of a backslash and a character as that character.
    var withoutEscapes: String {
        var text = ""
        var isEscaped = false
        for character in self {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                text.append(character)
                isEscaped = false
            }
        }
        return text
    }
}
