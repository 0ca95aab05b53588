/// The places where a file gives a name its value.
struct SourceDefinitions {
    /// One of them, by its tokens.
    struct Definition {
        let name: String
        let place: Int
        /// The start of the value.
        let value: Int
        /// The brace of the block in which it holds; nil for the whole file.
        let brace: Int?
    }

    /// The sort of a value, as far as it shows what could change it.
    enum Content: Equatable {
        case text
        /// A list without methods that change it.
        case unchangeable
        /// A list of fixed length, whose elements may be replaced.
        case array
        case changeable
    }

    private let code: SourceCode
    /// The declarations with a value, in order.
    private(set) var declared: [Definition] = []
    private var byName: [String: [Definition]] = [:]
    /// Declarations and assignments by the starts of their values.
    private var byValue: [Int: Definition] = [:]
    /// For a name, the places where a subtype overrides it.
    private(set) var overrides: [String: [Int]] = [:]

    init(_ code: SourceCode) {
        self.code = code
        for index in code.tokens.indices {
            guard let word = code.word(index) else { continue }
            if ["val", "var"].contains(code.word(index - 1)), hasModifier("override", index) {
                overrides[word, default: []].append(index)
            }
            guard let start = valueStart(of: index) else { continue }
            let brace = isMacro(index) ? nil : code.brace(around: index)
            let definition = Definition(name: word, place: index, value: start, brace: brace)
            byValue[start] = definition
            guard isDeclaration(index) else { continue }
            declared.append(definition)
            byName[word, default: []].append(definition)
        }
    }

    /// Returns the declarations of a name with a value, in order.
    func all(of name: String) -> [Definition] { byName[name] ?? [] }

    /// Returns the declaration or assignment whose value starts at a token.
    func definition(ofValueAt start: Int) -> Definition? { byValue[start] }

    /// Returns the start of the value that a name is declared with or assigned; nil for another word.
    ///
    /// Between parentheses, `=` names an argument or gives a default that a caller may replace.
    func valueStart(of index: Int) -> Int? {
        if isMacro(index) { return index + 1 }
        if let open = code.enclosing(index), !code.isSign(open, "{") { return nil }
        guard !code.isSign(index - 1, ".") else { return nil }
        var next = index + 1
        if code.isSign(next, ":") {
            // In a `switch`, the end of a case.
            guard
                ["val", "var", "let"].contains(code.word(index - 1)) && code.word(index - 2) != "case"
                    || code.language == .swift && code.isSign(index - 1, ",")
            else { return nil }
            // The type of a Kotlin or Swift constant: words, dots and brackets. A new line starts another statement.
            let type = next + 1
            next = type
            while code.word(next) != nil || ["<", ">", ".", "?", "["].contains(where: { code.isSign(next, $0) }),
                next == type || !code.isOnNewLine(next)
            { next = code.skip(next) }
        }
        while code.isSign(next, "["), code.partner(next) == next + 1 { next += 2 }
        return code.isSign(next, "=") && !code.isSign(next + 1, "=") ? next + 1 : nil
    }

    /// Returns true if a name with a value is declared there, and not assigned.
    func isDeclaration(_ index: Int) -> Bool {
        if isMacro(index) || code.isSign(index - 1, ",") { return true }
        let isAfterKeyword = ["val", "var", "let"].contains(code.word(index - 1))
        switch code.language {
        case .kotlin: return isAfterKeyword
        case .swift: return isAfterKeyword || isCase(index)
        case .java, .objectiveC: return code.isAfterType(index)
        case .kotlinOrJava: return isAfterKeyword || code.isAfterType(index) && !code.isOnNewLine(index)
        }
    }

    /// Returns true after `case` of an enumeration or `switch` of Swift, and not of a condition.
    func isCase(_ index: Int) -> Bool {
        code.word(index - 1) == "case" && !code.isSign(index - 2, ",")
            && !["for", "guard", "if", "while"].contains(code.word(index - 2))
    }

    /// Returns true for the name in `#define NAME`, which is defined beyond its block.
    private func isMacro(_ index: Int) -> Bool { code.word(index - 1) == "define" && code.isSign(index - 2, "#") }

    /// Returns true if the language keeps code from assigning the name again.
    func isFixed(_ definition: Definition) -> Bool {
        let place = definition.place
        switch code.language {
        case .swift: return code.word(place - 1) == "let"
        case .kotlin: return code.word(place - 1) == "val"
        case .java: return hasModifier("final", place)
        case .kotlinOrJava: return code.word(place - 1) == "val" || hasModifier("final", place)
        case .objectiveC: return ["const", "define"].contains(code.word(place - 1))
        }
    }

    /// Returns true for Swift's `if let name = value`, which holds in the block after it alone.
    func isCondition(_ definition: Definition) -> Bool {
        let place = definition.place
        guard code.language == .swift, ["let", "var"].contains(code.word(place - 1)) else { return false }
        return code.isSign(place - 2, ",") || ["case", "if", "while"].contains(code.word(place - 2))
    }

    /// Returns true if a subtype may override a member.
    func isOverridable(_ definition: Definition) -> Bool {
        let place = definition.place
        switch code.language {
        case .kotlin, .kotlinOrJava: return ["open", "override"].contains { hasModifier($0, place) }
        case .swift: return code.word(place - 1) == "var" && !["static", "final"].contains { hasModifier($0, place) }
        case .java, .objectiveC: return false
        }
    }

    /// Returns true if a modifier is before the type of a variable, or before Kotlin's `val` and the like.
    func hasModifier(_ modifier: String, _ place: Int) -> Bool {
        var index = place - 1
        while index > place - 16,
            code.word(index) != nil || ["[", "]", "<", ">", "."].contains(where: { code.isSign(index, $0) })
        {
            if code.word(index) == modifier { return true }
            index -= 1
        }
        return false
    }

    func content(of definition: Definition) -> Content {
        let start = definition.value
        guard code.tokens.indices.contains(start) else { return .changeable }
        if case .text = code.tokens[start].kind { return .text }
        if code.isSign(start, "@"), code.tokens.indices.contains(start + 1), case .text = code.tokens[start + 1].kind {
            return .text
        }
        switch code.word(start) {
        case "listOf"?, "setOf"?: return .unchangeable
        case "List"?, "Set"?: return code.word(start + 2) == "of" ? .unchangeable : .changeable
        case "arrayOf"?, "new"?: return .array
        default: return code.isSign(start, "{") ? .array : .changeable
        }
    }

    /// Returns true if a value is a list that stays the same object by another name, and so changes by that too.
    func isShared(_ definition: Definition) -> Bool {
        content(of: definition) == .array
            || ["arrayListOf", "mutableListOf", "mutableSetOf"].contains(code.word(definition.value))
    }

    /// Returns true if the value is only the name of a text, perhaps after its type and through other names:
    /// `val host = Constants.HOST`.
    func isNameOfText(_ definition: Definition) -> Bool {
        var definition = definition
        // The maximum number of names in all: no constant needs more.
        var left = 16
        while isFixed(definition) {
            var end = definition.value
            while left > 0, code.word(end) != nil, code.isSign(end + 1, "."), code.word(end + 2) != nil {
                end += 2
                left -= 1
            }
            guard left > 0, let name = code.word(end), code.endsExpression(at: end + 1) else { return false }
            let all = all(of: name)
            guard let next = all.first, all.count <= 16 else { return false }
            if all.allSatisfy({ content(of: $0) == .text }) { return true }
            guard all.count == 1 else { return false }
            definition = next
            left -= 1
        }
        return false
    }
}
