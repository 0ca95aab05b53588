/// The tokens at which a declaration begins, on a line of its own and after a whole expression, so that a function without
/// braces ends before them.
///
/// Many of their words may be names too. In doubt nothing is declared, and a name is unknown in more places.
struct SourceDeclarations {
    private let code: SourceCode
    /// The tokens between the name of a class of Kotlin and its parameters: annotations and `constructor`, which may begin
    /// lines.
    private var headers: Set<Int> = []
    /// For the parenthesis before the parameters of a class of Kotlin, the name of the class.
    private(set) var classes: [Int: String] = [:]

    init(_ code: SourceCode) {
        self.code = code
        for index in code.tokens.indices { findHeader(index) }
    }

    /// Returns true if a declaration begins here.
    func begins(at index: Int) -> Bool {
        guard index > 0, code.isOnNewLine(index), !headers.contains(index) else { return false }
        // An arrow has an expression after it.
        if code.isSign(index - 1, ">"), code.isSign(index - 2, "-") { return false }
        if case .sign = code.tokens[index - 1].kind,
            ![")", "]", "}", ">", "?", "!"].contains(where: { code.isSign(index - 1, $0) })
        {
            return false
        }
        guard let word = code.word(index) else { return code.language != .objectiveC && code.isSign(index, "@") }
        // A variable of Java may have most of these names.
        if code.language == .java || code.language == .kotlinOrJava {
            guard let next = code.word(index + 1), next != "instanceof" else { return false }
        }
        switch word {
        case "init": return code.isSign(index + 1, "{") && isPartOfClass(index)
        case "constructor": return code.isSign(index + 1, "(") && isPartOfClass(index)
        // Without a name, it is an expression.
        case "object": return code.word(index + 1) != nil
        default: return Self.declarations.contains(word) || isModifier(index)
        }
    }

    private static let declarations: Set = [
        "abstract", "class", "extension", "fileprivate", "final", "fun", "func", "interface", "internal", "let",
        "object", "override", "private", "protected", "protocol", "public", "static", "struct", "typealias", "val",
        "var",
    ]

    private static let modifiers: Set = [
        "actual", "annotation", "companion", "const", "data", "enum", "expect", "external", "infix", "inline", "inner",
        "lateinit", "lazy", "mutating", "open", "operator", "sealed", "suspend", "tailrec", "value",
    ]

    /// Returns true for a word that may be a name too, if it is before one that declares.
    private func isModifier(_ index: Int) -> Bool {
        guard let word = code.word(index), Self.modifiers.contains(word) else { return false }
        // Kotlin has it before `class`.
        if word == "enum", !code.language.hasDollarTemplates {
            return code.word(index + 1) != nil && !code.isOnNewLine(index + 1)
        }
        var next = index + 1
        while let word = code.word(next), !code.isOnNewLine(next) {
            if Self.declarations.contains(word) { return true }
            guard Self.modifiers.contains(word) else { return false }
            next += 1
        }
        return false
    }

    /// Returns true if `init {` or `constructor(` of Kotlin is a part of a class. It may be a call of a function of that
    /// name, too, and the body of the function before it: after `else`, the condition of an `if`, or an infix function.
    private func isPartOfClass(_ index: Int) -> Bool {
        guard code.language == .kotlin, let open = code.enclosing(index), code.isSign(open, "{") else { return false }
        let last = index - 1
        if code.isSign(last, ")") { return !["if", "while", "for"].contains(code.word(code.partner(last) - 1)) }
        if let word = code.word(last) {
            // After an operand, a word may be an operator.
            let isOperand = [":", "=", ".", "+", "-", "*", "/", "%"].contains { code.isSign(last - 1, $0) }
            return isOperand && word != "throw"
        }
        // The others may end the annotations or type parameters of a class, or need a value after them.
        return !["]", ">", "!"].contains { code.isSign(last, $0) }
    }

    /// Notes the header of a class of Kotlin: `class Client @Inject constructor(…)`.
    private mutating func findHeader(_ index: Int) {
        guard code.language.hasDollarTemplates, code.word(index) == "class", let name = code.word(index + 1) else {
            return
        }
        let start = code.afterTypes(at: index + 2)
        var end = start
        while code.word(end) != "constructor", !code.isSign(end, "(") {
            if code.isSign(end, "@"), let annotation = code.word(end + 1), annotation != "class" {
                // Another class in it would look at the same tokens again.
                end += 2
                while code.isSign(end, "."), let part = code.word(end + 1), part != "class" { end += 2 }
                if code.isSign(end, "(") { end = code.skip(end) }
            } else if let word = code.word(end), ["internal", "private", "protected", "public"].contains(word) {
                end += 1
            } else {
                return
            }
        }
        if code.isSign(end, "(") {
            classes[end] = name
        } else if code.isSign(end + 1, "(") {
            headers.formUnion(start...end)
            classes[end + 1] = name
        }
    }
}
