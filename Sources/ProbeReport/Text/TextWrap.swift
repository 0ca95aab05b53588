/// Wraps lines at words.
package struct TextWrap: Sendable {
    /// The width of the terminal; nil if nothing is wrapped.
    let columns: Int?

    /// Creates a wrap at a width.
    package init(columns: Int?) {
        self.columns = columns
    }

    /// Returns the lines of a text, each after the first with the first one's indentation, or a hanging one.
    package func lines(_ text: String, hanging: Int? = nil) -> [String] {
        guard let columns, text.count > columns else { return [text] }
        var indentation = String(text.prefix { $0 == " " })
        var lines: [String] = []
        var line = indentation
        for word in text.dropFirst(indentation.count).split(separator: " ", omittingEmptySubsequences: false) {
            if line.count > indentation.count, line.count + 1 + word.count > columns {
                lines.append(line)
                if let hanging { indentation = String(repeating: " ", count: hanging) }
                line = indentation
            }
            line += (line.count > indentation.count ? " " : "") + word
        }
        return lines + [line]
    }

    /// Returns the lines as one text.
    package func text(_ text: String) -> String { lines(text).joined(separator: "\n") }
}
