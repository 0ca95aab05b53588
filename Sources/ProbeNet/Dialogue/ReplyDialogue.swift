import ProbeKit

/// The dialogue of the protocols whose servers reply with numbers of three digits: SMTP (RFC 3207), LMTP (RFC 2033), FTP
/// (RFC 4217) and NNTP (RFC 4642).
struct ReplyDialogue: StartingTLS {
    let known: StartTLS
    private var step = Step.greeting
    private var reply = NumberedReply()

    private enum Step {
        case greeting, hello, goAhead
    }

    init(_ known: StartTLS) { self.known = known }

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        while let line = try input.line(of: self) {
            guard try take(line) else { continue }
            let whole = reply
            reply = NumberedReply()
            return try answer(whole)
        }
        return .waits
    }

    /// Takes a line, and returns true if it ends the reply.
    private mutating func take(_ line: String) throws(HandshakeFailure) -> Bool {
        if let isComplete = reply.take(line, isLoose: known == .ftp) { return isComplete }
        throw step == .greeting ? otherProtocol(line) : violation("it replied \(line.quoted)")
    }

    private mutating func answer(_ reply: NumberedReply) throws(HandshakeFailure) -> DialogueTurn {
        switch step {
        case .greeting:
            // FTP announces a delay before the greeting itself (RFC 959 section 5.4).
            if known == .ftp, reply.code == 120 { return .says([]) }
            guard greetings.contains(reply.code) else { throw refusal(reply) }
            guard let hello else { return start() }
            step = .hello
            return .says(Array("\(hello) probe.invalid\r\n".utf8))
        case .hello:
            guard reply.code == 250 else { throw refusal(reply) }
            let offers = reply.lines.dropFirst().contains {
                $0.split(separator: " ").first?.uppercased() == "STARTTLS"
            }
            guard offers else { throw notOffered }
            return start()
        case .goAhead:
            guard reply.code == goAhead else { throw refusal(reply) }
            return .ready()
        }
    }

    private func refusal(_ reply: NumberedReply) -> HandshakeFailure {
        refusal(reply.text, of: isAboutTLS(reply.code) ? .tls : .client, isTemporary: isTemporary(reply.code))
    }

    /// Returns true for the answer to the request, and for that of a server too old for the command that lists the offer (RFC
    /// 5321 section 4.2.4); any other refuses the client.
    private func isAboutTLS(_ code: Int) -> Bool {
        switch step {
        case .greeting: false
        case .hello: [500, 502].contains(code)
        case .goAhead: true
        }
    }

    /// Returns true for a code of a condition that passes (RFC 5321 section 4.2.1, RFC 959 section 4.2.1); NNTP has one (RFC
    /// 3977 section 3.2.1).
    private func isTemporary(_ code: Int) -> Bool {
        known == .nntp ? code == 400 : (400..<500).contains(code)
    }

    private mutating func start() -> DialogueTurn {
        step = .goAhead
        return .says(Array((known == .ftp ? "AUTH TLS\r\n" : "STARTTLS\r\n").utf8))
    }

    private var greetings: Set<Int> { known == .nntp ? [200, 201] : [220] }

    private var hello: String? {
        switch known {
        case .smtp: "EHLO"
        case .lmtp: "LHLO"
        default: nil
        }
    }

    private var goAhead: Int {
        switch known {
        case .ftp: 234
        case .nntp: 382
        default: 220
        }
    }
}

/// A reply of one line or several, which all begin with the same number (RFC 5321 section 4.2.1).
struct NumberedReply {
    private(set) var code = 0
    /// The text of each line, without the number.
    private(set) var lines: [String] = []

    /// The last line, with the number.
    var text: String { "\(code) \(lines.last ?? "")" }

    /// Takes a line, and returns true if it is the last one; nil if it does not belong to a reply.
    ///
    /// - Parameter isLoose: true if lines between the first and the last may have any form (RFC 959 section 4.2).
    mutating func take(_ line: String, isLoose: Bool) -> Bool? {
        let digits = line.utf8.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(line.prefix(3)),
            number >= 100, lines.isEmpty || number == code
        else { return isLoose && !lines.isEmpty ? false : nil }
        let mark = line.utf8.dropFirst(3).first
        guard mark == nil || mark == UInt8(ascii: " ") || mark == UInt8(ascii: "-") else {
            return isLoose && !lines.isEmpty ? false : nil
        }
        code = number
        lines.append(String(line.dropFirst(4)))
        return mark != UInt8(ascii: "-")
    }
}
