/// The grammar that the languages have in common, as far as a few tokens show it.
extension SourceCode {
    /// Returns the token after type parameters or arguments `<…>`, if they are here.
    func afterTypes(at index: Int) -> Int {
        guard isSign(index, "<") else { return index }
        var (end, depth) = (index, 0)
        // Longer ones are not of code that people write.
        repeat {
            if isSign(end, "<") { depth += 1 }
            // The type of a function has an arrow.
            if isSign(end, ">"), !isSign(end - 1, "-") { depth -= 1 }
            end += 1
        } while depth > 0 && end < index + 64
        return end
    }

    /// Returns the types before the name that `fun`, `val` or `var` of Kotlin declares, and the token after the name:
    /// `fun Client.pinner()` has a receiver.
    func receiver(ofDeclaration index: Int) -> (types: [String], end: Int) {
        var (types, part) = ([String](), afterTypes(at: index + 1))
        // Longer ones are not of code that people write.
        while part < index + 256, let word = word(part) {
            var next = afterTypes(at: part + 1)
            if isSign(next, "?") { next += 1 }
            guard isSign(next, ".") else { return (types, next) }
            types.append(word)
            part = next + 1
        }
        return (types, part)
    }

    /// Returns true if the type of a variable of Java or Objective-C is before this token.
    func isAfterType(_ index: Int) -> Bool {
        if let type = word(index - 1) {
            return language == .kotlinOrJava
                ? type.first?.isUppercase == true || type == "var" || type == "final" : !Self.notTypes.contains(type)
        }
        if isSign(index - 1, ".") { return isSign(index - 2, ".") && isSign(index - 3, ".") }
        if isSign(index - 1, ">") { return !isSign(index - 2, "-") }
        if isSign(index - 1, "]") { return partner(index - 1) == index - 2 }
        return language == .objectiveC && isSign(index - 1, "*")
    }

    /// The words of Java and Objective-C that stand before a value.
    private static let notTypes: Set = [
        "return", "new", "instanceof", "in", "case", "throw", "throws", "do", "else", "yield", "extends", "implements",
        "assert",
    ]

    /// Returns true if an expression ends before this token: the token starts a line of its own and can't continue the
    /// expression before it, or is a sign that ends one.
    func endsExpression(at index: Int) -> Bool {
        guard tokens.indices.contains(index), index > 0 else { return true }
        switch tokens[index].kind {
        case .sign(let sign):
            return ";,)]}".utf8.contains(sign) || sign == UInt8(ascii: "@") && isOnNewLine(index)
                || sign == UInt8(ascii: "#") && isOnNewLine(index)
        default: return isOnNewLine(index)
        }
    }

    /// Returns true if a token after the first starts a line of its own.
    func isOnNewLine(_ index: Int) -> Bool { tokens[index].line > tokens[index - 1].line }
}
