/// The reason why a handshake did not complete: one code out of a closed set, and the stack's own message.
public struct HandshakeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed set of reasons. The raw value is the finding's code and never changes meaning.
    @nonexhaustive public enum Code: String, Sendable, CaseIterable, Codable {
        /// The name has no address.
        case nameNotFound = "name-not-found"
        /// The name could not be looked up; whether it has an address is not known.
        case nameLookupFailed = "name-lookup-failed"
        /// The name has addresses, but none of the family that was asked for.
        case noAddressOfFamily = "no-address-of-family"
        /// The name's records report that it does not offer the service.
        case serviceNotOffered = "service-not-offered"
        /// The name's records do not lead to a server.
        case recordsUnusable = "records-unusable"
        /// Nothing listens on the port.
        case connectionRefused = "connection-refused"
        /// There is no route to the address, or the network refused.
        case networkUnreachable = "network-unreachable"
        /// The deadline passed before there was a TCP connection.
        case connectTimeout = "connect-timeout"
        /// The proxy could not be reached.
        case proxyUnreachable = "proxy-unreachable"
        /// The TLS with the proxy failed, or its certificate is not trusted.
        case proxyTLSFailed = "proxy-tls-failed"
        /// The proxy does not connect this client, or not to this server.
        case proxyRefused = "proxy-refused"
        /// The proxy tried, and did not reach the server.
        case proxyConnectFailed = "proxy-connect-failed"
        /// The peer at the proxy's address does not speak the proxy protocol.
        case proxyProtocolError = "proxy-protocol-error"
        /// The peer reset the connection during the handshake.
        case connectionReset = "connection-reset"
        /// The peer closed the connection during the handshake.
        case connectionClosed = "connection-closed"
        /// The server does not offer to start TLS, or refused.
        case startTLSRefused = "starttls-refused"
        /// The server does not speak the protocol that starts TLS, or broke it.
        case startTLSProtocolError = "starttls-protocol-error"
        /// Bytes came in clear text after the go-ahead for TLS: anyone on the way may have put them there.
        case startTLSInjection = "starttls-injection"
        /// The peer's bytes are not TLS records.
        case notTLS = "not-tls"
        /// The peer refused with a TLS alert.
        case alertReceived = "alert-received"
        /// The deadline passed during the handshake.
        case handshakeTimeout = "handshake-timeout"
        /// The peer sent more certificates, or a larger certificate message, than ``HandshakeLimits`` allows.
        case chainTooLong = "chain-too-long"
        /// The peer broke the protocol, or the stack rejected the peer's message.
        case protocolError = "protocol-error"
        /// The stack does not support the request, so nothing was sent.
        case unsupported
        /// This process was too late with its own work, or short of descriptors or memory, to say anything about the peer.
        case localOverload = "local-overload"
        /// The backend itself failed, which means nothing for the peer.
        case backendError = "backend-error"

        /// True if the peer was never reached.
        public var isUnreachable: Bool {
            switch self {
            case .nameNotFound, .nameLookupFailed, .noAddressOfFamily, .serviceNotOffered, .recordsUnusable,
                .connectionRefused, .networkUnreachable, .connectTimeout, .proxyUnreachable, .proxyTLSFailed,
                .proxyRefused, .proxyConnectFailed,
                .proxyProtocolError:
                true
            default: false
            }
        }

        /// True if the same handshake may succeed later: the peer was not there, was late or went away. A peer that
        /// answers and breaks the protocol, or refuses with an alert, keeps doing so; and so does a proxy. A name gets no
        /// address of another family, and no other records, by waiting for them.
        public var isTransient: Bool {
            switch self {
            case .handshakeTimeout, .connectionReset, .connectionClosed, .localOverload: true
            case .proxyTLSFailed, .proxyRefused, .proxyProtocolError, .noAddressOfFamily, .serviceNotOffered,
                .recordsUnusable:
                false
            default: isUnreachable
            }
        }
    }

    /// The reason.
    public let code: Code
    /// A one-sentence message.
    public let message: String
    /// The stack's own code, whole, like `error:0A000438` or `GNUTLS_E_FATAL_ALERT_RECEIVED`.
    public let nativeCode: String?
    /// The alert, when one was received.
    public let alert: Alert?
    /// True if the client's side of the handshake was complete by then, so that the server had proved its key: in TLS
    /// 1.3 a server refuses a client only after that (RFC 8446 section 4.4.2.4).
    public let isAfterHandshake: Bool
    /// The protocol that the peer spoke instead of TLS, where it is recognised.
    public let clearText: ClearText?
    /// The entries of a ``ClientOffer`` that the stack does not have, where that is why nothing was sent.
    public let refusedEntries: [String]
    /// The cause within the code, where it is known and asks for a change of its own.
    public let cause: Cause?

    /// Creates a failure.
    public init(
        _ code: Code, _ message: String, nativeCode: String? = nil, alert: Alert? = nil,
        isAfterHandshake: Bool = false, clearText: ClearText? = nil, refusedEntries: [String] = [],
        cause: Cause? = nil
    ) {
        self.code = code
        self.message = message
        self.nativeCode = nativeCode
        self.alert = alert
        self.isAfterHandshake = isAfterHandshake
        self.clearText = clearText
        self.refusedEntries = refusedEntries
        self.cause = cause
    }

    /// True if the same handshake may succeed later, by the code or by the server's own report.
    public var isTransient: Bool { cause == .temporary || code.isTransient }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The sentence, with the stack's own code if it has one.
    package var reason: String { message + (nativeCode.map { " (\($0))" } ?? "") }
}

extension HandshakeFailure {
    /// A cause that the code alone does not show. Backends in programs may name the first three, by their raw values.
    @nonexhaustive public enum Cause: String, Hashable, Sendable, CaseIterable {
        /// The server chose a version that was not offered, in place of the alert protocol_version.
        case versionNotOffered = "version-not-offered"
        /// The key usage of the server's certificate does not permit the key exchange that the server chose (RFC 5246
        /// section 7.4.2).
        case keyUsage = "key-usage"
        /// The server does not support secure renegotiation (RFC 5746), and the stack refuses servers without it.
        case legacyRenegotiation = "legacy-renegotiation"
        /// The server's request for a client certificate takes no signature by the key of the one that was given, and the stack
        /// ends the handshake over it.
        case clientKeyExcluded = "client-key-excluded"
        /// The server gave no greeting where its protocol begins with one, as one does that waits for the client to begin
        /// TLS.
        case noGreeting = "no-greeting"
        /// The server or the proxy reported a condition that passes (RFC 5321 section 4.2.1).
        case temporary
        /// The server refused this client before it was asked to start TLS.
        case clientRefused = "client-refused"
        /// The server does not serve the name that it was asked for (RFC 6120 section 4.9.3.6).
        case nameNotServed = "name-not-served"
        /// The lookup of the name's records failed or found no address; it has DNS servers of its own.
        case recordLookup = "record-lookup"
        /// The socket's path leads to no file.
        case noSocket = "no-socket"
        /// The proxy can't be asked for an address with a zone, which names an interface of this machine (RFC 4007 section 11).
        case zoneBehindProxy = "zone-behind-proxy"
        /// The proxy asks for credentials, or does not take those that it was given.
        case proxyCredentials = "proxy-credentials"
        /// The program that the backend is did not answer as its protocol demands.
        case programFault = "program-fault"
        /// The program that the backend is did not answer in time.
        case programHung = "program-hung"
        /// The program that the backend is was not asked, since other requests took the time.
        case programBusy = "program-busy"
        /// The program that the backend is reported a failure of its own.
        case programReport = "program-report"
    }
}

extension HandshakeFailure.Cause {
    /// Creates the cause of a backend in a program of its own that gave no answer.
    package init(_ silence: TrustReading.Silence) {
        switch silence {
        case .programFault: self = .programFault
        case .programHung: self = .programHung
        case .programBusy: self = .programBusy
        }
    }
}

extension HandshakeFailure {
    /// A protocol that is recognised by how its servers begin in clear text.
    @nonexhaustive public enum ClearText: String, Hashable, Sendable, CaseIterable {
        /// A response of HTTP.
        case http = "HTTP"
        /// The identification of an SSH server.
        case ssh = "SSH"
        /// A greeting with 220 that names SMTP or ESMTP.
        case smtp = "SMTP"
        /// A greeting with 220 that names FTP.
        case ftp = "FTP"
        /// A greeting that begins with 220 and says no more.
        case smtpOrFTP = "SMTP or FTP"
        /// A greeting of IMAP, `* OK`.
        case imap = "IMAP"
        /// A greeting of POP3, `+OK`.
        case pop3 = "POP3"

        /// The protocol of a server's first bytes; nil where they fit none of these.
        public init?(greeting bytes: some Collection<UInt8>) {
            let text = String(decoding: bytes.prefix(512), as: UTF8.self)
            if text.hasPrefix("HTTP/") {
                self = .http
            } else if text.hasPrefix("SSH-") {
                self = .ssh
            } else if text.hasPrefix("220 ") || text.hasPrefix("220-") {
                let words = text.uppercased()
                self = words.contains("SMTP") ? .smtp : words.contains("FTP") ? .ftp : .smtpOrFTP
            } else if text.hasPrefix("* OK") || text.hasPrefix("* PRE") {
                self = .imap
            } else if text.hasPrefix("+OK") {
                self = .pop3
            } else {
                return nil
            }
        }
    }

    /// The failure of a handshake with a peer that began with bytes that are not TLS.
    public static func notTLS(_ bytes: some Collection<UInt8>) -> HandshakeFailure {
        let clearText = ClearText(greeting: bytes)
        let subject = clearText.map { "the peer speaks \($0.rawValue), not TLS" } ?? "the peer does not speak TLS"
        return HandshakeFailure(
            .notTLS, "\(subject): it began with \"\(MasterFileText.escape(Array(bytes.prefix(40))))\"",
            clearText: clearText)
    }
}

extension HandshakeFailure {
    /// Creates the failure of a stack that gave no trust decision; nil if it gave one.
    package init?(without decision: TrustReading) {
        guard !decision.isAnswered, let problem = decision.problems.first else { return nil }
        self.init(
            .backendError, problem.message, nativeCode: problem.nativeCode, cause: decision.silence.map(Cause.init(_:)))
    }
}

extension BackendAbsence {
    /// The failure of a handshake that was asked for all the same.
    public var handshakeFailure: HandshakeFailure { HandshakeFailure(.backendError, description) }
}
