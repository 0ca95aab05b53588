import ProbeKit

/// IMAP's STARTTLS (RFC 9051 section 6.2.1), after a look at the capabilities.
struct IMAPDialogue: StartingTLS {
    let known = StartTLS.imap
    private var step = Step.greeting
    private var offers = false

    private enum Step {
        case greeting, capabilities, goAhead
    }

    /// Untagged responses may come at any time (RFC 9051 section 7), and each line has to be one: the answer to a command that was
    /// not sent yet may follow them.
    func mayPrecede(_ rest: ArraySlice<UInt8>) -> Bool {
        var input = DialogueInput()
        input.append(rest)
        while input.rest.first == UInt8(ascii: "*") {
            // A line that is not complete, or too long, is for the next step.
            guard (try? input.lineWithLiterals(of: self, where: Self.holdsStrings)) != nil else { return true }
        }
        return input.isEmpty
    }

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        while let line = try input.lineWithLiterals(of: self, where: Self.holdsStrings) {
            let words = line.uppercased().split(separator: " ")
            switch (step, words.first ?? "", words.dropFirst().first ?? "") {
            case (.greeting, "*", "OK"):
                step = .capabilities
                return .says(Array("a1 CAPABILITY\r\n".utf8))
            case (.greeting, "*", "PREAUTH"): throw refusal(line)
            case (_, "*", "BYE"):
                throw refusal(line, of: step == .goAhead ? .tls : .client, isTemporary: isTemporary(line))
            case (.greeting, _, _): throw otherProtocol(line)
            case (.capabilities, "*", "CAPABILITY"): offers = offers || words.contains("STARTTLS")
            case (_, "*", _): break
            case (.capabilities, "A1", "OK"):
                guard offers else { throw notOffered }
                step = .goAhead
                return .says(Array("a2 STARTTLS\r\n".utf8))
            case (.goAhead, "A2", "OK"): return .ready()
            case (_, "A1", "NO"), (_, "A1", "BAD"), (_, "A2", "NO"), (_, "A2", "BAD"):
                throw refusal(line, isTemporary: isTemporary(line))
            default: throw violation("it replied \(line.quoted)")
            }
        }
        return .waits
    }

    /// Returns true for untagged data, whose strings may be literals. A status ends in free text, which may look like one (RFC
    /// 9051 section 9, resp-text).
    private static func holdsStrings(_ line: String) -> Bool {
        let words = line.uppercased().split(separator: " ", maxSplits: 2)
        return words.count > 1 && words[0] == "*" && !["OK", "NO", "BAD", "BYE", "PREAUTH"].contains(words[1])
    }

    /// Returns true for the response code of a server that may answer later (RFC 5530 section 3).
    private func isTemporary(_ line: String) -> Bool { line.uppercased().contains("[UNAVAILABLE]") }
}

/// POP3's STLS (RFC 2595 section 4).
struct POP3Dialogue: StartingTLS {
    let known = StartTLS.pop3
    private var hasBegun = false

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        guard let line = try input.line(of: self) else { return .waits }
        let word = line.split(separator: " ").first ?? ""
        if word == "-ERR" {
            // RFC 3206 section 4, RFC 2449 section 8.1.2.
            let isTemporary = ["[SYS/TEMP]", "[IN-USE]"].contains(where: line.uppercased().contains)
            throw refusal(line, of: hasBegun ? .tls : .client, isTemporary: isTemporary)
        }
        guard word == "+OK" else { throw hasBegun ? violation("it replied \(line.quoted)") : otherProtocol(line) }
        if hasBegun { return .ready() }
        hasBegun = true
        return .says(Array("STLS\r\n".utf8))
    }
}

/// ManageSieve's STARTTLS (RFC 5804 section 2.2); the greeting lists the capabilities.
struct SieveDialogue: StartingTLS {
    let known = StartTLS.sieve
    private var hasAsked = false
    private var offers = false

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        while let line = try input.lineWithLiterals(of: self) {
            let word = line.split(separator: " ").first?.uppercased() ?? ""
            if word == "NO" || word == "BYE" {
                // RFC 5804 section 1.3.
                throw refusal(
                    line, of: hasAsked ? .tls : .client, isTemporary: line.uppercased().contains("(TRYLATER)"))
            }
            if word == "OK" {
                if hasAsked { return .ready() }
                guard offers else { throw notOffered }
                hasAsked = true
                return .says(Array("STARTTLS\r\n".utf8))
            }
            guard !hasAsked, word.hasPrefix("\"") else {
                throw hasAsked ? violation("it replied \(line.quoted)") : otherProtocol(line)
            }
            offers = offers || word == "\"STARTTLS\""
        }
        return .waits
    }
}
