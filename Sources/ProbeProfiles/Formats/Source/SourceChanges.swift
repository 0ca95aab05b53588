/// The places where a file may change the value of a name after its definition.
///
/// Declarations are missing here, and members of other objects, like `request.host = h`.
struct SourceChanges {
    struct Change {
        enum Kind {
            /// Another value, which begins at a token, perhaps of a member of `this`.
            case assignment(value: Int, isMember: Bool)
            /// An operator like `+=`, which assigns a text and may extend a list in place.
            case operation
            /// An element, a member that changes it, or code that gets it to change.
            case inPlace
            /// Kotlin's `name.apply {…}` and its like, with the token of their block or other argument.
            case scope(Int)
            /// Another name for the value, if it is one of the file, or a function that writes to the elements of an array.
            case sharing(by: String?)
        }

        let kind: Kind
        let place: Int
    }

    /// The signs before `=` with which it assigns what they come to.
    static let operators: [Unicode.Scalar] = ["+", "-", "*", "/", "%", "&", "|", "^"]

    let code: SourceCode
    private let definitions: SourceDefinitions
    /// The types of the file, by which its constants may be called.
    private let types: Set<String>
    /// For a name, its changes in order.
    private(set) var places: [String: [Change]] = [:]
    /// The parentheses of Swift's `(name, other) = values`, by their opening.
    var tuples: Set<Int> = []

    init(_ code: SourceCode, _ definitions: SourceDefinitions, types: Set<String>) {
        self.code = code
        self.definitions = definitions
        self.types = types
        for index in code.tokens.indices {
            if isAssignedTuple(index) { tuples.insert(index) }
            guard let name = code.word(index), let kind = change(index), isOfFile(index) else { continue }
            places[name, default: []].append(Change(kind: kind, place: index))
        }
    }

    private func change(_ index: Int) -> Change.Kind? {
        if let argument = withBlock(index) { return .scope(argument) }
        guard !isHandedOut(index), !isReceiver(index), !isPartOfTuple(index) else { return .inPlace }
        var (end, isElement) = (index + 1, false)
        while true {
            var mark = end
            while code.isSign(mark, "?") || code.isSign(mark, "!") { mark += 1 }
            if code.isSign(mark, ".") || code.isSign(mark, "[") { end = mark }
            // Empty brackets belong to the type of an array.
            guard code.isSign(end, "["), code.partner(end) > end + 1 else { break }
            (end, isElement) = (code.skip(end), true)
        }
        if code.isSign(end, "=") {
            guard !code.isSign(end + 1, "=") else { return nil }
            if isElement { return .inPlace }
            let isMember = code.isSign(index - 1, ".")
            return isMember || isAssigned(index) ? .assignment(value: end + 1, isMember: isMember) : nil
        }
        if code.isSign(end + 1, "="), Self.operators.contains(where: { code.isSign(end, $0) }) {
            return isElement ? .inPlace : .operation
        }
        // Kotlin's and Java's `pins::add` hands on the method.
        if code.isSign(end, ":"), code.isSign(end + 1, ":") { return isChanging(code.word(end + 2)) ? .inPlace : nil }
        // The list of Kotlin's `pins.asList()` is the array's own.
        if code.isSign(end, "."), code.word(end + 1) == "asList", code.isSign(end + 2, "(") { end = code.skip(end + 2) }
        guard code.isSign(end, "."), let member = code.word(end + 1),
            code.isSign(end + 2, "(") || code.isSign(end + 2, "{")
        else { return sharing(index) }
        if Self.scopeFunctions.contains(member), !isElement { return code.language == .java ? nil : .scope(end + 2) }
        return isChanging(member) ? .inPlace : nil
    }

    /// Returns true for a name that stands alone, or is a member of this object or of a type of the file.
    private func isOfFile(_ index: Int) -> Bool {
        guard code.isSign(index - 1, ".") else { return true }
        guard let receiver = code.word(beforeDot(index - 1)) else { return false }
        if types.contains(receiver) { return true }
        // `Type.shared.name`, and not a member of a member of this object.
        return code.word(start(of: index)).map { types.contains($0) && !SourceVisibility.selves.contains($0) } ?? false
    }

    /// Returns the first name of those with dots between them, for the last.
    private func start(of index: Int) -> Int {
        var start = index
        while code.isSign(start - 1, ".") { start = beforeDot(start - 1) }
        return start
    }

    /// Returns the index before `.`, `?.` or `!!.`.
    private func beforeDot(_ dot: Int) -> Int {
        var index = dot - 1
        while code.isSign(index, "?") || code.isSign(index, "!") { index -= 1 }
        return index
    }

    /// Returns the block of Kotlin's `with(name) {…}`.
    private func withBlock(_ index: Int) -> Int? {
        let start = start(of: index)
        guard code.language == .kotlin || code.language == .kotlinOrJava, code.isSign(start - 1, "("),
            code.word(start - 2) == "with", !code.isSign(start - 3, "."), code.isSign(index + 1, ")"),
            code.isSign(index + 2, "{")
        else { return nil }
        return index + 2
    }

    /// Returns true for Swift's and Objective-C's `&name`, and Java's `Collections.addAll(name, …)`.
    private func isHandedOut(_ index: Int) -> Bool {
        let start = start(of: index)
        if code.isSign(start - 1, "&") { return ["(", ",", ":", "="].contains { code.isSign(start - 2, $0) } }
        guard code.isSign(start - 1, "("), code.isSign(start - 3, ".") else { return false }
        return ["Arrays", "Collections"].contains(code.word(start - 4)) && isChanging(code.word(start - 2))
    }

    /// Returns the sharing of a name in `x.copyInto(name)` and `System.arraycopy(x, 0, name, 0, 1)`, or as the whole value of
    /// another name.
    private func sharing(_ index: Int) -> Change.Kind? {
        let start = start(of: index)
        let open = code.enclosing(index)
        if let open, let function = code.word(open - 1), Self.copying.contains(function) {
            let isArgument = ["(", ",", "="].contains { code.isSign(start - 1, $0) }
            return isArgument && [",", ")"].contains { code.isSign(index + 1, $0) } ? .sharing(by: nil) : nil
        }
        guard code.isSign(start - 1, "="), !Self.operators.contains(where: { code.isSign(start - 2, $0) }),
            !["=", "!", "<"].contains(where: { code.isSign(start - 2, $0) }),
            open.map({ code.isSign($0, "{") }) ?? true, code.endsExpression(at: index + 1)
        else { return nil }
        let other = definitions.definition(ofValueAt: start)?.name ?? (isOfFile(start - 2) ? code.word(start - 2) : nil)
        return other == code.word(index) ? nil : .sharing(by: other)
    }

    /// Returns true for a message of Objective-C that changes its receiver.
    private func isReceiver(_ index: Int) -> Bool {
        guard code.language == .objectiveC, code.isSign(start(of: index) - 1, "["), let message = code.word(index + 1)
        else { return false }
        return Self.messages.contains { message.hasPrefix($0) }
    }

    /// Returns true for `name = value` that neither declares the name nor gives an argument: Java and Objective-C assign
    /// between parentheses too.
    private func isAssigned(_ index: Int) -> Bool {
        guard let open = code.enclosing(index), code.isSign(open, "(") else {
            return definitions.valueStart(of: index) != nil && !definitions.isDeclaration(index)
        }
        switch code.language {
        case .kotlin, .swift: return false
        case .java: return !code.isSign(open - 2, "@")
        case .objectiveC: return true
        case .kotlinOrJava: return code.word(open - 1) == nil && !code.isSign(open - 1, ">")
        }
    }

    /// The beginnings of such messages of Foundation's mutable classes.
    private static let messages = [
        "add", "append", "exchangeObject", "filterUsing", "insert", "intersectSet", "minusSet", "remove", "replace",
        "set", "unionSet",
    ]
}
