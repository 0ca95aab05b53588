/// The parts of a file in which its parameters and variables are visible, and the types with their bodies.
///
/// If the end of such a part is not certain, a later one is taken: a name is then unknown in more places.
struct SourceScopes {
    private let code: SourceCode
    /// For a token after a list of parameters, the end of the body that follows.
    private var bodyEnds: [Int]
    /// For a token of an expression, the end of its statement.
    private var statementEnds: [Int]
    /// For the brace around a type's members, the name of the type.
    private(set) var owners: [Int: String] = [:]
    /// The types whose members are visible in other bodies of the file: in those of their subtypes and extensions.
    private var inherited: Set<String> = []
    private let declarations: SourceDeclarations

    init(_ code: SourceCode) {
        self.code = code
        declarations = SourceDeclarations(code)
        let count = code.tokens.count
        bodyEnds = [Int](repeating: count, count: count + 1)
        statementEnds = bodyEnds
        for index in code.tokens.indices.reversed() {
            if [";", ")", "]", "}"].contains(where: { code.isSign(index, $0) }) || declarations.begins(at: index) {
                (bodyEnds[index], statementEnds[index]) = (index, index)
                continue
            }
            let next = code.skip(index)
            statementEnds[index] = statementEnds[next]
            if code.isSign(index, "{") {
                bodyEnds[index] = isContinued(at: next) ? bodyEnds[next] : next
            } else {
                bodyEnds[index] = code.isSign(index, "=") ? statementEnds[next] : bodyEnds[next]
            }
        }
        for index in code.tokens.indices {
            findBody(index)
            findReceiver(index)
        }
    }

    /// Returns the end of the body that follows: a block or, after `=`, an expression.
    func bodyEnd(from index: Int) -> Int { bodyEnds[min(index, code.tokens.count)] }

    /// Returns the end of the statement that an expression is in.
    func statementEnd(from index: Int) -> Int { statementEnds[min(index, code.tokens.count)] }

    /// Returns the block around a token, or the whole file if none is or if its names are inherited.
    func block(around index: Int) -> Range<Int> {
        guard let open = brace(around: index), !(owners[open].map(inherited.contains) ?? false) else {
            return 0..<code.tokens.count
        }
        return open..<code.skip(open)
    }

    /// Returns the part in which the parameters of a list are visible: the list, and the body after it.
    func parameters(in open: Int) -> Range<Int> {
        // The properties in a constructor are members.
        if let name = declarations.classes[open], inherited.contains(name) { return 0..<code.tokens.count }
        return open..<bodyEnd(from: code.skip(open))
    }

    /// Returns the types around a token.
    func types(around index: Int) -> [String] {
        var (inner, types) = (index, [String]())
        while let open = code.enclosing(inner) {
            if let name = owners[open] { types.append(name) }
            inner = open
        }
        return types
    }

    private func brace(around index: Int) -> Int? {
        var inner = index
        while let open = code.enclosing(inner) {
            if code.isSign(open, "{") { return open }
            inner = open
        }
        return nil
    }

    private func isContinued(at index: Int) -> Bool {
        code.word(index) == "else" || [".", "?", "!"].contains { code.isSign(index, $0) }
    }

    // MARK: Types

    /// Returns the words before the name of a type.
    static func types(of language: SourceLanguage) -> Set<String> {
        // The other languages use `actor` as a name.
        language == .swift ? typesOfSwift : commonTypes
    }

    private static let commonTypes: Set = ["class", "object", "interface", "enum", "struct", "extension", "record"]
    private static let typesOfSwift = commonTypes.union(["actor"])

    /// Notes the body of the type that is declared here, and the types that it inherits from.
    private mutating func findBody(_ index: Int) {
        guard let word = code.word(index), Self.types(of: code.language).contains(word),
            var name = code.word(index + 1),
            word != "actor" || name != "in"
        else { return }
        if word == "extension" {
            var part = index + 1
            // Types are not nested deeper in code that people write.
            while part < index + 32, code.isSign(part + 1, "."), let inner = code.word(part + 2) {
                (part, name) = (part + 2, inner)
            }
            inherited.insert(name)
        }
        let end = bodyEnd(from: index + 2)
        guard code.isSign(end - 1, "}"), code.partner(end - 1) > index else { return }
        let open = code.partner(end - 1)
        owners[open] = name
        var part = index + 2
        // Longer headers are not of code that people write.
        while part < open, part < index + 256 {
            if let type = code.word(part),
                code.isSign(part - 1, ":") || code.isSign(part - 1, ",") || code.word(part - 1) == "extends"
            {
                inherited.insert(type)
            }
            part = code.skip(part)
        }
    }

    /// Notes the type before the name of an extension of Kotlin, which sees its members: `fun Client.pinner() = …`.
    private mutating func findReceiver(_ index: Int) {
        guard code.language.hasDollarTemplates, ["fun", "val", "var"].contains(code.word(index)) else { return }
        var part = code.afterTypes(at: index + 1)
        // Longer ones are not of code that people write.
        while part < index + 256, let type = code.word(part) {
            var next = code.afterTypes(at: part + 1)
            if code.isSign(next, "?") { next += 1 }
            guard code.isSign(next, ".") else { return }
            inherited.insert(type)
            part = next + 1
        }
    }
}
