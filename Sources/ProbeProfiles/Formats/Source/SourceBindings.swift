/// The names that a file binds to values that aren't in it, where each is visible: parameters, loop variables, parts of
/// patterns, and variables without a first value.
///
/// There, such a name hides a constant.
struct SourceBindings {
    private let code: SourceCode
    private let scopes: SourceScopes
    /// For a name, its bindings in order, where each ends before the next begins.
    private var bindings: [String: [SourceBinding]] = [:]
    /// For a name, the types that have it as a variable without a first value.
    private var owners: [String: Set<String>] = [:]
    /// The parentheses whose words are all bound, by their opening.
    private var lists: [Int: (kind: SourceBinding.Kind, scope: Range<Int>)] = [:]

    init(_ code: SourceCode, _ scopes: SourceScopes, isDefinition: (Int) -> Bool) {
        self.code = code
        self.scopes = scopes
        for (index, token) in code.tokens.enumerated() {
            switch token.kind {
            case .word("for"): bindLoop(index)
            case .word(let word):
                if ["val", "var", "let"].contains(word) { bindPattern(index) }
                bindWord(word, index, isDefinition)
            case .sign where code.isSign(index, "{"): bindHead(of: index)
            case .sign where code.isSign(index, "("):
                if let list = code.enclosing(index).flatMap({ lists[$0] }) {
                    lists[index] = list
                } else if isBeforeArrow(list: index) {
                    lists[index] = (.parameter, index..<scopes.statementEnd(from: code.skip(index)))
                }
            default: break
            }
        }
        bindings = bindings.mapValues(\.united)
    }

    /// Returns the binding that a name refers to at a token; nil if it refers to none.
    func binding(of name: String, at index: Int) -> SourceBinding? { bindings[name]?.visible(at: index) }

    /// Returns true if a type has a variable of that name without a first value.
    func hasVariable(_ name: String, in type: String) -> Bool { owners[name]?.contains(type) ?? false }

    private mutating func bind(_ name: String, _ kind: SourceBinding.Kind, at place: Int, _ scope: Range<Int>) {
        bindings[name, default: []].append(SourceBinding(kind: kind, place: place, scope: scope))
    }

    private mutating func bindWord(_ word: String, _ index: Int, _ isDefinition: (Int) -> Bool) {
        let open = code.enclosing(index)
        if let list = open.flatMap({ lists[$0] }) {
            bind(word, list.kind, at: index, list.scope)
        } else if isTypePattern(index) {
            // Java's `instanceof Type name` may be visible after its condition.
            bind(word, .pattern, at: index, scopes.block(around: index))
        } else if let open, isParameter(index) || isOfSetter(index) || code.isSign(open, "(") && isTyped(index) {
            bind(word, .parameter, at: index, scopes.parameters(in: open))
        } else if isMethodParameter(index) {
            bind(word, .parameter, at: index, index..<scopes.bodyEnd(from: index + 1))
        } else if isBeforeArrow(index) {
            bind(word, .parameter, at: index, index..<scopes.statementEnd(from: index + 1))
        } else if isTyped(index) || ["val", "var", "let"].contains(code.word(index - 1)) && !isDefinition(index) {
            // The variables of an object of Objective-C are not declared around its methods.
            let isOfFile = code.language == .objectiveC
            bind(word, .variable, at: index, isOfFile ? code.tokens.indices : scopes.block(around: index))
            owners[word, default: []].formUnion(scopes.types.names(around: index))
        }
    }

    // MARK: Parameters

    /// Returns true for `name: Type` in a list of parameters.
    private func isParameter(_ index: Int) -> Bool {
        guard let open = code.enclosing(index), code.isSign(open, "("), code.isSign(index + 1, ":"),
            !code.isSign(index + 2, ":")
        else { return false }
        // The names in the type of a function are for its readers.
        if code.language != .java, isArrow(code.skip(open)), code.language != .swift { return false }
        switch code.language {
        // A call has labels too.
        case .swift: return isParameterList(open)
        case .objectiveC: return false
        // Java's conditions have a sign before the value; there, `)` is the end of a cast, and in Kotlin of an annotation.
        case .java: return code.word(index - 1) != nil
        case .kotlin, .kotlinOrJava:
            return code.word(index - 1) != nil || ["(", ",", ")"].contains { code.isSign(index - 1, $0) }
        }
    }

    /// Returns true for the parameter of Kotlin's `set(name) {…}`, which needs no type.
    private func isOfSetter(_ index: Int) -> Bool {
        guard let open = code.enclosing(index), code.language == .kotlin || code.language == .kotlinOrJava,
            code.word(open - 1) == "set", !code.isSign(open - 2, "."), code.partner(open) == open + 2
        else { return false }
        return ["{", "="].contains { code.isSign(open + 3, $0) }
    }

    /// Returns true if a bracket opens the parameters of a function of Swift.
    private func isParameterList(_ open: Int) -> Bool {
        var index = open - 1
        if code.isSign(index, ">") {
            // Generic parameters are few and short.
            while open - index < 64, !code.isSign(index, "<") { index -= 1 }
            index -= 1
        }
        if code.isSign(index, "?") || code.isSign(index, "!") { index -= 1 }
        switch code.word(index) {
        case "init"?, "subscript"?: return !code.isSign(index - 1, ".")
        case nil: return false
        default: return code.word(index - 1) == "func"
        }
    }

    /// Returns true for `Type name` of Java and Objective-C, as a parameter or without a value.
    private func isTyped(_ index: Int) -> Bool {
        guard code.language != .kotlin, code.language != .swift, code.isAfterType(index) else { return false }
        if let open = code.enclosing(index), code.isSign(open, "(") {
            return [",", ")", ":", "=", "["].contains { code.isSign(index + 1, $0) }
        }
        // Without a value, a constant of Objective-C is only declared; and a property is used by its object's name.
        return code.isSign(index + 1, ";") && code.word(index - 1) != "const" && !isDeclaredOnly(index)
    }

    /// Returns true for `extern NSString *name;`, in which a macro may stand for the word, and for `@property`.
    private func isDeclaredOnly(_ index: Int) -> Bool {
        guard code.language == .objectiveC else { return false }
        var start = index - 1
        // The type of a property may have a few types in brackets of its own.
        while start >= 0, index - start < 32, ![";", "{", "}"].contains(where: { code.isSign(start, $0) }) {
            if let word = code.word(start) {
                if word == "extern" || word.hasSuffix("EXTERN") || word.hasSuffix("EXPORT") { return true }
                if word == "property", code.isSign(start - 1, "@") { return true }
            }
            start -= 1
        }
        return false
    }

    /// Returns true for the name in Java's `instanceof Type name` and `case Type name`.
    private func isTypePattern(_ index: Int) -> Bool {
        guard code.language == .java || code.language == .kotlinOrJava else { return false }
        return ["instanceof", "case"].contains(code.word(index - 2)) && code.word(index - 1) != nil
            || code.word(index - 2) == "final" && code.word(index - 3) == "instanceof"
    }

    /// Returns true for the name after `:(Type)` in a method of Objective-C, which is outside of all brackets.
    private func isMethodParameter(_ index: Int) -> Bool {
        code.language == .objectiveC && code.enclosing(index) == nil && code.isSign(index - 1, ")")
            && code.isSign(code.partner(index - 1) - 1, ":")
    }

    // MARK: Functions without a name

    private func isArrow(_ index: Int) -> Bool { code.isSign(index, "-") && code.isSign(index + 1, ">") }

    /// True if a function without a name may stand outside of braces.
    private var hasBareFunctions: Bool { code.language == .java || code.language == .kotlinOrJava }

    /// Returns true for Java's `name -> …`; the name before the arrow of a `when` or `case` is a value.
    private func isBeforeArrow(_ index: Int) -> Bool {
        guard hasBareFunctions, isArrow(index + 1) else { return false }
        if code.isSign(index - 1, "(") || code.isSign(index - 1, "=") || code.word(index - 1) == "return" {
            return true
        }
        return code.isSign(index - 1, ",") && code.enclosing(index).map { code.isSign($0, "(") } ?? false
    }

    /// Returns true for Java's `(name, other) -> …`. After a function's name there are arguments, and in a `when` of
    /// Kotlin a condition may have parentheses.
    private func isBeforeArrow(list open: Int) -> Bool {
        guard hasBareFunctions, isArrow(code.skip(open)), code.word(open - 1) == nil || code.word(open - 1) == "return"
        else { return false }
        // The type of a function of Kotlin.
        guard code.language == .java || !code.isSign(open - 1, ":") || !code.isSign(open + 2, ":") else { return false }
        return code.language == .java || !(code.enclosing(open).map(hasBranches) ?? false)
    }

    /// Binds the parameters with which a block begins: to `->` in Kotlin, and to `in` in Swift.
    private mutating func bindHead(of open: Int) {
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

    // MARK: Patterns

    /// Binds the names between `for` and `in` or `:`.
    private mutating func bindLoop(_ start: Int) {
        let scope = start..<scopes.bodyEnd(from: start + 1)
        var index = start + 1
        while true {
            if let word = code.word(index) {
                guard word != "in", word != "for" else { return }
                bind(word, .loop, at: index, scope)
            } else if !["(", ")", ",", "?", "*", "<", ">", "."].contains(where: { code.isSign(index, $0) }) {
                return
            }
            index += 1
        }
    }

    /// Binds the names of `val (name, other)`, and of Swift's `let .item(name)` and `let Type.item(name)`.
    private mutating func bindPattern(_ start: Int) {
        var open = start + 1
        if code.language == .swift {
            if code.word(open) != nil, code.isSign(open + 1, ".") { open += 1 }
            if code.isSign(open, "."), code.word(open + 1) != nil { open += 2 }
        }
        if code.isSign(open, "(") { lists[open] = (.pattern, scopes.block(around: open)) }
    }
}
