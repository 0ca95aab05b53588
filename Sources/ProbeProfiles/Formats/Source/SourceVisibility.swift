/// The definitions that a name refers to: those of the innermost block in which they are visible.
struct SourceVisibility {
    typealias Definition = SourceDefinitions.Definition

    private let definitions: SourceDefinitions
    private let types: SourceTypes
    private let receivers: SourceReceivers
    /// The names that the file imports.
    private let imports: Set<String>
    /// For a name, its definitions by the paths of their blocks.
    private var blocks: [String: [[String]: [Definition]]] = [:]
    /// For a name, its definitions as a member of a type.
    private var members: [String: [Definition]] = [:]
    /// For the brace of a `switch` of Swift, the starts of its cases: each is a block of its own.
    private var cases: [Int: [Int]] = [:]

    /// The names of the object itself.
    static let selves: Set = ["this", "self", "Self"]

    init(_ code: SourceCode, _ definitions: SourceDefinitions, _ scopes: SourceScopes) {
        self.definitions = definitions
        types = scopes.types
        receivers = SourceReceivers(code, scopes)
        imports = Self.imports(code)
        if code.language == .swift {
            for index in code.tokens.indices where definitions.isCase(index + 1) || Self.isDefault(index, code) {
                code.brace(around: index).map { cases[$0, default: []].append(index) }
            }
        }
        for definition in definitions.declared {
            blocks[definition.name, default: [:]][types.path(of: definition.brace), default: []].append(definition)
            guard let brace = definition.brace, types.isBody(brace) else { continue }
            members[definition.name, default: []].append(definition)
            guard types.companions.contains(brace) else { continue }
            let outer = types.path(of: code.brace(around: brace))
            blocks[definition.name, default: [:]][outer, default: []].append(definition)
        }
    }

    /// Returns the definitions that a name, perhaps after its type, refers to at a token. With several, it is one of them;
    /// with none, it is defined in another type or file.
    func definitions(of path: [String], at index: Int) -> [Definition] {
        guard let name = path.last, let blocks = blocks[name], !imports.contains(path[0]) else { return [] }
        let isOfSelf = path.count > 1 && Self.selves.contains(path[0])
        let qualifier = path.dropFirst(isOfSelf ? 1 : 0).dropLast()
        guard qualifier.isEmpty else { return types.resolve(Array(qualifier), at: index).flatMap { blocks[$0] } ?? [] }
        let mayHaveReceiver = receivers.mayHave(at: index)
        guard !isOfSelf || !mayHaveReceiver else { return [] }
        for block in types.blocks(around: index) {
            if SourceTypes.isLocal(block) {
                guard !isOfSelf, let found = blocks[block], let last = found.last else { continue }
                // Before a local variable, and in another case, its name is that of another.
                return last.place < index && !hasCase(between: last, and: index) ? found : []
            }
            for path in types.lineage(of: block) {
                let found = inherited(blocks[path] ?? [], by: block, from: path)
                if !found.isEmpty { return mayHaveReceiver ? found + others(of: name, than: found) : found }
            }
            if isOfSelf { return [] }
        }
        return []
    }

    private static func isDefault(_ index: Int, _ code: SourceCode) -> Bool {
        code.word(index) == "default" && code.isSign(index + 1, ":") && !code.isSign(index - 1, ".")
    }

    /// Returns true if another case of a `switch` begins between a definition and a token in its block.
    private func hasCase(between definition: Definition, and index: Int) -> Bool {
        guard let cases = definition.brace.flatMap({ cases[$0] }) else { return false }
        var (low, high) = (0, cases.count)
        while low < high {
            let middle = (low + high) / 2
            if cases[middle] < definition.place { low = middle + 1 } else { high = middle }
        }
        return low < cases.count && cases[low] < index
    }

    /// Returns the definitions in a block that are visible in another.
    private func inherited(_ all: [Definition], by block: [String], from path: [String]) -> [Definition] {
        path == block || all.count > Self.maximumChoice
            ? all : all.filter { !definitions.hasModifier("private", $0.place) }
    }

    /// Returns the members of all types with a name, but for some.
    private func others(of name: String, than found: [Definition]) -> [Definition] {
        let all = members[name] ?? []
        return all.count > Self.maximumChoice
            ? all : all.filter { member in !found.contains { $0.place == member.place } }
    }

    /// The maximum number of definitions among which values are compared.
    static let maximumChoice = 4

    /// Returns the place where a subtype may override a member; nil if none does.
    func override(of definition: Definition) -> Int? {
        guard let brace = definition.brace, types.isBody(brace), definitions.isOverridable(definition) else {
            return nil
        }
        let path = types.path(of: brace)
        return definitions.overrides[definition.name]?.first { place in
            guard place != definition.place else { return false }
            // Another subtype of the same type overrides it for itself.
            guard definitions.hasModifier("override", definition.place), let other = types.body(of: place) else {
                return true
            }
            return types.lineage(of: other).contains(path)
        }
    }

    /// Returns the names at the ends of imports.
    private static func imports(_ code: SourceCode) -> Set<String> {
        var names: Set<String> = []
        for start in code.tokens.indices where code.word(start) == "import" && !code.isSign(start - 1, ".") {
            var (index, name) = (start + 1, nil as String?)
            while code.tokens.indices.contains(index), !code.isOnNewLine(index), !code.isSign(index, ";") {
                name = code.word(index) ?? (code.isSign(index, "*") ? nil : name)
                index += 1
            }
            if let name { names.insert(name) }
        }
        return names
    }
}
