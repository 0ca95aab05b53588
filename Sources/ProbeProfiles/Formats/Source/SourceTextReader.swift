/// Reads the content between the quotation marks of a text: escapes and interpolated values.
struct SourceTextReader {
    private let language: SourceLanguage
    /// True if a backslash is literal.
    private let isRaw: Bool
    /// The number of hashes in an escape, as in Swift's raw strings.
    private let hashes: Int
    private var done: [SourceToken.Piece] = []
    private var plain: [UInt8] = []

    init(language: SourceLanguage, isRaw: Bool, hashes: Int) {
        self.language = language
        self.isRaw = isRaw
        self.hashes = hashes
    }

    /// Reads one character, escape or value.
    ///
    /// - Returns: the start of the next one.
    mutating func read(_ bytes: [UInt8], at index: Int) -> Int {
        switch bytes[index] {
        case UInt8(ascii: "\\") where !isRaw && isEscape(bytes, index):
            return escape(bytes, at: index + 1 + hashes)
        case UInt8(ascii: "$") where language.hasDollarTemplates: return template(bytes, at: index + 1)
        case let byte:
            plain.append(byte)
            return index + 1
        }
    }

    mutating func append(_ text: String) { plain += text.utf8 }

    /// Returns the pieces read.
    func pieces() -> [SourceToken.Piece] {
        plain.isEmpty && !done.isEmpty ? done : done + [.plain(String(decoding: plain, as: UTF8.self))]
    }

    /// Returns a text over several lines without its first line break and the indentation of its lines. In Swift the
    /// last line break is not of it either, in Java no blanks at the ends of lines.
    static func withoutIndentation(_ text: String, _ language: SourceLanguage) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        let last = lines.count - 1
        let counted = lines.enumerated().filter { $0.offset == last || $0.element.contains { !$0.isWhitespace } }
        let indentation = counted.map { $0.element.prefix(while: \.isWhitespace).count }.min() ?? 0
        if language == .swift { lines = lines.dropLast() }
        return lines.map { line in
            let line = line.dropFirst(min(indentation, line.count))
            let end = line.lastIndex { !$0.isWhitespace }.map { line.index(after: $0) } ?? line.startIndex
            return String(language == .swift ? line : line[..<end])
        }.joined(separator: "\n")
    }

    private func isEscape(_ bytes: [UInt8], _ index: Int) -> Bool {
        bytes[(index + 1)...].prefix(hashes).count { $0 == UInt8(ascii: "#") } == hashes
    }

    private mutating func escape(_ bytes: [UInt8], at index: Int) -> Int {
        guard index < bytes.count else { return bytes.count }
        switch bytes[index] {
        case UInt8(ascii: "n"): plain.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "t"): plain.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "r"): plain.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "s"): plain.append(UInt8(ascii: " "))
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "$"), UInt8(ascii: "/"):
            plain.append(bytes[index])
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "u"): return scalar(bytes, at: index + 1)
        case UInt8(ascii: "(") where language == .swift: return interpolation(bytes, at: index + 1)
        default: put(.expression)
        }
        return index + 1
    }

    /// Reads `\u0041`, or `\u{41}` in Swift.
    private mutating func scalar(_ bytes: [UInt8], at index: Int) -> Int {
        let isBraced = index < bytes.count && bytes[index] == UInt8(ascii: "{")
        let start = isBraced ? index + 1 : index
        let digits = bytes[min(start, bytes.count)...].prefix(isBraced ? 8 : 4)
            .prefix { Character(Unicode.Scalar($0)).isHexDigit }
        let end = digits.endIndex + (isBraced ? 1 : 0)
        guard let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(value),
            isBraced || digits.count == 4, end <= bytes.count
        else {
            put(.expression)
            return min(max(start, digits.endIndex), bytes.count)
        }
        plain += String(scalar).utf8
        return end
    }

    /// Returns the expression of Swift's `\(…)`, to its last parenthesis.
    private mutating func interpolation(_ bytes: [UInt8], at start: Int) -> Int {
        put(.expression)
        var (index, depth) = (start, 1)
        while index < bytes.count, depth > 0, bytes[index] != UInt8(ascii: "\n") {
            if bytes[index] == UInt8(ascii: "(") { depth += 1 }
            if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
            index += 1
        }
        return index
    }

    /// Reads Kotlin's `$NAME` or `${…}`; a dollar without a name after it is literal.
    private mutating func template(_ bytes: [UInt8], at start: Int) -> Int {
        let isBraced = start < bytes.count && bytes[start] == UInt8(ascii: "{")
        let nameStart = isBraced ? start + 1 : start
        let name = bytes[min(nameStart, bytes.count)...].prefix {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "_")
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || isBraced && $0 == UInt8(ascii: ".")
        }
        guard isBraced else {
            guard let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else {
                plain.append(UInt8(ascii: "$"))
                return start
            }
            put(.value(String(decoding: name, as: UTF8.self)))
            return name.endIndex
        }
        if name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "}"), !name.isEmpty {
            put(.value(String(decoding: name, as: UTF8.self)))
            return name.endIndex + 1
        }
        put(.expression)
        var (index, depth) = (nameStart, 1)
        while index < bytes.count, depth > 0 {
            if bytes[index] == UInt8(ascii: "{") { depth += 1 }
            if bytes[index] == UInt8(ascii: "}") { depth -= 1 }
            index += 1
        }
        return index
    }

    private mutating func put(_ piece: SourceToken.Piece) {
        if !plain.isEmpty { done.append(.plain(String(decoding: plain, as: UTF8.self))) }
        plain = []
        done.append(piece)
    }
}
