/// The variables that are declared without a value and get it in one place, where the language lets code assign them only
/// once: Kotlin's `val`, Java's `final` and Swift's `let`.
///
/// Wherever such a variable can be used, it has that value.
struct SourceInitialisers {
    private let code: SourceCode
    private let scopes: SourceScopes
    private let definitions: SourceDefinitions
    /// True if a type of the file may be made of data, which gives its variables other values.
    private let hasDecoding: Bool

    init(_ code: SourceCode, _ scopes: SourceScopes, _ definitions: SourceDefinitions) {
        self.code = code
        self.scopes = scopes
        self.definitions = definitions
        hasDecoding = code.tokens.contains { token in
            token.word.map { ["Codable", "Decodable", "Serializable"].contains($0) } ?? false
        }
    }

    /// Returns true if the variable that a token declares without a value gets it in one place.
    func isAssignedOnce(_ index: Int) -> Bool {
        guard code.language != .objectiveC, let name = code.word(index), definitions.isFixed(at: index),
            code.word(index + 1) == nil || code.isOnNewLine(index + 1), !isOverridable(index),
            let body = scopes.brace(around: index)
        else { return false }
        let all = definitions.all(of: name)
        // A name with more definitions has no value anyway.
        guard all.count <= 4 else { return false }
        let places = all.map(\.place).filter { $0 > body && $0 < code.partner(body) }
        guard places.count == 1, let place = places.first, isAssignment(place),
            let block = block(around: place, in: body)
        else { return false }
        guard scopes.owners[body] != nil else { return !isDeclared(name, in: index + 1, before: place) }
        return !hasDecoding && block != body && isInitialiser(block, of: body)
            && !isDeclared(name, in: block, before: place)
    }

    /// Returns true if a subtype or another file may give the property its value.
    private func isOverridable(_ index: Int) -> Bool {
        var place = index - 2
        while place > index - 10, let word = code.word(place) {
            if ["abstract", "actual", "expect", "external", "open", "override"].contains(word) { return true }
            place -= 1
        }
        return false
    }

    /// Returns true for a name at the start of a statement, so that the statement is not a declaration.
    private func isAssignment(_ place: Int) -> Bool {
        code.isOnNewLine(place) || code.word(place - 1) == "else"
            || [";", "{", "}", ")"].contains { code.isSign(place - 1, $0) }
    }

    /// Returns the outermost bracket around a token within a body; nil if a type is in between, whose own variable it may
    /// be.
    private func block(around place: Int, in body: Int) -> Int? {
        var block = place
        while let open = code.enclosing(block), open != body {
            guard scopes.owners[open] == nil else { return nil }
            block = open
        }
        return block == place ? body : block
    }

    /// Returns true if another variable of that name may be declared before a token.
    private func isDeclared(_ name: String, in start: Int, before place: Int) -> Bool {
        guard start < place else { return false }
        // Each variable of a long body would look through all of it.
        guard place - start <= 4096 else { return true }
        return (start..<place).contains { index in
            code.word(index) == name && (code.word(index - 1) != nil || code.isSign(index - 1, ">"))
        }
    }

    /// Returns true for the block that runs when an object of the type is made.
    private func isInitialiser(_ open: Int, of body: Int) -> Bool {
        guard code.isSign(open, "{") else { return false }
        let hasBareBlocks = code.language == .java || code.language == .kotlinOrJava
        var index = open - 1
        // Longer headers are not of code that people write.
        while index >= body, open - index < 64 {
            if [";", "{", "}"].contains(where: { code.isSign(index, $0) }) {
                return hasBareBlocks && index == open - 1
            }
            switch code.word(index) {
            case "init"?, "constructor"?: return true
            case "static"? where index == open - 1: return hasBareBlocks
            case "fun"?, "func"?, "get"?, "let"?, "set"?, "val"?, "var"?: return false
            default: break
            }
            guard code.isSign(index, ")") else {
                index -= 1
                continue
            }
            index = code.partner(index) - 1
            if hasBareBlocks, let name = code.word(index), name == scopes.owners[body] { return true }
        }
        return false
    }
}
