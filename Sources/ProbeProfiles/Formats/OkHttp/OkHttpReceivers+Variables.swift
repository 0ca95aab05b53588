/// The declarations of names, by which a variable is known to hold a builder.
extension OkHttpReceivers {
    /// Returns the declared type of a name; nil if it is not declared there.
    func declaration(at index: Int) -> Receiver? {
        // Kotlin: `name: Type`, a parameter too.
        if code.isSign(index + 1, ":"), !code.isSign(index + 2, ":"), let type = code.word(index + 2) {
            let path = names(at: index + 2)
            if path.contains("CertificatePinner") { return path.last == "Builder" ? .pinner : .other }
            guard path.last != "Builder" else { return path.count == 1 ? nil : .builder }
            return type.first?.isUppercase == true ? .other : nil
        }
        // Java: `Type name`.
        if let type = code.word(index - 1), type.first?.isUppercase == true,
            [";", "=", ",", ")", ":"].contains(where: { code.isSign(index + 1, $0) })
        {
            if type == "Builder", code.isSign(index - 2, ".") {
                return code.word(index - 3) == "CertificatePinner" ? .pinner : .builder
            }
            return type == "Builder" ? nil : .other
        }
        if code.isSign(index - 1, ">"), code.isSign(index + 1, "=") || code.isSign(index + 1, ";") { return .other }
        // `{ name -> …`, the receiver of the function that the block is handed to.
        if code.isSign(index - 1, "{"), code.isSign(index + 1, "-"), code.isSign(index + 2, ">") {
            let (name, call) = callee(of: index - 1)
            guard let name, let call, ["also", "let"].contains(name) else { return .unknown }
            return receiver(of: call)
        }
        // Other parameters of blocks: `name -> …` and `(name, other) -> …`.
        let list = code.enclosing(index).flatMap { code.isSign($0, "(") ? $0 : nil }
        let arrow = list.map { code.skip($0) } ?? index + 1
        if code.isSign(arrow, "-"), code.isSign(arrow + 1, ">") { return .unknown }
        guard code.isSign(index + 1, "="), !code.isSign(index + 2, "="), !code.isSign(index - 1, ".") else {
            return nil
        }
        return initialiser(at: index + 2)
    }

    /// Returns the result of the chain of calls that starts here.
    private func initialiser(at start: Int) -> Receiver? {
        var index = start
        if code.word(index) == "new" { index += 1 }
        guard code.word(index) != nil else { return nil }
        while true {
            var next = index + 1
            while code.isSign(next, "(") || code.isSign(next, "{") { next = code.skip(next) }
            while code.isSign(next, "?") || code.isSign(next, "!") { next += 1 }
            guard code.isSign(next, "."), code.word(next + 1) != nil else { break }
            index = next + 1
        }
        var end = index
        while code.isSign(end + 1, "(") || code.isSign(end + 1, "{") { end = code.partner(end + 1) }
        let (kind, root) = expression(endingAt: end)
        return kind == .unknown && root == nil ? nil : kind
    }

    /// Words with dots between them.
    private func names(at start: Int) -> [String] {
        var (index, names) = (start, [String]())
        while let name = code.word(index) {
            names.append(name)
            guard code.isSign(index + 1, ".") else { break }
            index += 2
        }
        return names
    }
}
