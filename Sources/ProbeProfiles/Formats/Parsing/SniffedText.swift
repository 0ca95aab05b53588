import ProbeKit

/// The text by which a format is detected: comments may have the words of any other in them.
extension FormatInput {
    /// True for XML, which begins with a tag.
    var isXML: Bool { text?.first { !$0.isWhitespace } == "<" }

    /// The text without comments if it is XML; nil for any other.
    var markup: String? { isXML ? text.map(XMLMarkup.withoutComments) : nil }

    /// Returns true for source code that is of a format by its tokens.
    ///
    /// - Parameters:
    ///   - mayBe: returns true for text that has the words of the format, wherever they are. That decides for one that can't be
    ///     cut into tokens, which the format's reader refuses with the reason.
    ///   - isOfFormat: returns true for the tokens of the format.
    func isCode(
        in language: SourceLanguage, where mayBe: (String) -> Bool, byTokens isOfFormat: ([SourceToken]) -> Bool
    ) -> Bool {
        let code = sniffedLines.joined(separator: "\n")
        guard mayBe(code) else { return false }
        let tokens = try? SourceTokenizer.tokens(FormatInput(Array(code.utf8), context), language)
        return tokens.map(isOfFormat) ?? true
    }
}
