/// The values of a file's names that are texts or lists of texts and the same everywhere.
struct SourceConstants {
    let names: SourceNames
    private let code: SourceCode

    /// Values found so far: each is made once, however often it is used.
    private let known = Known()

    private final class Known {
        /// By the starts of the values, with the depth at which each was looked for: deeper than that, an unknown one stays so.
        var values: [Int: (value: SourceValue?, depth: Int)] = [:]
    }

    private static let maximumDepth = 16
    /// The maximum size of a concatenated text, in bytes: no host or pin is longer.
    private static let maximumText = 4096

    init(_ code: SourceCode) {
        self.code = code
        names = SourceNames(code)
    }

    // MARK: Obstacles

    /// Returns why a constant in a range is not known: it is also another thing there, is changed, or is not visible there.
    func obstacle(in range: Range<Int>) -> SourceObstacle? {
        for index in range {
            for path in paths(at: index) { if let obstacle = obstacle(to: path, at: index) { return obstacle } }
        }
        return nil
    }

    private func obstacle(to path: [String], at index: Int) -> SourceObstacle? {
        guard let name = path.last, names.isQualified(path) else { return nil }
        let found = names.definitions(of: path, at: index)
        // A name that would not be known without the obstacle is not to blame.
        guard
            (found.isEmpty ? names.all(of: name) : found).prefix(SourceVisibility.maximumChoice).contains(
                where: isConstant)
        else { return nil }
        if names.isBound(path, at: index) {
            guard !found.isEmpty, let binding = names.binding(of: name, at: index) else { return nil }
            return SourceObstacle(
                reason: "'\(name)' is also \(binding.kind.rawValue) on line \(line(binding.place))",
                remedy: binding.kind.remedy)
        }
        guard let last = found.max(by: { $0.place < $1.place }) else {
            return SourceObstacle(
                reason: "'\(name)' is defined in another type or file", remedy: "write the text instead of its name")
        }
        for definition in found {
            if let change = names.changed(definition).first {
                return SourceObstacle(
                    reason: "'\(name)' is changed on line \(line(change.place))",
                    remedy: "make it a constant, or rename the one that changes")
            }
            if let place = names.override(of: definition, in: path) {
                return SourceObstacle(
                    reason: "'\(name)' is overridden on line \(line(place))",
                    remedy: "write the text instead of its name")
            }
        }
        guard found.count > 1, value(of: path, at: index, 0) == nil else { return nil }
        return SourceObstacle(
            reason: "'\(name)' has another value on line \(line(last.place))", remedy: "rename one of them")
    }

    /// Returns true if a definition is that of a constant: a text, or a list or dictionary.
    private func isConstant(_ definition: SourceNames.Definition) -> Bool {
        ["[", "{", "@"].contains { code.isSign(definition.value, $0) } || written(definition, 0) != nil
    }

    private func line(_ place: Int) -> Int { code.tokens[place].line }

    /// Returns the names that a token refers to, each after its qualifier.
    private func paths(at index: Int) -> [[String]] {
        guard code.tokens.indices.contains(index) else { return [] }
        switch code.tokens[index].kind {
        case .word(let word):
            guard code.isSign(index - 1, ".") else { return [[word]] }
            return code.word(index - 2).map { [[$0, word]] } ?? []
        case .text(let pieces):
            return pieces.compactMap { if case .value(let name) = $0 { Self.path(name) } else { nil } }
        default: return []
        }
    }

    private static func path(_ name: String) -> [String] { name.split(separator: ".").map(String.init) }

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
            guard let (next, after) = term(at: isAdded ? end + 1 : end, depth), let left = value.text,
                let right = next.text, left.utf8.count + right.utf8.count <= Self.maximumText
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
        guard !names.isBound(path, at: index) else { return nil }
        let found = names.definitions(of: path, at: index)
        guard let first = found.first, found.count <= SourceVisibility.maximumChoice,
            found.allSatisfy({ names.override(of: $0, in: path) == nil }), let value = value(of: first, depth)
        else { return nil }
        // This reader can't choose between two values.
        return found.dropFirst().allSatisfy { self.value(of: $0, depth) == value } ? value : nil
    }

    private func value(of definition: SourceNames.Definition, _ depth: Int) -> SourceValue? {
        names.changed(definition).isEmpty ? written(definition, depth) : nil
    }

    /// Returns the value that a definition is written with.
    private func written(_ definition: SourceNames.Definition, _ depth: Int) -> SourceValue? {
        if let known = known.values[definition.value], known.value != nil || known.depth <= depth { return known.value }
        var value: SourceValue?
        if depth < Self.maximumDepth, !names.isCondition(definition),
            let (sum, end) = sum(at: definition.value, depth + 1), endsDefinition(at: end)
        {
            value = sum
        }
        known.values[definition.value] = (value, depth)
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
                guard let value = value(of: Self.path(name), at: index, depth), let known = value.text else {
                    return nil
                }
                guard text.utf8.count + known.utf8.count <= Self.maximumText else { return nil }
                text += known
                origins.formUnion(value.origins)
            case .expression: return nil
            }
        }
        return SourceValue(content: .text(text), origins: origins)
    }
}
