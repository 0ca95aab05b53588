/// The end of a program's standard error.
struct ErrorTail {
    private var bytes: [UInt8] = []
    /// The lines that are shown: a traceback of Python has its reason last, one of Java first.
    private static let shownLines = (first: 4, last: 8)

    mutating func append(_ more: [UInt8]) {
        bytes += more
        if bytes.count > ProgramLimits.errorBytes { bytes.removeFirst(bytes.count - ProgramLimits.errorBytes) }
    }

    /// Its lines as one, since a message has no more; empty if nothing was written.
    var text: String {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { WireText.value(String($0.drop(while: \.isWhitespace))) }.filter { !$0.isEmpty }
        let (first, last) = Self.shownLines
        guard lines.count > first + last else { return lines.joined(separator: " | ") }
        return (lines.prefix(first) + ["…"] + lines.suffix(last)).joined(separator: " | ")
    }
}
