/// The reason why an exchange brought no reply: one code out of a closed set, and a sentence.
public struct DNSFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed set of reasons. The raw values never change meaning.
    @nonexhaustive public enum Code: String, Sendable, CaseIterable, Codable {
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
        /// The server's certificate is trusted, and its key is not one of those that it may have.
        case serverPin = "server-pin-mismatch"
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
    /// The cause within the code, where it is known and asks for a change of its own.
    package let cause: Cause?

    /// Creates a failure.
    public init(_ code: Code, _ message: String) { self.init(code, message, cause: nil) }

    /// Creates a failure by a cause.
    package init(_ code: Code, _ message: String, cause: Cause?) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension DNSFailure {
    /// A cause that the code alone does not show.
    package enum Cause: Hashable, Sendable {
        /// The verifier's objection to the server's certificate.
        case certificate(TrustCause)
        /// The status of the HTTP response.
        case status(Int)
        /// The name of the server has no address.
        case noAddress
        /// The stack asks nobody for such a name, and others may.
        case unaskedName
    }
}

/// The reason why a reply is unusable: one code out of a closed set, and a sentence.
public struct ReplyFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed set of reasons. The raw values never change meaning.
    @nonexhaustive public enum Code: String, Sendable, CaseIterable, Codable {
        /// The bytes break RFC 1035, RFC 6891 or the boundaries of a record.
        case malformed
        /// Bytes follow the last record that the header counts.
        case trailingBytes = "trailing-bytes"
        /// The message is a query, not a reply (QR is 0).
        case notAReply = "not-a-reply"
        /// The operation is not a standard query.
        case wrongOpcode = "wrong-opcode"
        /// The id is not the query's.
        case wrongID = "wrong-id"
        /// The question is missing, or is not the one that was asked.
        case wrongQuestion = "wrong-question"
        /// The reply is truncated, and no complete one came.
        case truncated
        /// SERVFAIL: the server could not answer, or its DNSSEC validation failed.
        case serverFailure = "server-failure"
        /// REFUSED: the server does not answer for this name, or not to us.
        case refused = "query-refused"
        /// Another response code than NOERROR and NXDOMAIN.
        case responseCode = "response-code"
        /// The server reports that it forged, blocked, censored or filtered the answer (RFC 8914 codes 4, 15, 16, 17).
        case filtered
        /// A referral to other servers: this one has no answer.
        case referral
        /// No records, and no SOA record that would prove their absence (RFC 2308 section 2.2).
        case noProof = "absence-unproven"
        /// The chain of aliases is a loop.
        case aliasLoop = "alias-loop"
        /// The chain of aliases has more than `TXTReader.maximumAliases` links.
        case aliasChain = "alias-chain-too-long"
        /// A name has an alias and other data (RFC 2181 section 10.1).
        case aliasConflict = "alias-conflict"
        /// The answer has records, but none of the queried name.
        case foreignAnswer = "foreign-answer"
        /// Local DNSSEC validation refuses the reply.
        case bogus = "dnssec-bogus"
        /// Nothing validated the reply, and only a validated one counts.
        case insecure = "dnssec-insecure"
        /// The stack was not given the reply to parse, so that nothing confirms our own parse of it.
        case stackNotAsked = "stack-not-asked"
    }

    /// The reason.
    public let code: Code
    /// A one-sentence message.
    public let message: String

    /// Creates a fault.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }

    package static func malformed(_ message: String) -> ReplyFault { ReplyFault(.malformed, message) }
}

extension BackendAbsence {
    /// The failure of a query that was asked for all the same.
    public var dnsFailure: DNSFailure { DNSFailure(.backendError, description) }
}
