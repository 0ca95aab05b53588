/// The members and functions that change what they get.
extension SourceChanges {
    /// Returns true if the block or argument of a scope function may change what it gets, or if a call after it may, as in
    /// `name.also {…}.clear()`.
    func mayChange(inArgument argument: Int) -> Bool {
        var open = argument
        while true {
            guard code.isSign(open, "{"), !hasChange(in: open) else { return true }
            var next = code.skip(open)
            while code.isSign(next, "?") || code.isSign(next, "!") { next += 1 }
            if code.isSign(next, "[") { return true }
            guard code.isSign(next, "."), let member = code.word(next + 1) else { return false }
            guard Self.scopeFunctions.contains(member) else { return isChanging(member) }
            open = next + 2
        }
    }

    private func hasChange(in block: Int) -> Bool {
        (block..<code.partner(block)).contains { index in
            if code.isSign(index, "]") {
                let isOperator = Self.operators.contains { code.isSign(index + 1, $0) }
                let equals = isOperator ? index + 2 : index + 1
                if code.isSign(equals, "="), !code.isSign(equals + 1, "=") { return true }
                if ["+", "-"].contains(where: { code.isSign(index + 1, $0) && code.isSign(index + 2, $0) }) {
                    return true
                }
            }
            if code.isSign(index, ":"), code.isSign(index + 1, ":") { return isChanging(code.word(index + 2)) }
            guard let word = code.word(index), code.isSign(index + 1, "(") || code.isSign(index + 1, "{") else {
                return false
            }
            return isChanging(word) || Self.copying.contains(word)
        }
    }

    func isChanging(_ member: String?) -> Bool {
        guard let member else { return false }
        // A text's `replace` returns another one in Kotlin and Java.
        return Self.members.contains(member) || member == "replace" && code.language == .swift
    }

    /// The members of the languages' texts and collections that change them.
    private static let members: Set = [
        "add", "addAll", "addFirst", "addLast", "append", "clear", "fill", "formIntersection",
        "formSymmetricDifference", "formUnion", "insert", "merge", "minusAssign", "plusAssign", "popFirst", "popLast",
        "put", "putAll", "putIfAbsent", "remove", "removeAll", "removeAt", "removeFirst", "removeIf", "removeLast",
        "removeSubrange", "removeValue", "replaceAll", "replaceSubrange", "retainAll", "set", "subtract", "update",
        "updateValue", "withContiguousMutableStorageIfAvailable", "withUnsafeMutableBufferPointer",
        "withUnsafeMutableBytes",
    ]

    /// The functions of Kotlin and Java that write to an array among their arguments.
    static let copying: Set = ["arraycopy", "copyInto"]

    /// Kotlin's functions that hand a value to a block.
    static let scopeFunctions: Set = ["also", "apply", "let", "run"]
}
