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

    // MARK: Errors

    /// Returns an error that shows the line of a token.
    func refuse(_ reason: String, at index: Int, remedy: String) -> InputError {
        let number = tokens[index].line
        let line = number <= lines.count ? lines[number - 1].trimmed : ""
        return input.refuse("\(reason): \(InputError.quoting(line, limit: 100))", line: number, remedy: remedy)
    }
}
