/// The block that one of Kotlin's scope functions runs with a value, like `pins.let {…}`.
///
/// In `let` and `also` a call without a receiver is one of the code around it; in `apply`, `run` and `with` it may be a
/// member of the value.
struct SourceScopeBlock {
    private let code: SourceCode
    private let range: Range<Int>
    /// True if the value is `this`.
    private let hasReceiver: Bool
    /// The names that the value may have: a variable that is assigned in the block may be the value too.
    private let names: Set<String>

    init?(_ code: SourceCode, at open: Int) {
        guard code.isSign(open, "{") else { return nil }
        self.code = code
        range = open..<code.partner(open)
        hasReceiver = code.word(open - 1).map { !["also", "let"].contains($0) } ?? true
        var names: Set = ["it", "this"]
        for index in range {
            if code.isSign(index, "{") { names.formUnion(Self.parameters(of: index, code)) }
            guard let word = code.word(index) else { continue }
            let isDeclared = code.word(index - 1) == "val" || code.word(index - 1) == "var"
            if isDeclared || code.isSign(index + 1, "=") && !code.isSign(index + 2, "=") { names.insert(word) }
        }
        self.names = names
    }

    /// Returns the words before the arrow with which a block begins.
    private static func parameters(of open: Int, _ code: SourceCode) -> [String] {
        var words: [String] = []
        // People write few parameters.
        for index in open + 1..<open + 32 {
            if let word = code.word(index) {
                words.append(word)
            } else if code.isSign(index, "-"), code.isSign(index + 1, ">") {
                return words
            } else if !["(", ")", ",", ":", "?", ".", "<", ">"].contains(where: { code.isSign(index, $0) }) {
                return []
            }
        }
        return []
    }

    /// Returns true if the block calls a changing member of the value, replaces an element of it, or extends it.
    func mayChange(_ isChanging: (String?) -> Bool) -> Bool {
        range.contains { index in
            if isAssignment(index + 1), code.isSign(index, "]") { return isOfValue(endingAt: code.partner(index) - 1) }
            if code.isSign(index, "+") || code.isSign(index, "-"), isAssignment(index + 1) {
                return isOfValue(endingAt: index - 1)
            }
            guard isChanging(code.word(index)) else { return false }
            if code.isSign(index - 1, ":"), code.isSign(index - 2, ":") {
                return code.word(index - 3) == nil ? isImplicit(index) : isOfValue(endingAt: index - 3)
            }
            guard code.isSign(index + 1, "(") || code.isSign(index + 1, "{") else { return false }
            return code.isSign(index - 1, ".") ? isOfValue(endingAt: index - 2) : isImplicit(index)
        }
    }

    /// Returns true if the block gives the value to a function, which may change it.
    var handsOn: Bool {
        range.contains { index in
            guard let word = code.word(index), names.contains(word) else { return false }
            return ["(", ",", "="].contains { code.isSign(index - 1, $0) }
                && [")", ","].contains { code.isSign(index + 1, $0) }
        }
    }

    private func isAssignment(_ index: Int) -> Bool { code.isSign(index, "=") && !code.isSign(index + 1, "=") }

    /// Returns true if an expression may be the value or a view of it: it has one of its names, or begins with a call that
    /// may be a member of it.
    private func isOfValue(endingAt end: Int) -> Bool {
        var start = end
        // A longer expression is not followed to its start.
        while end - start < 64, start > range.lowerBound {
            if [")", "]", "}"].contains(where: { code.isSign(start, $0) }) {
                start = code.partner(start) - 1
            } else if code.isSign(start, "?") || code.isSign(start, "!") || code.isSign(start, ".") {
                start -= 1
            } else if code.word(start) == nil {
                return isImplicit(end) || hasName(start...end)
            } else if code.isSign(start - 1, ".") {
                start -= 2
            } else if code.isSign(start - 1, "@"), code.word(start - 2) != nil {
                start -= 2
            } else {
                if ["Arrays", "Collections"].contains(code.word(end)) { return true }
                let isCall = code.isSign(start + 1, "(") || code.isSign(start + 1, "{")
                return isCall && isImplicit(start) || hasName(start...end)
            }
        }
        return true
    }

    private func hasName(_ range: ClosedRange<Int>) -> Bool {
        range.contains { code.word($0).map(names.contains) ?? false }
    }

    /// Returns true if a call without a receiver may be a member of the value, as in `apply`, also within this block.
    private func isImplicit(_ index: Int) -> Bool {
        if hasReceiver { return true }
        var inner = index
        while let open = code.enclosing(inner), open > range.lowerBound {
            let callee = code.isSign(open - 1, ")") ? code.partner(open - 1) - 1 : open - 1
            if code.isSign(open, "{"), let function = code.word(callee) {
                if ["apply", "run", "with"].contains(function) { return true }
                if code.isSign(callee - 1, "."), !Self.plainFunctions.contains(function) { return true }
            }
            inner = open
        }
        return false
    }

    /// Members whose block has no receiver.
    private static let plainFunctions: Set = ["also", "forEach", "forEachIndexed", "let", "map"]
}
