/// The names that a file binds to values that aren't in it, where each is visible: parameters, loop variables, parts of
/// patterns, and variables without a first value.
///
/// There, such a name hides a constant.
struct SourceBindings {
    let code: SourceCode
    let scopes: SourceScopes
    /// For a name, its bindings in order, where each ends before the next begins.
    private var bindings: [String: [SourceBinding]] = [:]
    /// For a name, the types that have it as a variable without a first value.
    private var owners: [String: Set<String>] = [:]
    /// The parentheses whose words are all bound, by their opening.
    var lists: [Int: (kind: SourceBinding.Kind, scope: Range<Int>)] = [:]

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

    mutating func bind(_ name: String, _ kind: SourceBinding.Kind, at place: Int, _ scope: Range<Int>) {
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
