import ProbeKit

/// Splits source code into tokens, without its comments. It reads each byte once.
struct SourceTokenizer {
    private let input: FormatInput
    private let language: SourceLanguage
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var tokens: [SourceToken] = []

    static func tokens(_ input: FormatInput, _ language: SourceLanguage) throws(InputError) -> [SourceToken] {
        var tokenizer = SourceTokenizer(input, language, withLineFeeds(try input.requiredText()))
        while tokenizer.index < tokenizer.bytes.count { try tokenizer.next() }
        return tokenizer.tokens
    }

    /// Returns a text whose lines all end with LF: CR ends them too, alone or before LF.
    private static func withLineFeeds(_ text: String) -> [UInt8] {
        var (bytes, last) = ([UInt8](), UInt8(0))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\r") {
                bytes.append(UInt8(ascii: "\n"))
            } else if byte != UInt8(ascii: "\n") || last != UInt8(ascii: "\r") {
                bytes.append(byte)
            }
            last = byte
        }
        return bytes
    }

    private init(_ input: FormatInput, _ language: SourceLanguage, _ bytes: [UInt8]) {
        self.input = input
        self.language = language
        self.bytes = bytes
    }

    private mutating func next() throws(InputError) {
        switch bytes[index] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\u{c}"): index += 1
        case UInt8(ascii: "\n"): advance()
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): try skipComment()
        case UInt8(ascii: "\""): try text(hashes: 0)
        case UInt8(ascii: "#") where language == .swift && hashesBeforeMark() > 0:
            let hashes = hashesBeforeMark()
            index += hashes
            try text(hashes: hashes)
        case UInt8(ascii: "#") where language == .objectiveC: directive()
        case UInt8(ascii: "'") where language.hasCharacters: try character()
        case UInt8(ascii: "`"): try quotedWord()
        case UInt8(ascii: "\\"):
            throw input.refuse(
                "has a backslash outside of a text", line: line, remedy: "write the code without escapes there")
        case let byte where Self.isDigit(byte): number()
        case let byte where Self.isWord(byte): word()
        case let byte:
            tokens.append(SourceToken(kind: .sign(byte), line: line))
            index += 1
        }
    }

    // MARK: Comments and directives

    private mutating func skipLine() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    }

    private mutating func skipComment() throws(InputError) {
        let start = line
        var depth = 0
        repeat {
            guard index < bytes.count else {
                throw input.refuse("has a comment without an end", line: start, remedy: "end it with */")
            }
            if isAt("/*") {
                if depth > 0, language.nestsComments == nil {
                    throw input.refuse(
                        "has a comment within a comment", line: line,
                        remedy: "take one of them out, or name the file .kt or .java")
                }
                if depth == 0 || language.nestsComments == true { depth += 1 }
                index += 2
            } else if isAt("*/") {
                depth -= 1
                index += 2
            } else {
                advance()
            }
        } while depth > 0
    }

    /// Reads a line of the preprocessor. Only definitions have tokens of their own; the others are represented by their
    /// first sign, so that none is overlooked where it decides what counts.
    private mutating func directive() {
        tokens.append(SourceToken(kind: .sign(UInt8(ascii: "#")), line: line))
        index += 1
        guard !isAt("define") else { return }
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
            if bytes[index] == UInt8(ascii: "\\") { advance() }
            if index < bytes.count { advance() }
        }
    }

    // MARK: Words and numbers

    private mutating func word() {
        let start = index
        while index < bytes.count, Self.isWord(bytes[index]) || Self.isDigit(bytes[index]) { index += 1 }
        tokens.append(SourceToken(kind: .word(string(start..<index)), line: line))
    }

    private mutating func number() {
        let start = index
        while index < bytes.count,
            Self.isWord(bytes[index]) || Self.isDigit(bytes[index])
                || bytes[index] == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true
        { index += 1 }
        tokens.append(SourceToken(kind: .number(string(start..<index)), line: line))
    }

    /// Reads a name between backticks, as in Kotlin and Swift.
    private mutating func quotedWord() throws(InputError) {
        let start = index + 1
        guard let end = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\n") }),
            bytes[end] == UInt8(ascii: "`")
        else { throw input.refuse("has a name without an end", line: line, remedy: "end it with `") }
        tokens.append(SourceToken(kind: .word(string(start..<end)), line: line))
        index = end + 1
    }

    private mutating func character() throws(InputError) {
        let start = line
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "'"), bytes[index] != UInt8(ascii: "\n") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "'") else {
            throw input.refuse("has a character without an end", line: start, remedy: "end it with '")
        }
        index += 1
        tokens.append(SourceToken(kind: .character, line: start))
    }

    // MARK: Texts

    private mutating func text(hashes: Int) throws(InputError) {
        let start = line
        let isLong = isAt("\"\"\"") && language != .objectiveC
        let marks = String(repeating: "\"", count: isLong ? 3 : 1) + String(repeating: "#", count: hashes)
        index += isLong ? 3 : 1
        let opensLine = isLong && restOfLineIsBlank()
        let isRaw = isLong && (language == .kotlin || language == .kotlinOrJava && !opensLine)
        guard !opensLine || isRaw else { return try block(marks, hashes: hashes, from: start) }
        var reader = SourceTextReader(language: language, isRaw: isRaw, hashes: hashes)
        while !isAt(marks) {
            guard index < bytes.count, isLong || bytes[index] != UInt8(ascii: "\n") else {
                throw endless(start, marks)
            }
            let from = index
            index = reader.read(bytes, at: index)
            line += bytes[from..<min(index, bytes.count)].count { $0 == UInt8(ascii: "\n") }
        }
        // Kotlin's raw text may end with quotation marks of its own.
        while isRaw, peek(3) == UInt8(ascii: "\"") {
            reader.append("\"")
            index += 1
        }
        index += marks.utf8.count
        tokens.append(SourceToken(kind: .text(reader.pieces()), line: start))
    }

    /// Reads a text over several lines, without its indentation.
    private mutating func block(_ marks: String, hashes: Int, from start: Int) throws(InputError) {
        let from = index
        while !isAt(marks) {
            if index < bytes.count, bytes[index] == UInt8(ascii: "\\") { advance() }
            guard index < bytes.count else { throw endless(start, marks) }
            advance()
        }
        let body = SourceTextReader.withoutIndentation(string(from..<index), language)
        var reader = SourceTextReader(language: language, isRaw: false, hashes: hashes)
        let stripped = Array(body.utf8)
        var place = 0
        while place < stripped.count { place = reader.read(stripped, at: place) }
        index += marks.utf8.count
        tokens.append(SourceToken(kind: .text(reader.pieces()), line: start))
    }

    private func endless(_ start: Int, _ marks: String) -> InputError {
        input.refuse("has a text without an end", line: start, remedy: "end it with \(marks)")
    }

    private func restOfLineIsBlank() -> Bool {
        let blanks = bytes[index...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return blanks.endIndex < bytes.count && bytes[blanks.endIndex] == UInt8(ascii: "\n")
    }

    /// Returns the number of hashes here before a quotation mark; 0 if none is there.
    private func hashesBeforeMark() -> Int {
        // A run is looked through again at each of its hashes.
        let hashes = bytes[index...].prefix(255).prefix { $0 == UInt8(ascii: "#") }
        return hashes.endIndex < bytes.count && bytes[hashes.endIndex] == UInt8(ascii: "\"") ? hashes.count : 0
    }

    // MARK: Bytes

    private func isAt(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private func peek(_ distance: Int) -> UInt8? { index + distance < bytes.count ? bytes[index + distance] : nil }

    private mutating func advance() {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isWord(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || byte >= 0x80
    }
}
