/// The tokens at which a name may be that of a member of an object that the types around them don't show: within functions
/// of Kotlin without a name and extensions, which may have a receiver, and within types of Kotlin and Java without a name.
///
/// In doubt a block may have a receiver, and a name is unknown in more places.
struct SourceReceivers {
    private let code: SourceCode
    private let scopes: SourceScopes
    private var isWithin: [Bool] = []
    /// The braces of the bodies of Kotlin's functions with a name.
    private var functions: Set<Int> = []

    init(_ code: SourceCode, _ scopes: SourceScopes) {
        self.code = code
        self.scopes = scopes
        var end = 0
        for index in code.tokens.indices {
            end = max(end, self.end(at: index))
            isWithin.append(index < end)
        }
    }

    /// Returns true if a name at a token may be a member of such an object.
    func mayHave(at index: Int) -> Bool { isWithin[index] }

    /// Returns the end of the part with a receiver that starts here; 0 if none does.
    private mutating func end(at index: Int) -> Int {
        switch code.language {
        case .swift, .objectiveC: return 0
        case .java: return isBodyWithoutName(index) ? code.skip(index) : 0
        case .kotlin, .kotlinOrJava:
            if code.isSign(index, "{") { return mayHaveReceiver(index) ? code.skip(index) : 0 }
            guard let word = code.word(index), ["fun", "val", "var"].contains(word) else { return 0 }
            let (types, end) = code.receiver(ofDeclaration: index)
            if !types.isEmpty { return scopes.bodyEnd(from: end) }
            if word == "fun", end > index + 1 { findBody(after: end) }
            return 0
        }
    }

    /// Notes the block that is the body of a function, if it is not an expression.
    private mutating func findBody(after name: Int) {
        let end = scopes.bodyEnd(from: name)
        var index = name
        while index < end, !code.isSign(index, "{"), !code.isSign(index, "=") { index = code.skip(index) }
        if index < end, code.isSign(index, "{") { functions.insert(index) }
    }

    /// Returns true for a block of Kotlin, unless the code shows that it has no receiver of its own.
    private func mayHaveReceiver(_ open: Int) -> Bool {
        guard !scopes.types.isBody(open), !functions.contains(open) else { return false }
        var before = open - 1
        if code.isSign(before, ")") { before = code.partner(before) - 1 }
        return !(code.word(before).map(Self.withoutReceiver.contains) ?? false)
    }

    /// The words before the blocks of statements and accessors, and the functions that hand a value to a block as `it`.
    private static let withoutReceiver: Set = [
        "also", "catch", "constructor", "do", "else", "finally", "for", "get", "if", "init", "lazy", "let", "set",
        "super", "this", "try", "when", "while",
    ]

    /// Returns true for the block after Java's `new Type(…)`.
    private func isBodyWithoutName(_ open: Int) -> Bool {
        guard code.isSign(open, "{"), code.isSign(open - 1, ")") else { return false }
        let end = code.partner(open - 1) - 1
        // A method has its name there, and nothing before that but its type.
        return code.isSign(end, ">")
            || code.word(end) != nil && (code.word(end - 1) == "new" || code.isSign(end - 1, "."))
    }
}
