/// The reason why an exchange brought no reply: one code out of a closed set, and a sentence.
public struct DNSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed set of reasons. The raw values never change meaning.
    public enum Code: String, Sendable, CaseIterable, Codable {
        /// The deadline passed; forged replies may have come, see ``DNSAttempt/dropped``.
        case timeout
        /// Nothing listens on the port.
        case refused = "connection-refused"
        /// There is no route to the server.
        case unreachable = "network-unreachable"
        /// The server closed the TCP connection before the reply was complete.
        case closed = "connection-closed"
        /// The TCP stream's length prefix and its message do not fit.
        case framing = "tcp-framing"
        /// The server's TLS handshake failed, or its certificate is not trusted.
        case tls = "tls-failed"
        /// The server's response is not HTTP.
        case http = "http-broken"
        /// The HTTP response has another status than 200.
        case httpStatus = "http-status"
        /// The HTTP response is not a DNS message by its content type or size.
        case httpContent = "http-content"
        /// The stack gave up, and does not report at which of its exchanges or why.
        case gaveUp = "gave-up"
        /// The query could not be made: nothing was sent.
        case badQuery = "bad-query"
        /// This process was too late with its own work to say anything about the server.
        case localOverload = "local-overload"
        /// The backend itself failed, which means nothing for the server.
        case backendError = "backend-error"
    }

    /// The reason.
    public let code: Code
    /// A one-sentence message.
    public let message: String

    /// Creates a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
