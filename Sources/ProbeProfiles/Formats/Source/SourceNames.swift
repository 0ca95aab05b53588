/// The meaning of a file's names: the definitions that they refer to, unless they are bound to something else there or
/// changed later.
struct SourceNames {
    typealias Definition = SourceDefinitions.Definition

    private let code: SourceCode
    private let definitions: SourceDefinitions
    private let visibility: SourceVisibility
    private let bindings: SourceBindings
    private let changes: SourceChanges
    private let types: SourceTypes
    /// The changes found so far, by the starts of the values.
    private let known = Known()

    private final class Known { var changes: [Int: [SourceChanges.Change]] = [:] }

    /// The names of the object itself, or of its type.
    private static let receivers = SourceVisibility.selves.union(["Companion"])

    init(_ code: SourceCode) {
        self.code = code
        let definitions = SourceDefinitions(code)
        let scopes = SourceScopes(code)
        self.definitions = definitions
        types = scopes.types
        visibility = SourceVisibility(code, definitions, scopes)
        bindings = SourceBindings(code, scopes) { definitions.valueStart(of: $0) != nil }
        changes = SourceChanges(code, definitions, types: types.names.union(Self.receivers))
    }

    // MARK: Definitions

    /// Returns the definitions that a name, perhaps after its type, may refer to at a token, however they are hidden or
    /// changed.
    func definitions(of path: [String], at index: Int) -> [Definition] { visibility.definitions(of: path, at: index) }

    /// Returns all definitions of a name, wherever they are visible.
    func all(of name: String) -> [Definition] { definitions.all(of: name) }

    /// Returns the start of the only value of a name, for its token; nil if it has none or several.
    func onlyDefinition(of name: String, at index: Int) -> Int? {
        let found = definitions(of: [name], at: index)
        guard let only = found.first, found.count == 1, !isBound([name], at: index), changed(only).isEmpty else {
            return nil
        }
        return only.value
    }

    /// Returns true for a definition that may not hold everywhere in its block.
    func isCondition(_ definition: Definition) -> Bool { definitions.isCondition(definition) }

    /// Returns true if all words before a name are types of the file.
    func isQualified(_ path: [String]) -> Bool {
        path.dropLast().allSatisfy { types.names.contains($0) || Self.receivers.contains($0) }
    }

    // MARK: Other meanings

    /// Returns true if a name refers to another thing than a constant. After its type, it can't be a parameter.
    func isBound(_ path: [String], at index: Int) -> Bool {
        guard let name = path.last else { return false }
        let qualifier = path.dropLast().last
        if let qualifier, !Self.receivers.contains(qualifier) { return bindings.hasVariable(name, in: qualifier) }
        // Objective-C's properties are not looked for.
        if qualifier == "self", code.language == .objectiveC { return true }
        return bindings.binding(of: name, at: index) != nil
    }

    /// Returns the parameter or the like that a name is at a token.
    func binding(of name: String, at index: Int) -> SourceBinding? { bindings.binding(of: name, at: index) }

    /// Returns the place where a subtype overrides a member, so that the name may have another value; nil after the name of
    /// the member's type.
    func override(of definition: Definition, in path: [String]) -> Int? {
        guard path.count == 1 || SourceVisibility.selves.contains(path[0]) else { return nil }
        return visibility.override(of: definition)
    }

    // MARK: Changes

    /// Returns the tokens that change the variable whose definition has its value at a token.
    func changes(ofValueAt start: Int) -> [Int] {
        definitions.definition(ofValueAt: start).map { changed($0).map(\.place) } ?? []
    }

    /// Returns the changes of a definition's value.
    func changed(_ definition: Definition) -> [SourceChanges.Change] {
        if let known = known.changes[definition.value] { return known }
        var found = changes.places[definition.name] ?? []
        // With many of both, weighing each change against each definition would take quadratic time.
        if found.count <= 64 || definitions.all(of: definition.name).count <= 64 {
            found = found.filter { isOf(definition, $0) && matters($0, to: definition) }
        }
        known.changes[definition.value] = found
        return found
    }

    /// Returns true if a change may be one of a definition, and not of another with its name.
    private func isOf(_ definition: Definition, _ change: SourceChanges.Change) -> Bool {
        guard definitions.isDeclaration(definition.place) else { return change.place != definition.place }
        let isMember = code.isSign(change.place - 1, ".")
        // Objective-C's may also be in a namespace.
        guard code.language != .objectiveC else { return true }
        if let brace = definition.brace, !types.isBody(brace) {
            return !isMember && (brace..<code.skip(brace)).contains(change.place)
        }
        // A local variable hides all others.
        guard !isMember, let inner = definitions(of: [definition.name], at: change.place).first,
            let brace = inner.brace
        else { return true }
        return types.isBody(brace) || definitions.isCondition(inner)
    }

    private func matters(_ change: SourceChanges.Change, to definition: Definition) -> Bool {
        let isFixed = definitions.isFixed(definition)
        guard code.language != .swift || !isFixed else { return false }
        let content = definitions.content(of: definition)
        let isText = content == .text || content == .unchangeable
        switch change.kind {
        case .assignment(let value, let isMember):
            guard !isFixed else { return false }
            // `this.host = host` keeps the value, unless that is a parameter.
            if code.word(value) == definition.name, code.endsExpression(at: value + 1),
                bindings.binding(of: definition.name, at: value) == nil
            {
                return false
            }
            // The type around it has its own variable of that name.
            let inner = isMember ? types.names(around: change.place).first : nil
            return !(inner.map { bindings.hasVariable(definition.name, in: $0) } ?? false)
                || types.names(around: definition.place).first == inner
        case .operation: return !(isFixed && isText)
        case .inPlace: return !isText || code.language == .swift || code.language == .objectiveC
        case .scope(let argument):
            return content == .changeable && !definitions.isNameOfText(definition)
                || content == .array && changes.mayChange(inArgument: argument)
        case .sharing(let other): return definitions.isShared(definition) && (other.map(isChanged) ?? true)
        }
    }

    /// Returns true if the value that has a name may be changed by it.
    private func isChanged(_ name: String) -> Bool {
        changes.places[name, default: []].contains { if case .assignment = $0.kind { false } else { true } }
    }
}
