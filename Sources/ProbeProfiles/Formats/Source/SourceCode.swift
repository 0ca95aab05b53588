import ProbeKit

/// The tokens of a file, and which brackets belong together.
struct SourceCode {
    let input: FormatInput
    let language: SourceLanguage
    let tokens: [SourceToken]
    /// For a bracket, its partner.
    private let partners: [Int]
    /// For a token, the bracket around it; -1 for none.
    private let enclosing: [Int]
    private let lines: [Substring]

    init(_ input: FormatInput, _ language: SourceLanguage) throws(InputError) {
        self.input = input
        self.language = language
        tokens = try SourceTokenizer.tokens(input, language)
        lines = try input.requiredText().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var partners = [Int](repeating: -1, count: tokens.count)
        var enclosing = partners
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            guard case .sign(let sign) = token.kind, let opening = Self.opening[sign] else {
                enclosing[index] = open.last ?? -1
                continue
            }
            guard opening != sign else {
                enclosing[index] = open.last ?? -1
                guard open.count < Self.maximumDepth else {
                    throw input.refuse(
                        "nests its brackets more than \(Self.maximumDepth) deep", line: token.line,
                        remedy: "give only the statements that pin")
                }
                open.append(index)
                continue
            }
            guard let start = open.popLast(), tokens[start].kind == .sign(opening) else {
                throw Self.unbalanced(sign, token.line, input)
            }
            (partners[index], partners[start]) = (start, index)
            enclosing[index] = open.last ?? -1
        }
        if let start = open.last, case .sign(let sign) = tokens[start].kind {
            throw Self.unbalanced(sign, tokens[start].line, input)
        }
        self.partners = partners
        self.enclosing = enclosing
    }

    private static let maximumDepth = 256

    /// The opening bracket of each closing one.
    private static let opening: [UInt8: UInt8] = [
        UInt8(ascii: "("): UInt8(ascii: "("), UInt8(ascii: ")"): UInt8(ascii: "("),
        UInt8(ascii: "["): UInt8(ascii: "["), UInt8(ascii: "]"): UInt8(ascii: "["),
        UInt8(ascii: "{"): UInt8(ascii: "{"), UInt8(ascii: "}"): UInt8(ascii: "{"),
    ]

    private static func unbalanced(_ sign: UInt8, _ line: Int, _ input: FormatInput) -> InputError {
        input.refuse(
            "has a '\(Character(Unicode.Scalar(sign)))' without its partner", line: line,
            remedy: "give whole statements, or lines PATTERN sha256/BASE64")
    }

    // MARK: Looking at tokens

    func isSign(_ index: Int, _ sign: Unicode.Scalar) -> Bool {
        tokens.indices.contains(index) && tokens[index].isSign(sign)
    }

    func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }

    /// Returns the partner of a bracket.
    func partner(_ index: Int) -> Int { partners[index] }

    /// Returns the bracket around a token; nil at the top level.
    func enclosing(_ index: Int) -> Int? { enclosing[index] < 0 ? nil : enclosing[index] }

    /// Returns the parts between commas within brackets; a comma after the last part is allowed.
    func parts(in open: Int) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = open + 1
        var index = start
        let end = partner(open)
        while index < end {
            if isSign(index, ",") {
                parts.append(start..<index)
                start = index + 1
            }
            index = skip(index)
        }
        if start < end { parts.append(start..<end) }
        return parts
    }

    /// Returns the token after this one, or after the bracket that it opens.
    func skip(_ index: Int) -> Int { partners[index] > index ? partners[index] + 1 : index + 1 }

    /// Returns the token after type parameters or arguments `<…>`, if they are here.
    func afterTypes(at index: Int) -> Int {
        guard isSign(index, "<") else { return index }
        var end = index
        // Longer ones are not of code that people write.
        while end < index + 64, !isSign(end, ">") { end += 1 }
        while isSign(end, ">") { end += 1 }
        return end
    }

    /// Returns true if an expression ends before this token: the token starts a line of its own and can't continue the
    /// expression before it, or is a sign that ends one.
    func endsExpression(at index: Int) -> Bool {
        guard tokens.indices.contains(index), index > 0 else { return true }
        switch tokens[index].kind {
        case .sign(let sign):
            return ";,)]}".utf8.contains(sign) || sign == UInt8(ascii: "@") && isOnNewLine(index)
                || sign == UInt8(ascii: "#") && isOnNewLine(index)
        default: return isOnNewLine(index)
        }
    }

    /// Returns true if a token after the first starts a line of its own.
    func isOnNewLine(_ index: Int) -> Bool { tokens[index].line > tokens[index - 1].line }

    // MARK: Errors

    /// Returns an error that shows the line of a token.
    func refuse(_ reason: String, at index: Int, remedy: String) -> InputError {
        let number = tokens[index].line
        let line = number <= lines.count ? lines[number - 1].trimmed : ""
        let shown = line.count > 100 ? line.prefix(100) + "…" : line[...]
        return input.refuse("\(reason): \(shown)", line: number, remedy: remedy)
    }
}

/// The languages whose source is read. They differ in comments and in the texts between quotation marks.
enum SourceLanguage {
    case kotlin
    case java
    /// Kotlin or Java: a construct that only one of them allows is rejected if it changes the meaning.
    case kotlinOrJava
    case swift
    case objectiveC

    /// True if comments nest; nil if that is not known.
    var nestsComments: Bool? {
        switch self {
        case .kotlin, .swift: true
        case .java, .objectiveC: false
        case .kotlinOrJava: nil
        }
    }

    /// True if `$name` in a text is replaced by a value.
    var hasDollarTemplates: Bool { self == .kotlin || self == .kotlinOrJava }

    /// True if characters are written between apostrophes.
    var hasCharacters: Bool { self != .swift }

    /// Creates the language of a file, by its extension.
    init?(path: String) {
        switch path.split(separator: ".").last?.lowercased() {
        case "kt", "kts": self = .kotlin
        case "java": self = .java
        case "swift": self = .swift
        case "m", "mm", "h": self = .objectiveC
        default: return nil
        }
    }
}
