/// The values of a file's names that are texts or lists of texts and the same everywhere.
struct SourceConstants {
    let names: SourceNames
    let code: SourceCode

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

    func value(of path: [String], at index: Int, _ depth: Int) -> SourceValue? {
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
    func written(_ definition: SourceNames.Definition, _ depth: Int) -> SourceValue? {
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

    static func path(_ name: String) -> [String] { name.split(separator: ".").map(String.init) }

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
