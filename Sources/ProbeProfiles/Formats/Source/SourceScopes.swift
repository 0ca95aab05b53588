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
    /// The types whose members others in the file inherit.
    private var inherited: Set<String> = []
    /// The tokens between the name of a class of Kotlin and its parameters: annotations and `constructor`, which may begin
    /// lines.
    private var headers: Set<Int> = []

    init(_ code: SourceCode) {
        self.code = code
        let count = code.tokens.count
        bodyEnds = [Int](repeating: count, count: count + 1)
        statementEnds = bodyEnds
        for index in code.tokens.indices { findHeader(index) }
        for index in code.tokens.indices.reversed() {
            if [";", ")", "]", "}"].contains(where: { code.isSign(index, $0) }) || isDeclaration(index) {
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
        for index in code.tokens.indices { findBody(index) }
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
        if let name = code.word(open - 1), code.word(open - 2) == "class", inherited.contains(name) {
            return 0..<code.tokens.count
        }
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

    /// Returns the brace of the innermost type around a token.
    func typeBody(around index: Int) -> Int? {
        var inner = index
        while let open = code.enclosing(inner) {
            if owners[open] != nil { return open }
            inner = open
        }
        return nil
    }

    /// Returns true if a token declares a member of a type or of an object, and not a local variable.
    func isMember(_ index: Int) -> Bool { brace(around: index).map { owners[$0] != nil || isObject($0) } ?? false }

    /// Returns true for the brace of `companion object {`.
    func isCompanion(_ open: Int) -> Bool { code.word(open - 1) == "object" && code.word(open - 2) == "companion" }

    /// Returns true for the brace of an object of Kotlin without a name, perhaps with types after a colon.
    private func isObject(_ open: Int) -> Bool {
        var index = open - 1
        // Longer headers are not of code that people write.
        while index >= 0, open - index < 64 {
            if code.word(index) == "object" { return true }
            guard code.word(index) != nil || [")", ":", ",", ".", "<", ">"].contains(where: { code.isSign(index, $0) })
            else { return false }
            index = code.isSign(index, ")") ? code.partner(index) - 1 : index - 1
        }
        return false
    }

    /// Returns true if the body of Java's `new Type(…) {…}`, where `this` is another object, is around a token of a type.
    func isInAnonymousClass(_ index: Int, of body: Int) -> Bool {
        var inner = index
        while let open = code.enclosing(inner), open != body {
            if code.isSign(open, "{"), code.isSign(open - 1, ")") {
                var start = code.partner(open - 1) - 1
                while code.word(start) != nil || [".", "<", ">", ","].contains(where: { code.isSign(start, $0) }) {
                    if code.word(start) == "new" { return true }
                    start -= 1
                }
            }
            inner = open
        }
        return false
    }

    /// Returns the brace around a token; nil at the top level.
    func brace(around index: Int) -> Int? {
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

    // MARK: Declarations

    /// Returns true if a declaration begins here, on a line of its own and after a whole expression.
    private func isDeclaration(_ index: Int) -> Bool {
        guard index > 0, code.isOnNewLine(index), !headers.contains(index) else { return false }
        if case .sign = code.tokens[index - 1].kind,
            ![")", "]", "}", ">", "?", "!"].contains(where: { code.isSign(index - 1, $0) })
        {
            return false
        }
        guard let word = code.word(index) else { return code.language != .objectiveC && code.isSign(index, "@") }
        // Parts of a class of Kotlin.
        if code.language.hasDollarTemplates {
            if word == "init" { return code.isSign(index + 1, "{") }
            if word == "constructor" { return code.isSign(index + 1, "(") }
        }
        // These may be names too.
        if Self.modifiers.contains(word) { return code.word(index + 1) != nil && !code.isOnNewLine(index + 1) }
        return Self.declarations.contains(word)
    }

    private static let declarations: Set = [
        "abstract", "class", "extension", "fileprivate", "final", "fun", "func", "interface", "internal", "let",
        "object", "override", "private", "protected", "protocol", "public", "static", "struct", "typealias", "val",
        "var",
    ]

    private static let modifiers: Set = [
        "actual", "annotation", "companion", "const", "data", "enum", "expect", "external", "infix", "inline", "inner",
        "lateinit", "lazy", "mutating", "open", "operator", "record", "sealed", "suspend", "tailrec", "value",
    ]

    /// The words before the name of a type.
    static let types: Set = ["class", "object", "interface", "enum", "struct", "extension", "record"]

    /// Notes the part of a class's header that may begin lines without being another declaration:
    /// `class Client @Inject constructor(…)`.
    private mutating func findHeader(_ index: Int) {
        guard code.language.hasDollarTemplates, code.word(index) == "class", code.word(index + 1) != nil else { return }
        var end = index + 2
        if code.isSign(end, "<") {
            while end < index + 64, !code.isSign(end, ">") { end += 1 }
            while code.isSign(end, ">") { end += 1 }
        }
        let start = end
        while code.word(end) != "constructor" {
            if code.isSign(end, "@"), code.word(end + 1) != nil {
                end += 2
                while code.isSign(end, "."), code.word(end + 1) != nil { end += 2 }
                if code.isSign(end, "(") { end = code.skip(end) }
            } else if let word = code.word(end), ["internal", "private", "protected", "public"].contains(word) {
                end += 1
            } else {
                return
            }
        }
        if code.isSign(end + 1, "(") { headers.formUnion(start...end) }
    }

    /// Notes the body of the type that is declared here, and the types that it inherits from.
    private mutating func findBody(_ index: Int) {
        guard let word = code.word(index), Self.types.contains(word), let name = code.word(index + 1) else { return }
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
}
