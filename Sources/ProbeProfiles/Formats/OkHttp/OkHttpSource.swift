import ProbeKit

/// The pins of Kotlin and Java source: the calls of a `CertificatePinner.Builder`'s `add`, and `CertificatePinner.Pin`.
///
/// Nothing is run, so arguments are texts or constants of the same file. Any other code that could pin is an error that
/// shows its line.
struct OkHttpSource {
    let code: SourceCode
    let receivers: OkHttpReceivers
    private let constants: SourceConstants
    private var entries: [OkHttpEntry] = []
    /// The tokens of texts that are in an entry.
    private var used: Set<Int> = []
    /// The tokens of calls that made an entry.
    private(set) var calls: Set<Int> = []
    /// The variables whose `add` made an entry.
    private(set) var filled: Set<String> = []
    private var pinCount = 0
    /// The functions of the file.
    let functions: Set<String>

    private static let maximumPins = 100_000

    static func entries(_ input: FormatInput) throws(InputError) -> [OkHttpEntry] {
        var source = OkHttpSource(
            try SourceCode(input, SourceLanguage(path: input.context.path) ?? .kotlinOrJava))
        try source.visit()
        return source.entries
    }

    private init(_ code: SourceCode) {
        self.code = code
        constants = SourceConstants(code)
        receivers = OkHttpReceivers(code)
        functions = Set(
            code.tokens.indices.compactMap { index in
                guard code.isSign(index + 1, "("), let name = code.word(index) else { return nil }
                let isOfKotlin =
                    code.word(index - 1) == "fun" || code.isSign(index - 1, ".") && Self.isExtension(code, index)
                let isOfJava = code.word(index - 1) != nil && code.isSign(code.skip(index + 1), "{")
                return isOfKotlin || isOfJava ? name : nil
            })
    }

    /// Returns true if a name is that of `fun Type.name(`.
    private static func isExtension(_ code: SourceCode, _ index: Int) -> Bool {
        var start = index
        while code.isSign(start - 1, "."), code.word(start - 2) != nil { start -= 2 }
        return code.word(start - 1) == "fun"
    }

    private mutating func visit() throws(InputError) {
        for index in code.tokens.indices {
            switch code.word(index) {
            case "add"?: try visitAdd(index)
            case "Pin"? where code.isSign(index + 1, "("): try visitPin(index)
            default: break
            }
        }
        for index in code.tokens.indices where code.word(index) == "CertificatePinner" { try visitPinner(index) }
        try visitBuilders()
        for (index, token) in code.tokens.enumerated() where !used.contains(index) {
            if token.textBegins(with: "sha256/") || token.textBegins(with: "sha1/") {
                throw refuse("has a pin that is in no add(…) that can be read", at: index)
            }
        }
    }

    // MARK: Calls

    private mutating func visitAdd(_ index: Int) throws(InputError) {
        if code.isSign(index - 1, ":"), code.isSign(index - 2, ":") {
            guard !receivers.receiver(of: index).isOther else { return }
            throw refuse("hands add on as a function", at: index)
        }
        guard code.isSign(index + 1, "("), !isDefinition(index) else { return }
        let kind = receivers.receiver(of: index)
        let parts = code.parts(in: index + 1)
        let values = parts.map { value(of: $0) }
        let isPin = zip(parts, values).contains { part, value in
            value?.texts?.contains(where: OkHttpFormat.isPin) ?? false
                || part.contains {
                    code.tokens[$0].textBegins(with: "sha256/") || code.tokens[$0].textBegins(with: "sha1/")
                }
        }
        let holdsPins = parts.contains { part in
            part.contains { code.word($0) == "Pin" && code.isSign($0 + 1, "(") }
        }
        if holdsPins { return }
        switch kind {
        case .other, .builder: return
        case .unknown:
            let isKnown = values.allSatisfy { $0 != nil }
            let isIndexed = parts.first.map { code.isNumber($0.lowerBound) } ?? true
            if !isPin, parts.count < 2 || isKnown || isIndexed { return }
        case .pinner: break
        }
        let known = values.compactMap { $0 }
        guard known.count == values.count, let pattern = known.first?.text else {
            throw unread("has an add(…) whose arguments are not all texts or constants of this file", at: index)
        }
        let pins = known.dropFirst().compactMap(\.texts)
        guard pins.count == known.count - 1, pins.contains(where: { !$0.isEmpty }) else {
            throw refuse("has an add(…) without a pin", at: index)
        }
        try append(pattern, pins.flatMap { $0 }, known, at: index)
        if let root = receivers.root(of: index) { filled.insert(root) }
    }

    private mutating func visitPin(_ index: Int) throws(InputError) {
        guard !["class", "fun", "constructor"].contains(code.word(index - 1)) else { return }
        let isOfPinner = code.isSign(index - 1, ".") && code.word(index - 2) == "CertificatePinner"
        let values = code.parts(in: index + 1).map { value(of: $0) }
        let texts = values.compactMap { $0?.text }
        guard texts.count == 2, values.count == 2, OkHttpFormat.isPin(texts[1]) || isOfPinner else {
            // Another class of that name takes other things.
            guard isOfPinner || code.isSign(index - 1, ".") == false && values.count == 2 else { return }
            throw unread("has a Pin(…) whose arguments are not texts or constants of this file", at: index)
        }
        try append(texts[0], [texts[1]], values.compactMap { $0 }, at: index)
    }

    private mutating func append(
        _ pattern: String, _ pins: [String], _ values: [SourceValue], at index: Int
    ) throws(InputError) {
        pinCount += pins.count
        guard pinCount <= Self.maximumPins else {
            throw refuse("comes to more than \(Self.maximumPins) pins", at: index)
        }
        entries.append(OkHttpEntry(pattern: pattern, pins: pins, line: code.tokens[index].line))
        for value in values { used.formUnion(value.origins) }
        calls.insert(index)
    }

    /// Returns the value of an argument, which may have its name before it, and Kotlin's `*` before a list.
    private func value(of part: Range<Int>) -> SourceValue? {
        var start = part.lowerBound
        if code.word(start) != nil, code.isSign(start + 1, "="), !code.isSign(start + 2, "=") {
            guard ["pattern", "pins", "pin"].contains(code.word(start)) else { return nil }
            start += 2
        }
        if code.isSign(start, "*") { start += 1 }
        return start < part.upperBound ? constants.value(start..<part.upperBound) : nil
    }

    /// Returns true if a method of that name is defined here: Kotlin's `fun add(`, or Java's `Builder add(`.
    private func isDefinition(_ index: Int) -> Bool {
        if code.isSign(index - 1, ">") { return code.isSign(code.skip(index + 1), "{") }
        guard let before = code.word(index - 1) else { return false }
        return before == "fun"
            || !["return", "else", "do", "in", "yield", "case", "default"].contains(before)
                && code.tokens[index - 1].line == code.tokens[index].line
    }

    // MARK: Errors

    /// Returns an error for the arguments of a call, which names the one that is hidden.
    private func unread(_ reason: String, at index: Int) -> InputError {
        guard let obstacle = constants.obstacle(in: index + 2..<code.partner(index + 1)) else {
            return refuse(reason, at: index)
        }
        return code.refuse("\(reason), as \(obstacle.reason)", at: index, remedy: obstacle.remedy)
    }

    func refuse(_ reason: String, at index: Int) -> InputError {
        code.refuse(
            reason, at: index,
            remedy: "write .add(\"PATTERN\", \"sha256/BASE64\") there, or give lines PATTERN sha256/BASE64")
    }
}
