/// The tuples of Swift that are assigned as a whole.
extension SourceChanges {
    /// Returns true if parentheses open a tuple of Swift that is assigned, or one within it. After `let` and `var` they
    /// declare other variables, after `case` they only compare, and after the `:` of a variable or
    /// a parameter they are a type.
    func isAssignedTuple(_ open: Int) -> Bool {
        guard code.language == .swift, code.isSign(open, "(") else { return false }
        // A label may be before it.
        if let outer = code.enclosing(open), tuples.contains(outer) { return code.word(open - 1) == nil }
        guard !isType(open) else { return false }
        let end = code.skip(open)
        return code.isSign(end, "=") && !code.isSign(end + 1, "=")
            && !["let", "var", "case"].contains(code.word(open - 1))
    }

    private func isType(_ open: Int) -> Bool {
        guard code.isSign(open - 1, ":") else { return false }
        // After a pattern, in a `switch`, it is a statement.
        if ["let", "var"].contains(code.word(open - 3)) {
            return code.word(open - 4) != "case" && !code.isSign(open - 4, ",")
        }
        return code.enclosing(open).map { code.isSign($0, "(") } ?? false
    }

    /// Returns true for a name in such a tuple, and not for a label.
    func isPartOfTuple(_ index: Int) -> Bool {
        guard let open = code.enclosing(index), tuples.contains(open) else { return false }
        return !code.isSign(index + 1, ":")
    }
}
