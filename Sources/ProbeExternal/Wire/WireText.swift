import ProbeKit

/// The texts of a program, made safe to print and short enough to read: a line may have 8 MiB of them.
enum WireText {
    /// Returns a sentence for people.
    ///
    /// - Parameter substitute: the words in place of an empty one.
    static func sentence(_ text: String, or substitute: String = "it gives no reason") -> String {
        text.allSatisfy(\.isWhitespace) ? substitute : value(text)
    }

    /// Returns a value that may be empty, as long as a sentence at most.
    static func value(_ text: String) -> String { cut(text, to: ProgramLimits.sentenceBytes) }

    /// Returns a name, a version or a code.
    static func name(_ text: String) -> String { cut(text, to: ProgramLimits.nameBytes) }

    private static func cut(_ text: String, to limit: Int) -> String {
        PrintableText.escape(PrintableText.cut(text, to: limit))
    }
}

extension FixedWidthInteger {
    /// Creates the number of a member that `JSONDecoder` would refuse without its name.
    ///
    /// - Throws: ``WireError`` for a number outside the range.
    static func wire(_ number: Int, _ member: String) throws -> Self {
        guard let value = Self(exactly: number) else {
            throw WireError("\(member) is \(number), and may be \(Self.min) to \(Self.max)")
        }
        return value
    }
}
