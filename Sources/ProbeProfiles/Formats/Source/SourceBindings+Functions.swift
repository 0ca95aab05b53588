/// The parameters of functions without a name.
extension SourceBindings {
    func isArrow(_ index: Int) -> Bool { code.isSign(index, "-") && code.isSign(index + 1, ">") }

    /// True if a function without a name may stand outside of braces.
    private var hasBareFunctions: Bool { code.language == .java || code.language == .kotlinOrJava }

    /// Returns true for Java's `name -> …`; the name before the arrow of a `when` or `case` is a value.
    func isBeforeArrow(_ index: Int) -> Bool {
        guard hasBareFunctions, isArrow(index + 1) else { return false }
        if code.isSign(index - 1, "(") || code.isSign(index - 1, "=") || code.word(index - 1) == "return" {
            return true
        }
        return code.isSign(index - 1, ",") && code.enclosing(index).map { code.isSign($0, "(") } ?? false
    }

    /// Returns true for Java's `(name, other) -> …`. After a function's name there are arguments, and in a `when` of
    /// Kotlin a condition may have parentheses.
    func isBeforeArrow(list open: Int) -> Bool {
        guard hasBareFunctions, isArrow(code.skip(open)), code.word(open - 1) == nil || code.word(open - 1) == "return"
        else { return false }
        // The type of a function of Kotlin.
        guard code.language == .java || !code.isSign(open - 1, ":") || !code.isSign(open + 2, ":") else { return false }
        return code.language == .java || !(code.enclosing(open).map(hasBranches) ?? false)
    }

    /// Binds the parameters with which a block begins: to `->` in Kotlin, and to `in` in Swift.
    mutating func bindHead(of open: Int) {
        let isSwift = code.language == .swift
        guard code.language != .objectiveC, !hasBranches(open) else { return }
        var (index, words, brackets) = (open + 1, [Int](), [Int]())
        // Swift's captures.
        if isSwift, code.isSign(index, "[") { index = code.skip(index) }
        while isSwift ? code.word(index) != "in" : !isArrow(index) {
            if let word = code.word(index) {
                guard !Self.statements.contains(word) else { return }
                words.append(index)
            } else if code.isSign(index, "(") {
                // Arguments, or what a value is cast to: this is a statement.
                guard code.word(index - 1) == nil || code.isSign(index - 2, "@") else { return }
                brackets.append(index)
                // The type of a parameter may be a function.
                if code.isSign(index - 1, ":"), isArrow(code.skip(index)) { index = code.skip(index) }
            } else if !["[", ",", ":", "?", ".", "<", ">", "@", "-", "&"].contains(where: { code.isSign(index, $0) }) {
                return
            }
            index = code.skip(index)
        }
        let scope = open..<code.skip(open)
        for place in words { code.word(place).map { bind($0, .parameter, at: place, scope) } }
        for bracket in brackets { lists[bracket] = (.parameter, scope) }
    }

    /// Words with which a statement begins, so that a block has no parameters before them.
    private static let statements: Set = [
        "for", "fun", "func", "val", "var", "let", "class", "object", "interface", "if", "guard", "while", "switch",
        "when", "case", "as", "is",
    ]

    /// Returns true for the block of a `when` or `switch`, which has values before its arrows.
    private func hasBranches(_ open: Int) -> Bool {
        let before = code.isSign(open - 1, ")") ? code.partner(open - 1) - 1 : open - 1
        return code.word(before) == "when" || code.word(before) == "switch"
    }
}
