import ProbeKit

/// TrustKit's configuration as a dictionary literal of Swift or Objective-C.
///
/// An unreadable part is an error that shows its line, and so is a key of it outside of the literal.
struct TrustKitSource {
    private let code: SourceCode
    private let constants: SourceConstants
    /// The parts of the file that were read.
    private var seen: [Range<Int>] = []

    /// Returns the configuration, by the strings of its keys.
    static func read(_ input: FormatInput) throws(InputError) -> [String: PropertyNode] {
        let text = try input.requiredText()
        let guess: SourceLanguage = text.contains("@{") || text.contains("@\"") ? .objectiveC : .swift
        var source = TrustKitSource(try SourceCode(input, SourceLanguage(path: input.context.path) ?? guess))
        return try source.configuration()
    }

    private init(_ code: SourceCode) {
        self.code = code
        constants = SourceConstants(code)
    }

    private mutating func configuration() throws(InputError) -> [String: PropertyNode] {
        let mentions = code.tokens.indices.filter { key(at: $0) == TrustKitKey.domains }
        guard let first = mentions.first else {
            throw code.input.refuse(
                "has no \(TrustKitKey.domains)", remedy: "give the dictionary of TrustKit's configuration")
        }
        guard let open = code.enclosing(first), isDictionary(open) else {
            throw refuse("has a \(TrustKitKey.domains) outside of a dictionary literal", at: first)
        }
        let configuration = try dictionary(open, depth: 0)
        for place in constants.names.changes(ofValueAt: outermost(open)) where !setsKnownKey(place) {
            throw refuse("changes the configuration after its literal", at: place)
        }
        for index in code.tokens.indices {
            guard let key = key(at: index), TrustKitKey.ofPins.contains(key),
                !seen.contains(where: { $0.contains(index) })
            else { continue }
            throw refuse(
                key == TrustKitKey.domains
                    ? "has a second configuration" : "has a \(key) outside of the configuration", at: index)
        }
        return configuration
    }

    /// Returns the start of the literal around a dictionary.
    private func outermost(_ open: Int) -> Int {
        var outer = open
        while let next = code.enclosing(outer), isDictionary(next) { outer = next }
        return code.isSign(outer - 1, "@") ? outer - 1 : outer
    }

    /// Returns true for `name[key]` with a key of TrustKit; one that concerns pins is rejected as a key.
    private func setsKnownKey(_ index: Int) -> Bool {
        code.isSign(index + 1, "[") && code.skip(index + 1) == index + 4 && key(at: index + 2) != nil
    }

    /// Returns the key that a token is, as a constant of TrustKit or as its string.
    private func key(at index: Int) -> String? {
        if let word = code.word(index) { return TrustKitKey.string(ofConstant: word) }
        guard case .text(let pieces) = code.tokens[index].kind, case .plain(let text)? = pieces.first, pieces.count == 1
        else { return nil }
        return TrustKitKey.ofPins.contains(text) ? text : nil
    }

    // MARK: Literals

    /// Returns true if a bracket opens a dictionary: `[` with a colon in it, or `@{`.
    private func isDictionary(_ open: Int) -> Bool {
        if code.isSign(open, "{") { return code.isSign(open - 1, "@") }
        guard code.isSign(open, "["), let part = code.parts(in: open).first else { return false }
        return colon(in: part) != nil
    }

    private func colon(in part: Range<Int>) -> Int? {
        var index = part.lowerBound
        while index < part.upperBound {
            if code.isSign(index, ":") { return index }
            index = code.skip(index)
        }
        return nil
    }

    private mutating func dictionary(_ open: Int, depth: Int) throws(InputError) -> [String: PropertyNode] {
        seen.append(open..<code.skip(open))
        var values: [String: PropertyNode] = [:]
        for part in code.parts(in: open) where !isEmptyDictionary(part) {
            guard let colon = colon(in: part), let key = text(withoutCast(part.lowerBound..<colon)) else {
                let end = colon(in: part) ?? part.upperBound
                throw unread("has an entry whose key can't be read", part.lowerBound..<end)
            }
            let value: PropertyNode
            do throws(InputError) {
                value = try node(withoutCast(colon + 1..<part.upperBound), depth: depth + 1)
            } catch {
                guard TrustKitKey.aside.contains(key) || key == TrustKitKey.swizzle else { throw error }
                value = PropertyNode(content: .other, line: code.tokens[part.lowerBound].line)
            }
            guard values.updateValue(value, forKey: key) == nil else {
                throw refuse("has '\(key)' twice", at: part.lowerBound)
            }
        }
        return values
    }

    /// Returns true for Swift's `[:]`.
    private func isEmptyDictionary(_ part: Range<Int>) -> Bool {
        part.count == 1 && code.isSign(part.lowerBound, ":")
    }

    private mutating func node(_ range: Range<Int>, depth: Int) throws(InputError) -> PropertyNode {
        let line = code.tokens[min(range.lowerBound, code.tokens.count - 1)].line
        if let flag = flag(range) { return PropertyNode(content: .flag(flag), line: line) }
        if let number = number(range) { return PropertyNode(content: .integer(number), line: line) }
        if let text = text(range) { return PropertyNode(content: .text(text), line: line) }
        var open = range.lowerBound
        if code.isSign(open, "@") { open += 1 }
        let isWhole = open < range.upperBound && code.skip(open) == range.upperBound
        if isWhole, isDictionary(open) || code.isSign(open, "[") && isEmptyLiteral(open) {
            return PropertyNode(content: .dictionary(try dictionary(open, depth: depth)), line: line)
        }
        if isWhole, code.isSign(open, "[") {
            var nodes: [PropertyNode] = []
            for part in code.parts(in: open) { nodes.append(try node(withoutCast(part), depth: depth + 1)) }
            return PropertyNode(content: .list(nodes), line: line)
        }
        if let texts = constants.value(range)?.texts {
            return PropertyNode(content: .list(texts.map { PropertyNode(content: .text($0), line: line) }), line: line)
        }
        // A constant of the file that holds a dictionary, or a list with other things than texts.
        if range.count == 1, depth < 8, let name = code.word(range.lowerBound),
            let start = constants.names.onlyDefinition(of: name, at: range.lowerBound)
        {
            let open = code.isSign(start, "@") ? start + 1 : start
            if code.isSign(open, "[") || code.isSign(open, "{") {
                let end = code.skip(open)
                if code.endsExpression(at: end) || code.word(end) == "as" {
                    seen.append(start..<end)
                    return try node(start..<end, depth: depth + 1)
                }
            }
        }
        throw unread("has a value that can't be read", range)
    }

    private func isEmptyLiteral(_ open: Int) -> Bool {
        code.partner(open) == open + 2 && code.isSign(open + 1, ":")
    }

    private func flag(_ range: Range<Int>) -> Bool? {
        var words = range.compactMap { code.word($0) }
        if words.first == "NSNumber" { words = words.filter { !["NSNumber", "value", "booleanLiteral"].contains($0) } }
        let signs = range.filter { code.word($0) == nil }
        guard words.count == 1, signs.allSatisfy({ index in ["@", "(", ")", ":"].contains { code.isSign(index, $0) } })
        else { return nil }
        switch words[0] {
        case "true", "YES": return true
        case "false", "NO": return false
        default: return nil
        }
    }

    /// Returns the number of `1`, `@1`, `@(1)` and the like.
    private func number(_ range: Range<Int>) -> Int64? {
        let numbers = range.compactMap { if case .number(let text) = code.tokens[$0].kind { text } else { nil } }
        guard numbers.count == 1,
            range.allSatisfy({ index in code.isNumber(index) || ["@", "(", ")"].contains { code.isSign(index, $0) } })
        else { return nil }
        return Int64(numbers[0])
    }

    private func text(_ range: Range<Int>) -> String? {
        if range.count == 1, let word = code.word(range.lowerBound), let string = TrustKitKey.string(ofConstant: word) {
            return string
        }
        return constants.value(range)?.text
    }

    /// Returns the range without Swift's `as Type`, and `.rawValue`.
    private func withoutCast(_ range: Range<Int>) -> Range<Int> {
        var index = range.lowerBound
        while index < range.upperBound {
            if code.word(index) == "as" && index > range.lowerBound { return range.lowerBound..<index }
            index = code.skip(index)
        }
        if range.count > 2, code.word(range.upperBound - 1) == "rawValue", code.isSign(range.upperBound - 2, ".") {
            return range.lowerBound..<range.upperBound - 2
        }
        return range
    }

    /// Returns an error for a part of the literal, which names the constant that is hidden.
    private func unread(_ reason: String, _ range: Range<Int>) -> InputError {
        guard let obstacle = constants.obstacle(in: range) else { return refuse(reason, at: range.lowerBound) }
        return code.refuse("\(reason), as \(obstacle.reason)", at: range.lowerBound, remedy: obstacle.remedy)
    }

    private func refuse(_ reason: String, at index: Int) -> InputError {
        code.refuse(
            reason, at: index, remedy: "write the configuration as one dictionary of texts, or give its property list")
    }
}
