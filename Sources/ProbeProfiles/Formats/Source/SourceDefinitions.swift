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
    func isFixed(at place: Int) -> Bool {
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

    func content(of definition: Definition) -> Content { content(at: definition.value, depth: 0) }

    private func content(at first: Int, depth: Int) -> Content {
        var start = first
        while code.isSign(start, "(") { start += 1 }
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
        default: return code.isSign(start, "{") ? .array : named(at: start, depth) ?? .changeable
        }
    }

    /// Returns the content of a value that is another name of the file, perhaps after its type, or a sum that begins with
    /// one: `val host = Constants.HOST` is a text if that is.
    private func named(at start: Int, _ depth: Int) -> Content? {
        var end = start
        while code.word(end) != nil, code.isSign(end + 1, "."), code.word(end + 2) != nil { end += 2 }
        guard depth < 16, let name = code.word(end), code.endsExpression(at: end + 1) || code.isSign(end + 1, "+"),
            all(of: name).count == 1, let definition = all(of: name).first
        else { return nil }
        return content(at: definition.value, depth: depth + 1)
    }
}
