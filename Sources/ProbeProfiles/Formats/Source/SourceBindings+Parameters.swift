/// The names that are parameters, or variables without a first value.
extension SourceBindings {
    /// Returns true for `name: Type` in a list of parameters.
    func isParameter(_ index: Int) -> Bool {
        guard let open = code.enclosing(index), code.isSign(open, "("), code.isSign(index + 1, ":"),
            !code.isSign(index + 2, ":")
        else { return false }
        // The names in the type of a function are for its readers.
        if code.language != .java, isArrow(code.skip(open)), code.language != .swift { return false }
        switch code.language {
        // A call has labels too.
        case .swift: return isParameterList(open)
        case .objectiveC: return false
        // Java's conditions have a sign before the value; there, `)` is the end of a cast, and in Kotlin of an annotation.
        case .java: return code.word(index - 1) != nil
        case .kotlin, .kotlinOrJava:
            return code.word(index - 1) != nil || ["(", ",", ")"].contains { code.isSign(index - 1, $0) }
        }
    }

    /// Returns true for the parameter of Kotlin's `set(name) {…}`, which needs no type.
    func isOfSetter(_ index: Int) -> Bool {
        guard let open = code.enclosing(index), code.language == .kotlin || code.language == .kotlinOrJava,
            code.word(open - 1) == "set", !code.isSign(open - 2, "."), code.partner(open) == open + 2
        else { return false }
        return ["{", "="].contains { code.isSign(open + 3, $0) }
    }

    /// Returns true if a bracket opens the parameters of a function of Swift.
    private func isParameterList(_ open: Int) -> Bool {
        var index = open - 1
        if code.isSign(index, ">") {
            // Generic parameters are few and short.
            while open - index < 64, !code.isSign(index, "<") { index -= 1 }
            index -= 1
        }
        if code.isSign(index, "?") || code.isSign(index, "!") { index -= 1 }
        switch code.word(index) {
        case "init"?, "subscript"?: return !code.isSign(index - 1, ".")
        case nil: return false
        default: return code.word(index - 1) == "func"
        }
    }

    /// Returns true for `Type name` of Java and Objective-C, as a parameter or without a value.
    func isTyped(_ index: Int) -> Bool {
        guard code.language != .kotlin, code.language != .swift, code.isAfterType(index) else { return false }
        if let open = code.enclosing(index), code.isSign(open, "(") {
            return [",", ")", ":", "=", "["].contains { code.isSign(index + 1, $0) }
        }
        // Without a value, a constant of Objective-C is only declared; and a property is used by its object's name.
        return code.isSign(index + 1, ";") && code.word(index - 1) != "const" && !isDeclaredOnly(index)
    }

    /// Returns true for `extern NSString *name;`, in which a macro may stand for the word, and for `@property`.
    private func isDeclaredOnly(_ index: Int) -> Bool {
        guard code.language == .objectiveC else { return false }
        var start = index - 1
        // The type of a property may have a few types in brackets of its own.
        while start >= 0, index - start < 32, ![";", "{", "}"].contains(where: { code.isSign(start, $0) }) {
            if let word = code.word(start) {
                if word == "extern" || word.hasSuffix("EXTERN") || word.hasSuffix("EXPORT") { return true }
                if word == "property", code.isSign(start - 1, "@") { return true }
            }
            start -= 1
        }
        return false
    }

    /// Returns true for the name in Java's `instanceof Type name` and `case Type name`.
    func isTypePattern(_ index: Int) -> Bool {
        guard code.language == .java || code.language == .kotlinOrJava else { return false }
        return ["instanceof", "case"].contains(code.word(index - 2)) && code.word(index - 1) != nil
            || code.word(index - 2) == "final" && code.word(index - 3) == "instanceof"
    }

    /// Returns true for the name after `:(Type)` in a method of Objective-C, which is outside of all brackets.
    func isMethodParameter(_ index: Int) -> Bool {
        code.language == .objectiveC && code.enclosing(index) == nil && code.isSign(index - 1, ")")
            && code.isSign(code.partner(index - 1) - 1, ":")
    }
}
