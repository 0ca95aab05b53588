/// The values of a file's names that are texts or lists of texts and the same everywhere.
struct SourceConstants {
    private let code: SourceCode
    private let definitions: SourceDefinitions
    private let bindings: SourceBindings
    private let changes: SourceChanges
    private let scopes: SourceScopes
    /// The classes, objects and other types of the file, by which a constant may be called.
    private let types: Set<String>

    /// Values found so far: each is made once, however often it is used.
    private let known = Known()

    private final class Known {
        var values: [String: SourceValue?] = [:]
        var changes: [String: [Int]] = [:]
    }

    /// The names of the object itself, or of its type.
    private static let receivers: Set = ["this", "self", "Self", "Companion"]
    private static let maximumDepth = 16
    /// The maximum size of a concatenated text, in bytes: no host or pin is longer.
    private static let maximumText = 4096

    init(_ code: SourceCode) {
        self.code = code
        let definitions = SourceDefinitions(code)
        self.definitions = definitions
        scopes = SourceScopes(code)
        bindings = SourceBindings(code, scopes) { definitions.valueStart(of: $0) != nil }
        var types = Self.receivers
        for index in code.tokens.indices {
            if let word = code.word(index), SourceScopes.types(of: code.language).contains(word),
                let name = code.word(index + 1)
            {
                types.insert(name)
            }
        }
        self.types = types
        changes = SourceChanges(code, types: types)
    }

    // MARK: Names with another meaning

    /// Returns the start of the only value of a name, for its token; nil if it has none or several.
    func onlyDefinition(of name: String, at index: Int) -> Int? {
        let all = definitions.all(of: name)
        return all.count == 1 && !isBound([name], at: index) && changed(name).isEmpty ? all.first?.value : nil
    }

    /// Returns the tokens that change the variable whose definition has its value at a token.
    func changes(ofValueAt start: Int) -> [Int] { definitions.names(ofValueAt: start).flatMap(changed).sorted() }

    /// Returns why a constant in a range is not known: it is also another thing there, or is changed.
    func obstacle(in range: Range<Int>) -> SourceObstacle? {
        for index in range {
            for path in paths(at: index) {
                guard let name = path.last, !definitions.all(of: name).isEmpty else { continue }
                if isBound(path, at: index), let binding = bindings.binding(of: name, at: index) {
                    return SourceObstacle(
                        reason: "'\(name)' is also \(binding.kind.rawValue) on line \(code.tokens[binding.place].line)",
                        remedy: binding.kind.remedy)
                }
                if let place = changed(name).first {
                    return SourceObstacle(
                        reason: "'\(name)' is changed on line \(code.tokens[place].line)",
                        remedy: "make it a constant, or rename the one that changes")
                }
                let all = definitions.all(of: name)
                if all.count > 1, let last = all.last, value(of: path, at: index, 0) == nil {
                    return SourceObstacle(
                        reason: "'\(name)' has another value on line \(code.tokens[last.place].line)",
                        remedy: "rename one of them")
                }
            }
        }
        return nil
    }

    /// Returns the names that a token refers to, each after its qualifier.
    private func paths(at index: Int) -> [[String]] {
        guard code.tokens.indices.contains(index) else { return [] }
        switch code.tokens[index].kind {
        case .word(let word):
            guard code.isSign(index - 1, ".") else { return [[word]] }
            return [[code.word(index - 2), word].compactMap { $0 }]
        case .text(let pieces):
            return pieces.compactMap { if case .value(let name) = $0 { Self.path(name) } else { nil } }
        default: return []
        }
    }

    private static func path(_ name: String) -> [String] { name.split(separator: ".").map(String.init) }

    /// Returns true if a name refers to another thing than a constant. After its type, it can't be a parameter.
    private func isBound(_ path: [String], at index: Int) -> Bool {
        guard let name = path.last else { return false }
        let qualifier = path.dropLast().last
        if let qualifier, !Self.receivers.contains(qualifier) {
            return bindings.hasVariable(name, in: qualifier)
        }
        // Objective-C's properties are not looked for.
        if qualifier == "self", code.language == .objectiveC { return true }
        return bindings.binding(of: name, at: index) != nil
    }

    /// Returns the tokens that change a constant.
    private func changed(_ name: String) -> [Int] {
        if let known = known.changes[name] { return known }
        // With many of both, weighing each change against each definition would take quadratic time.
        let isWeighed = definitions.all(of: name).count <= 64
        let places = changes.places[name, default: []].filter { !isWeighed || matters($0, to: name) }.map(\.place)
        known.changes[name] = places
        return places
    }

    private func matters(_ change: SourceChanges.Change, to name: String) -> Bool {
        let all = definitions.all(of: name)
        let isFixed = !all.isEmpty && all.allSatisfy(definitions.isFixed)
        guard code.language != .swift || !isFixed else { return false }
        let contents = all.map { definitions.content(of: $0) }
        let isText = !contents.isEmpty && contents.allSatisfy { $0 == .text || $0 == .unchangeable }
        switch change.kind {
        case .assignment(let value, let isMember):
            guard !isFixed else { return false }
            // `this.host = host` keeps the value, unless that is a parameter.
            if code.word(value) == name, code.endsExpression(at: value + 1),
                bindings.binding(of: name, at: value) == nil
            {
                return false
            }
            // The type around it has its own variable of that name.
            let inner = isMember ? scopes.types(around: change.place).first : nil
            return !(inner.map { bindings.hasVariable(name, in: $0) } ?? false) || isAssigned(all, in: inner)
        case .operation: return !(isFixed && isText)
        case .inPlace: return !isText || code.language == .swift || code.language == .objectiveC
        case .scope(let argument):
            return all.contains { definitions.content(of: $0) == .changeable && !definitions.isNameOfText($0) }
                || contents.contains(.array) && changes.mayChange(inArgument: argument)
        }
    }

    /// Returns true if a definition is in a type, so that its variable may be the one that is assigned there.
    private func isAssigned(_ all: [SourceDefinitions.Definition], in type: String?) -> Bool {
        all.contains { scopes.types(around: $0.place).first == type }
    }

    // MARK: Values

    /// Returns the value of an expression; nil if it is not known from this file alone.
    func value(_ range: Range<Int>) -> SourceValue? { value(range, depth: 0) }

    private func value(_ range: Range<Int>, depth: Int) -> SourceValue? {
        guard depth < Self.maximumDepth, let (value, end) = sum(at: range.lowerBound, depth), end == range.upperBound
        else { return nil }
        return value
    }

    /// Terms with plus signs between them; in Objective-C also without.
    private func sum(at start: Int, _ depth: Int) -> (SourceValue, end: Int)? {
        guard var (value, end) = term(at: start, depth) else { return nil }
        while true {
            let isAdded = code.isSign(end, "+")
            let isJoined =
                code.language == .objectiveC
                && (code.tokens.indices.contains(end) && Self.isText(code.tokens[end])
                    || code.isSign(end, "@") && code.tokens.indices.contains(end + 1)
                        && Self.isText(code.tokens[end + 1]))
            guard isAdded || isJoined else { return (value, end) }
            guard let (next, after) = term(at: isAdded ? end + 1 : end, depth),
                let left = value.text, let right = next.text, left.utf8.count + right.utf8.count <= Self.maximumText
            else { return nil }
            value = SourceValue(content: .text(left + right), origins: value.origins.union(next.origins))
            end = after
        }
    }

    private static func isText(_ token: SourceToken) -> Bool { if case .text = token.kind { true } else { false } }

    private func term(at start: Int, _ depth: Int) -> (SourceValue, end: Int)? {
        guard code.tokens.indices.contains(start) else { return nil }
        switch code.tokens[start].kind {
        case .text(let pieces): return text(pieces, at: start, depth).map { ($0, start + 1) }
        case .sign where code.isSign(start, "@"):
            if code.isSign(start + 1, "[") { return list(at: start + 1, depth) }
            guard code.tokens.indices.contains(start + 1), Self.isText(code.tokens[start + 1]) else { return nil }
            return term(at: start + 1, depth)
        case .sign where code.isSign(start, "("):
            return value(start + 1..<code.partner(start), depth: depth + 1).map { ($0, code.skip(start)) }
        case .sign where code.isSign(start, "{") || code.isSign(start, "["): return list(at: start, depth)
        case .word(let word):
            if Self.lists.contains(word), code.isSign(start + 1, "(") { return list(at: start + 1, depth) }
            if ["Arrays", "List", "Set"].contains(word), code.isSign(start + 1, "."),
                ["asList", "of"].contains(code.word(start + 2)), code.isSign(start + 3, "(")
            {
                return list(at: start + 3, depth)
            }
            if word == "new", code.word(start + 1) == "String", code.isSign(start + 2, "["), code.isSign(start + 4, "{")
            {
                return list(at: start + 4, depth)
            }
            return name(at: start, depth)
        default: return nil
        }
    }

    private static let lists: Set = ["arrayOf", "listOf", "setOf", "mutableListOf", "mutableSetOf", "arrayListOf"]

    private func list(at open: Int, _ depth: Int) -> (SourceValue, end: Int)? {
        var values: [SourceValue] = []
        for part in code.parts(in: open) {
            guard let value = value(part, depth: depth + 1), value.text != nil else { return nil }
            values.append(value)
        }
        var end = code.skip(open)
        if code.isSign(end, "."), code.word(end + 1) == "toTypedArray", code.isSign(end + 2, "(") {
            end = code.skip(end + 2)
        }
        return (SourceValue(content: .list(values), origins: Set(values.flatMap(\.origins))), end)
    }

    /// Returns a name, perhaps of a type of this file.
    private func name(at start: Int, _ depth: Int) -> (SourceValue, end: Int)? {
        var (index, path) = (start, [String]())
        while let word = code.word(index) {
            path.append(word)
            guard code.isSign(index + 1, "."), let next = code.word(index + 2), next != "toTypedArray" else { break }
            index += 2
        }
        var end = index + 1
        if code.isSign(end, "."), code.word(end + 1) == "toTypedArray", code.isSign(end + 2, "(") {
            end = code.skip(end + 2)
        }
        return value(of: path, at: index, depth).map { ($0, end) }
    }

    private func value(of path: [String], at index: Int, _ depth: Int) -> SourceValue? {
        guard let name = path.last, path.dropLast().allSatisfy(types.contains), !isBound(path, at: index) else {
            return nil
        }
        if let value = known.values[name] { return value }
        let value = definition(of: name, depth)
        known.values[name] = .some(value)
        return value
    }

    private func definition(of name: String, _ depth: Int) -> SourceValue? {
        guard depth < Self.maximumDepth, changed(name).isEmpty else { return nil }
        let starts = definitions.all(of: name).map(\.value)
        guard starts.count <= 4, let first = starts.first, let (value, end) = sum(at: first, depth + 1),
            endsDefinition(at: end)
        else { return nil }
        // This reader can't resolve a name with two values.
        for start in starts.dropFirst() {
            guard let (other, end) = sum(at: start, depth + 1), endsDefinition(at: end), other == value else {
                return nil
            }
        }
        return value
    }

    /// Returns true if the value that ends here is what the name stands for: a getter of Kotlin may return another.
    private func endsDefinition(at end: Int) -> Bool {
        guard code.endsExpression(at: end) else { return false }
        return !(code.language.hasDollarTemplates && code.word(end) == "get" && code.isSign(end + 1, "("))
    }

    private func text(_ pieces: [SourceToken.Piece], at index: Int, _ depth: Int) -> SourceValue? {
        var (text, origins) = ("", Set([index]))
        for piece in pieces {
            switch piece {
            case .plain(let plain): text += plain
            case .value(let name):
                guard let value = value(of: Self.path(name), at: index, depth), let known = value.text
                else { return nil }
                guard text.utf8.count + known.utf8.count <= Self.maximumText else { return nil }
                text += known
                origins.formUnion(value.origins)
            case .expression: return nil
            }
        }
        return SourceValue(content: .text(text), origins: origins)
    }
}
