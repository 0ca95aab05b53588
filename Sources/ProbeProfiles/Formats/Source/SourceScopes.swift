/// The parts of a file in which its parameters and variables are visible, and the types with their bodies.
///
/// If the end of such a part is not certain, a later one is taken: a name is then unknown in more places.
struct SourceScopes {
    private let code: SourceCode
    /// For a token after a list of parameters, the end of the body that follows.
    private let bodyEnds: [Int]
    /// For a token of an expression, the end of its statement.
    private let statementEnds: [Int]
    private let declarations: SourceDeclarations
    let types: SourceTypes

    init(_ code: SourceCode) {
        self.code = code
        declarations = SourceDeclarations(code)
        let count = code.tokens.count
        var bodyEnds = [Int](repeating: count, count: count + 1)
        var statementEnds = bodyEnds
        for index in code.tokens.indices.reversed() {
            if [";", ")", "]", "}"].contains(where: { code.isSign(index, $0) }) || declarations.begins(at: index) {
                (bodyEnds[index], statementEnds[index]) = (index, index)
                continue
            }
            let next = code.skip(index)
            statementEnds[index] = statementEnds[next]
            if code.isSign(index, "{") {
                bodyEnds[index] = Self.isContinued(at: next, code) ? bodyEnds[next] : next
            } else {
                bodyEnds[index] = code.isSign(index, "=") ? statementEnds[next] : bodyEnds[next]
            }
        }
        (self.bodyEnds, self.statementEnds) = (bodyEnds, statementEnds)
        types = SourceTypes(code) { bodyEnds[min($0, count)] }
    }

    /// Returns the end of the body that follows: a block or, after `=`, an expression.
    func bodyEnd(from index: Int) -> Int { bodyEnds[min(index, code.tokens.count)] }

    /// Returns the end of the statement that an expression is in.
    func statementEnd(from index: Int) -> Int { statementEnds[min(index, code.tokens.count)] }

    /// Returns the block in which a name is visible that is declared at a token: the one around it, that of the type for a
    /// companion, and the whole file if none is or if the type's names are inherited.
    func block(around index: Int) -> Range<Int> {
        guard var open = code.brace(around: index) else { return code.tokens.indices }
        if types.companions.contains(open) { open = code.brace(around: open) ?? open }
        guard !(types.name(of: open).map(types.inherited.contains) ?? false) else { return code.tokens.indices }
        return open..<code.skip(open)
    }

    /// Returns the part in which the parameters of a list are visible: the list, and the body after it.
    func parameters(in open: Int) -> Range<Int> {
        // The properties in a constructor are members.
        if let name = declarations.classes[open], types.inherited.contains(name) { return code.tokens.indices }
        return open..<bodyEnd(from: code.skip(open))
    }

    private static func isContinued(at index: Int, _ code: SourceCode) -> Bool {
        code.word(index) == "else" || [".", "?", "!"].contains { code.isSign(index, $0) }
    }
}
