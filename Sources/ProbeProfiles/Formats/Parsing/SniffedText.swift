import ProbeKit

/// The text by which a format is detected: comments may have the words of any other in them.
extension FormatInput {
    /// True for XML, which begins with a tag.
    var isXML: Bool { text?.first { !$0.isWhitespace } == "<" }

    /// The text without comments if it is XML; nil for any other. A comment can't be told from a text where there is CDATA.
    var markup: String? {
        guard isXML, let text else { return nil }
        return text.contains("<![CDATA[") ? text : XMLMarkup.withoutComments(text)
    }

    /// Returns true for a property list that has a key, or may have it where it can be written in other ways than one.
    func hasListKey(_ key: String) -> Bool {
        guard let markup, markup.contains("<plist"), markup.contains(key) else { return false }
        if ["<![CDATA[", "&#"].contains(where: markup.contains) { return true }
        return markup.ranges(of: key).contains { range in
            markup[..<range.lowerBound].hasSuffix(">") && markup[range.upperBound...].hasPrefix("</key")
        }
    }

    /// Returns true for source code that is of a format by its tokens.
    ///
    /// - Parameters:
    ///   - mayBe: returns true for text that has the words of the format, wherever they are. That decides for one that can't be
    ///     cut into tokens, which the format's reader refuses with the reason.
    ///   - isOfFormat: returns true for the tokens of the format.
    func isCode(
        in language: SourceLanguage, where mayBe: (String) -> Bool, byTokens isOfFormat: ([SourceToken]) -> Bool
    ) -> Bool {
        guard mayBe(sniffedLines.joined(separator: "\n")) else { return false }
        // As it is: a comment may end in a line that begins like another one.
        let tokens = try? SourceTokenizer.tokens(FormatInput(Array(sniffedText.utf8), context), language)
        return tokens.map(isOfFormat) ?? true
    }
}
