public import ProbeKit

/// The server's side of what comes before TLS, as data: a protocol that starts it, and a proxy.
public struct LabDialogue: Hashable, Sendable {
    /// A fault of the server's.
    public enum Fault: Hashable, Sendable, CaseIterable {
        /// It does not offer to start TLS.
        case offersNone
        /// It says no.
        case refuses
        /// Bytes in clear text follow its go-ahead.
        case injects
        /// It speaks before it is asked.
        case hurries
    }

    /// One step.
    public enum Step: Hashable, Sendable {
        /// The server sends these bytes.
        case says([UInt8])
        /// The client has to send exactly these.
        case hears([UInt8])
    }

    /// The protocol that starts TLS; nil where only a proxy comes before it.
    public let known: StartTLS?
    /// The identity with which a proxy begins TLS before the steps; nil speaks in clear text.
    public private(set) var proxyIdentity: LabIdentityName?
    /// The steps, after which TLS begins.
    public let steps: [Step]

    /// Creates the dialogue with clients that ask for `name`.
    public init(_ known: StartTLS, _ fault: Fault? = nil, name: String = "good.test") {
        self.known = known
        let script = LabDialogueScript(known, name: name)
        steps =
            switch fault {
            case nil: script.regular
            case .offersNone: script.offersNone
            case .refuses: script.refuses
            case .injects: Self.appending("\r\ninjected\r\n", to: script.regular) { $0.last }
            case .hurries: Self.appending("\r\nearly\r\n", to: script.regular) { $0.first }
            }
    }

    /// Creates the dialogue of a proxy, with that of what is behind it.
    ///
    /// - Parameters:
    ///   - target: the endpoint that the client has to ask for.
    ///   - credentials: `user:password` that it has to give; nil asks for none.
    ///   - identity: the proxy's own, with TLS to it.
    ///   - fault: the proxy's answer in place of a connection.
    ///   - next: the dialogue of the server behind it.
    public init(
        proxy scheme: HandshakeRequest.Proxy.Scheme, to target: Endpoint, credentials: String? = nil,
        identity: LabIdentityName? = nil, fault: LabProxyFault? = nil, then next: LabDialogue? = nil
    ) {
        known = next?.known
        proxyIdentity = identity
        let script = LabProxyScript(scheme, target, credentials: credentials)
        steps = script.steps(fault) + (fault == nil ? next?.steps ?? [] : [.hears([0])])
    }

    /// Returns the steps with text after what the server says at one of them.
    private static func appending(
        _ text: String, to steps: [Step], at place: ([Int]) -> Int?
    ) -> [Step] {
        let speaking = steps.indices.filter { if case .says = steps[$0] { true } else { false } }
        guard let index = place(speaking), case .says(let bytes) = steps[index] else { return steps }
        var steps = steps
        steps[index] = .says(bytes + Array(text.utf8))
        return steps
    }
}

extension LabPeer {
    /// Begins like a server of the protocol and does not end what it has to say.
    public static func endless(_ known: StartTLS) -> LabPeer {
        let (cue, bytes, refrain): (LabScript.Cue, String, [UInt8]) =
            switch known {
            case .smtp, .lmtp, .ftp: (.accept, "", Array("220-mail.test\r\n".utf8))
            case .nntp: (.accept, "", Array("200 news.test\r\n".utf8))
            case .imap: (.accept, "", Array("* OK imap.test\r\n".utf8))
            case .pop3: (.accept, "", Array("+OK pop.test\r\n".utf8))
            case .sieve: (.accept, "", Array("\"SIEVE\" \"fileinto\"\r\n".utf8))
            case .xmppClient, .xmppServer:
                (.firstBytes, "<?xml version='1.0'?><stream:stream><stream:features>", Array("<a/>".utf8))
            case .ldap: (.firstBytes, "", [0x30, 0x84, 0x7f, 0xff, 0xff, 0xff])
            case .postgres: (.firstBytes, "", Array("X".utf8))
            case .mysql: (.accept, "", [0xff, 0xff, 0xff, 0])
            case .rdp: (.firstBytes, "", [3, 0, 0xff, 0xff])
            }
        return script(LabScript(on: cue, bytes: Array(bytes.utf8), refrain: refrain))
    }
}
