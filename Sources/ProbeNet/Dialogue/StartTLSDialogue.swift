import ProbeKit

/// The dialogues of the protocols that start TLS.
enum StartTLSDialogue {
    /// Returns the dialogue of a protocol with a server of a name.
    static func of(_ known: StartTLS, for name: ServerName) -> any Dialogue {
        switch known {
        case .smtp, .lmtp, .ftp, .nntp: ReplyDialogue(known)
        case .imap: IMAPDialogue()
        case .pop3: POP3Dialogue()
        case .sieve: SieveDialogue()
        case .xmppClient, .xmppServer: XMPPDialogue(known, to: name)
        case .ldap: LDAPDialogue()
        case .postgres: PostgresDialogue()
        case .mysql: MySQLDialogue()
        case .rdp: RDPDialogue()
        }
    }
}

/// The thing that a server refused when it said no: each asks for a change of its own.
enum RefusedSubject: Sendable {
    /// The request to start TLS.
    case tls
    /// The client, before it had asked for TLS.
    case client
    /// The name that the client asked for.
    case name
}

/// A dialogue that starts TLS.
protocol StartingTLS: Dialogue {
    /// The protocol.
    var known: StartTLS { get }
}

extension StartingTLS {
    func violation(_ message: String) -> HandshakeFailure {
        HandshakeFailure(.startTLSProtocolError, "the server does not speak \(known.rawValue) as it should: \(message)")
    }

    /// The failure of a server that does not offer TLS.
    var notOffered: HandshakeFailure {
        HandshakeFailure(.startTLSRefused, "the server speaks \(known.rawValue) and does not offer to start TLS")
    }

    /// Returns the failure of a server that said no.
    ///
    /// - Parameters:
    ///   - words: its own words.
    ///   - subject: the thing that it refused.
    ///   - isTemporary: true if by its own words it may say yes later.
    func refusal(
        _ words: String, of subject: RefusedSubject = .tls, isTemporary: Bool = false
    ) -> HandshakeFailure {
        let (refused, cause): (String, HandshakeFailure.Cause?) =
            switch subject {
            case .tls: ("to start TLS", nil)
            case .client: ("this client before TLS", .clientRefused)
            case .name: ("the name before TLS", .nameNotServed)
            }
        return HandshakeFailure(
            .startTLSRefused, "the server refused \(refused): \(words.quoted)", cause: isTemporary ? .temporary : cause)
    }

    /// Returns the failure of a server that began with something else.
    func otherProtocol(_ words: String) -> HandshakeFailure {
        let other = HandshakeFailure.ClearText(greeting: words.utf8).map { "it speaks \($0.rawValue)" }
        return violation("\(other ?? "it began") with \(words.quoted)")
    }

    /// Throws if the peer's first bytes are a TLS alert: it speaks TLS from the first byte, and did not understand us.
    func refuseTLS(_ input: DialogueInput) throws(HandshakeFailure) {
        guard input.rest.first == 0x15, input.rest.dropFirst().first.map({ $0 == 3 }) ?? true else { return }
        throw violation("it answered with a TLS alert; the port speaks TLS from its first byte")
    }
}
