/// The values of a file's names that are texts or lists of texts and the same everywhere.
struct SourceConstants {
    private let code: SourceCode
    /// For a name, the starts of its values.
    private var definitions: [String: [Int]] = [:]
    /// The classes, objects and other types of the file, by which a constant may be called.
    private var types: Set<String> = ["this", "self", "Companion"]

    /// Values found so far: each is made once, however often it is used.
    private let known = Known()

    private final class Known {
        var values: [String: SourceValue?] = [:]
    }

    private static let maximumDepth = 16
    /// The maximum size of a concatenated text, in bytes: no host or pin is longer.
    private static let maximumText = 4096

    init(_ code: SourceCode) {
        self.code = code
        for index in code.tokens.indices {
            guard let word = code.word(index) else { continue }
            if ["class", "object", "interface", "enum", "struct", "extension", "record"].contains(word),
                let name = code.word(index + 1)
            {
                types.insert(name)
            }
            if let start = valueStart(of: index) { definitions[word, default: []].append(start) }
        }
    }

    /// Returns the start of a definition's value; nil if the word is not defined there.
    ///
    /// Between parentheses, `=` names an argument or gives a default that a caller may replace.
    private func valueStart(of index: Int) -> Int? {
        if code.word(index - 1) == "define", code.isSign(index - 2, "#") { return index + 1 }
        if let open = code.enclosing(index), !code.isSign(open, "{") { return nil }
        guard !code.isSign(index - 1, ".") else { return nil }
        var next = index + 1
        if code.isSign(next, ":") {
            // The type of a Kotlin or Swift constant: words, dots and brackets.
            next += 1
            while code.word(next) != nil || ["<", ">", ".", "?", ":"].contains(where: { code.isSign(next, $0) })
                || code.isSign(next, "[")
            {
                next = code.skip(next)
            }
        }
        while code.isSign(next, "["), code.partner(next) == next + 1 { next += 2 }
        return code.isSign(next, "=") && !code.isSign(next + 1, "=") ? next + 1 : nil
    }

    /// Returns the start of the only value of a name; nil if it has none or several.
    func onlyDefinition(of name: String) -> Int? { definitions[name].flatMap { $0.count == 1 ? $0[0] : nil } }

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
        return value(of: path, depth).map { ($0, end) }
    }

    private func value(of path: [String], _ depth: Int) -> SourceValue? {
        guard let name = path.last, path.dropLast().allSatisfy(types.contains) else { return nil }
        if let value = known.values[name] { return value }
        let value = definition(of: name, depth)
        known.values[name] = .some(value)
        return value
    }

    private func definition(of name: String, _ depth: Int) -> SourceValue? {
        guard depth < Self.maximumDepth, let starts = definitions[name], let first = starts.first, starts.count <= 4,
            let (value, end) = sum(at: first, depth + 1), code.endsExpression(at: end)
        else { return nil }
        // This reader can't resolve a name with two values.
        for start in starts.dropFirst() {
            guard let (other, end) = sum(at: start, depth + 1), code.endsExpression(at: end), other == value else {
                return nil
            }
        }
        return value
    }

    private func text(_ pieces: [SourceToken.Piece], at index: Int, _ depth: Int) -> SourceValue? {
        var (text, origins) = ("", Set([index]))
        for piece in pieces {
            switch piece {
            case .plain(let plain): text += plain
            case .value(let name):
                guard let value = value(of: name.split(separator: ".").map(String.init), depth), let known = value.text
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

/// The value of an expression that consists of constants.
struct SourceValue: Equatable {
    enum Content: Equatable {
        case text(String)
        case list([SourceValue])
    }

    let content: Content
    /// The tokens of the texts that it was made of.
    var origins: Set<Int>

    static func == (left: SourceValue, right: SourceValue) -> Bool { left.content == right.content }

    var text: String? { if case .text(let text) = content { text } else { nil } }

    /// The texts, of a list all that are in it; nil if it holds another list.
    var texts: [String]? {
        switch content {
        case .text(let text): return [text]
        case .list(let values):
            let texts = values.compactMap(\.text)
            return texts.count == values.count ? texts : nil
        }
    }
}
