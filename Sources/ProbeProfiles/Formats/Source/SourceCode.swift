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

    func isNumber(_ index: Int) -> Bool {
        if tokens.indices.contains(index), case .number = tokens[index].kind { true } else { false }
    }

    func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }

    /// Returns the partner of a bracket.
    func partner(_ index: Int) -> Int { partners[index] }

    /// Returns the bracket around a token; nil at the top level.
    func enclosing(_ index: Int) -> Int? { enclosing[index] < 0 ? nil : enclosing[index] }

    /// Returns the brace around a token; nil at the top level.
    func brace(around index: Int) -> Int? {
        var inner = index
        while let open = enclosing(inner) {
            if isSign(open, "{") { return open }
            inner = open
        }
        return nil
    }

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
        var (end, depth) = (index, 0)
        // Longer ones are not of code that people write.
        repeat {
            if isSign(end, "<") { depth += 1 }
            // The type of a function has an arrow.
            if isSign(end, ">"), !isSign(end - 1, "-") { depth -= 1 }
            end += 1
        } while depth > 0 && end < index + 64
        return end
    }

    /// Returns the types before the name that `fun`, `val` or `var` of Kotlin declares, and the token after the name:
    /// `fun Client.pinner()` has a receiver.
    func receiver(ofDeclaration index: Int) -> (types: [String], end: Int) {
        var (types, part) = ([String](), afterTypes(at: index + 1))
        // Longer ones are not of code that people write.
        while part < index + 256, let word = word(part) {
            var next = afterTypes(at: part + 1)
            if isSign(next, "?") { next += 1 }
            guard isSign(next, ".") else { return (types, next) }
            types.append(word)
            part = next + 1
        }
        return (types, part)
    }

    /// Returns true if the type of a variable of Java or Objective-C is before this token.
    func isAfterType(_ index: Int) -> Bool {
        if let type = word(index - 1) {
            return language == .kotlinOrJava
                ? type.first?.isUppercase == true || type == "var" || type == "final" : !Self.notTypes.contains(type)
        }
        if isSign(index - 1, ".") { return isSign(index - 2, ".") && isSign(index - 3, ".") }
        if isSign(index - 1, ">") { return !isSign(index - 2, "-") }
        if isSign(index - 1, "]") { return partner(index - 1) == index - 2 }
        return language == .objectiveC && isSign(index - 1, "*")
    }

    /// The words of Java and Objective-C that stand before a value.
    private static let notTypes: Set = [
        "return", "new", "instanceof", "in", "case", "throw", "throws", "do", "else", "yield", "extends", "implements",
        "assert",
    ]

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
