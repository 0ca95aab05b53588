import ArgumentParser

/// The messages of the argument parser, with the examples of a help text as they were written: a line that is to be copied
/// is never broken.
enum HelpText {
    static func message(for error: any Error, columns: Int) -> String {
        let text = RootCommand.fullMessage(for: error, columns: columns)
        let usage = "\nUSAGE: "
        // Wide enough for nothing to be wrapped.
        let wide = RootCommand.fullMessage(for: error, columns: 10_000)
        guard text.hasPrefix("OVERVIEW: "), let end = text.firstRange(of: usage), let start = wide.firstRange(of: usage)
        else {
            return text
        }
        let lines = wide[..<start.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("  ") ? String(line) : TextWrap(columns: columns).text(String(line))
        }
        return lines.joined(separator: "\n") + text[end.lowerBound...]
    }
}
