/// The receivers that stand in no expression: those of the blocks around a call.
extension OkHttpReceivers {
    /// Returns the receiver of a call without one: the builder of the `apply`, `run` or `with` around it, or of an
    /// extension.
    func scope(of index: Int) -> Receiver {
        var inner = index
        while let open = code.enclosing(inner) {
            inner = open
            guard code.isSign(open, "{") else { continue }
            let (name, call) = callee(of: open)
            switch name {
            case "apply"?, "run"?:
                guard let call, code.isSign(call - 1, ".") else { continue }
                return receiver(of: call)
            case "with"?:
                guard let call, code.isSign(call + 1, "(") else { continue }
                return expression(endingAt: code.partner(call + 1) - 1).kind
            default:
                if isExtension(open) { return .pinner }
            }
        }
        return .unknown
    }

    /// Returns the receiver that `it` refers to: that of the `also` or `let` around it.
    func argument(of index: Int) -> Receiver {
        var inner = index
        while let open = code.enclosing(inner) {
            inner = open
            guard code.isSign(open, "{") else { continue }
            let (name, call) = callee(of: open)
            guard let name, let call, ["also", "let"].contains(name) else { return .unknown }
            return receiver(of: call)
        }
        return .unknown
    }

    /// Returns the function that a block is handed to.
    func callee(of open: Int) -> (name: String?, index: Int?) {
        var index = open - 1
        if code.isSign(index, ")") { index = code.partner(index) - 1 }
        return (code.word(index), index)
    }

    /// Returns true if a block is the body of `fun CertificatePinner.Builder.name()`.
    private func isExtension(_ open: Int) -> Bool {
        var index = open - 1
        while index >= 0, open - index < 64, !code.isSign(index, "}"), !code.isSign(index, ";") {
            if code.word(index) == "fun" {
                return code.word(index + 1) == "CertificatePinner" && code.word(index + 3) == "Builder"
                    && code.isSign(index + 4, ".")
            }
            index = code.isSign(index, ")") ? code.partner(index) - 1 : index - 1
        }
        return false
    }
}
