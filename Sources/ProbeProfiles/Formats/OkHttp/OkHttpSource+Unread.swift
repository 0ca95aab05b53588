import ProbeKit

/// The places where pins could hide: mentions of the class, and builders that other code gets.
extension OkHttpSource {
    /// Checks a mention of the class: its pins must have been read, or it has none.
    func visitPinner(_ index: Int) throws(InputError) {
        if isRenamed(index) { throw refuse("gives CertificatePinner another name", at: index) }
        if code.isSign(index + 1, "("), code.word(index - 1) != "class" {
            guard hasEntry(index..<code.skip(index + 1)) else {
                throw refuse("makes a CertificatePinner of pins that can't be read", at: index)
            }
        }
        guard code.isSign(index + 1, "."), code.word(index + 2) == "Builder", code.isSign(index + 3, "(") else {
            return
        }
        // The calls on it, up to the end of the chain.
        var (end, names) = (code.skip(index + 3), [String]())
        while true {
            var next = end
            while code.isSign(next, "?") || code.isSign(next, "!") { next += 1 }
            guard code.isSign(next, "."), let name = code.word(next + 1) else { break }
            names.append(name)
            try checkMember(next + 1)
            end = next + 2
            while code.isSign(end, "(") || code.isSign(end, "{") { end = code.skip(end) }
        }
        if let open = code.enclosing(index), code.word(open - 1) == "with", code.isSign(code.skip(open), "{") {
            end = max(end, code.skip(code.skip(open)))
        }
        guard !hasEntry(index..<end), names != ["build"] else { return }
        if let name = variable(before: index), filled.contains(name) { return }
        throw refuse("makes a CertificatePinner.Builder whose pins can't be read", at: index)
    }

    private func hasEntry(_ range: Range<Int>) -> Bool { range.contains(where: calls.contains) }

    /// Returns the variable that an expression is assigned to.
    private func variable(before index: Int) -> String? {
        var start = index
        while code.isSign(start - 1, "."), code.word(start - 2) != nil { start -= 2 }
        if code.word(start - 1) == "new" { start -= 1 }
        guard code.isSign(start - 1, "=") else { return nil }
        var name = start - 2
        // Kotlin's type is between the name and the value.
        while code.isSign(name - 1, "."), code.word(name - 2) != nil { name -= 2 }
        return code.isSign(name - 1, ":") ? code.word(name - 2) : code.word(name)
    }

    /// Returns true for `import okhttp3.CertificatePinner as Name`, or `typealias Name = CertificatePinner`.
    private func isRenamed(_ index: Int) -> Bool {
        if code.word(index - 1) != nil || code.isSign(index - 1, "."), code.word(index + 1) == "as" {
            return code.word(index - 4) == "import" || code.word(index - 3) == "import"
        }
        return (index - 5..<index).contains { code.word($0) == "typealias" && code.word(index + 1) != "as" }
            && code.tokens[index].line == code.tokens[max(0, index - 2)].line
    }

    /// Rejects a builder that is passed to a function of another file, where it may get pins.
    func visitBuilders() throws(InputError) {
        let builders = receivers.builders
        for index in code.tokens.indices {
            guard let name = code.word(index), builders.contains(name) || name == "this" || name == "it" else {
                continue
            }
            if code.isSign(index + 1, "."), builders.contains(name), !code.isSign(index - 1, ".") {
                try checkMember(index + 2)
            }
            guard let open = code.enclosing(index), code.isSign(open, "("), let function = code.word(open - 1),
                function != "with", code.isSign(index - 1, "(") || code.isSign(index - 1, ","),
                code.isSign(index + 1, ")") || code.isSign(index + 1, ","), !isDefined(function),
                builders.contains(name) || receivers.kind(at: index) == .pinner
            else { continue }
            throw refuse("hands '\(name)' to '\(function)', where it may get more pins", at: index)
        }
    }

    /// Rejects an unknown member of a builder, or an unknown function that gets it: both may add pins.
    private func checkMember(_ index: Int) throws(InputError) {
        guard let name = code.word(index) else { return }
        switch name {
        case "apply", "also", "run", "let":
            guard code.isSign(index + 1, "(") else { return }
        case "add", "build", "pins": return
        default: if isDefined(name) || !code.isSign(index + 1, "(") { return }
        }
        throw refuse("calls '\(name)' on a CertificatePinner.Builder, which may add pins", at: index)
    }

    /// Returns true if the file has a function of that name.
    private func isDefined(_ name: String) -> Bool { functions.contains(name) }
}
