/// The places where a file gives a name its value.
struct SourceDefinitions {
    /// One of them, by its tokens.
    struct Definition {
        let place: Int
        /// The start of the value.
        let value: Int
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
    private var definitions: [String: [Definition]] = [:]
    private var names: [Int: Set<String>] = [:]

    init(_ code: SourceCode) {
        self.code = code
        for index in code.tokens.indices {
            guard let word = code.word(index), let start = valueStart(of: index) else { continue }
            definitions[word, default: []].append(Definition(place: index, value: start))
            names[start, default: []].insert(word)
        }
    }

    func all(of name: String) -> [Definition] { definitions[name] ?? [] }

    /// Returns the names whose value starts at a token.
    func names(ofValueAt start: Int) -> Set<String> { names[start] ?? [] }

    /// Returns the start of a definition's value; nil if the word is not defined there.
    ///
    /// Between parentheses, `=` names an argument or gives a default that a caller may replace.
    func valueStart(of index: Int) -> Int? {
        if code.word(index - 1) == "define", code.isSign(index - 2, "#") { return index + 1 }
        if let open = code.enclosing(index), !code.isSign(open, "{") { return nil }
        guard !code.isSign(index - 1, ".") else { return nil }
        var next = index + 1
        if code.isSign(next, ":") {
            // The type of a Kotlin or Swift constant: words, dots and brackets. A new line starts another statement. A
            // colon starts the next type, so that each token of a line is looked at once.
            let type = next + 1
            next = type
            while code.word(next) != nil || ["<", ">", ".", "?", "["].contains(where: { code.isSign(next, $0) }),
                next == type || !code.isOnNewLine(next)
            {
                next = code.skip(next)
            }
        }
        while code.isSign(next, "["), code.partner(next) == next + 1 { next += 2 }
        return code.isSign(next, "=") && !code.isSign(next + 1, "=") ? next + 1 : nil
    }

    /// Returns true if the language keeps code from assigning the name again.
    func isFixed(_ definition: Definition) -> Bool {
        let place = definition.place
        switch code.language {
        case .swift: return code.word(place - 1) == "let"
        case .kotlin: return code.word(place - 1) == "val"
        case .java: return isFinal(place)
        case .kotlinOrJava: return code.word(place - 1) == "val" || isFinal(place)
        case .objectiveC: return ["const", "define"].contains(code.word(place - 1))
        }
    }

    /// Returns true if `final` is before the type of a variable of Java.
    private func isFinal(_ place: Int) -> Bool {
        var index = place - 1
        while index > place - 16,
            code.word(index) != nil || ["[", "]", "<", ">", "."].contains(where: { code.isSign(index, $0) })
        {
            if code.word(index) == "final" { return true }
            index -= 1
        }
        return false
    }

    func content(of definition: Definition) -> Content {
        let start = definition.value
        guard code.tokens.indices.contains(start) else { return .changeable }
        if case .text = code.tokens[start].kind { return .text }
        if code.isSign(start, "@"), code.tokens.indices.contains(start + 1),
            case .text = code.tokens[start + 1].kind
        {
            return .text
        }
        switch code.word(start) {
        case "listOf"?, "setOf"?: return .unchangeable
        case "List"?, "Set"?: return code.word(start + 2) == "of" ? .unchangeable : .changeable
        case "arrayOf"?, "new"?: return .array
        default: return code.isSign(start, "{") ? .array : .changeable
        }
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
            guard left > 0, let name = code.word(end), code.endsExpression(at: end + 1), all(of: name).count == 1,
                let next = all(of: name).first
            else { return false }
            if content(of: next) == .text { return true }
            definition = next
            left -= 1
        }
        return false
    }
}
