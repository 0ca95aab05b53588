/// One HTTP request to make over the connection of a handshake, once that handshake has been judged (requirement 45).
///
/// A transport still never sees a pin: it calls ``isApproved`` with its report, and sends the first byte of the request
/// only if the result is true (requirement 108). The request is a HEAD, which asks for no content; its fields are
/// `Host` and `User-Agent`, and a redirect is a normal response.
public struct HTTPExchange: Sendable {
    /// The name and, unless it is 443, the port of the request, as sent in `Host` (RFC 9110 section 7.2), wherever the
    /// connection leads.
    public let authority: String
    /// The path and query to ask for, beginning with `/`.
    public let path: String
    /// Returns true if the request may be sent, decided on the report after the handshake, including the native trust.
    public let isApproved: @Sendable (HandshakeReport) async -> Bool

    /// The application protocols an HTTP client offers, the preferred first (RFC 9113 section 3.2).
    public static let alpn = ["h2", "http/1.1"]
    /// The request's `User-Agent`.
    public static let userAgent = "probe"
    /// The most bytes a server may send before its response is complete; a response head needs a fraction of that.
    public static let maximumResponseBytes = 128 * 1024
    /// The message for a server that sends more.
    public static let excess = "the server sent more than \(maximumResponseBytes) bytes before its answer was complete"
    /// The message for an approval that took too long.
    public static let lateness = "the deadline passed before the request"

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - target: the target of the request.
    ///   - path: the path and query, beginning with `/`.
    ///   - isApproved: asked once for each handshake that has completed. A stack in a program of its own makes another one if
    ///     it loses the first, and nobody waits for the earlier answer then.
    public init(
        with target: Target, path: String = "/", isApproved: @escaping @Sendable (HandshakeReport) async -> Bool
    ) {
        let endpoint = Endpoint(host: target.name, port: target.port).description
        authority = target.port == 443 ? String(endpoint.dropLast(":443".count)) : endpoint
        self.path = path
        self.isApproved = isApproved
    }

    /// Returns the reason why no request can be sent over a connection, as far as that is known before a byte is sent;
    /// nil if one can.
    ///
    /// - Parameter alpn: the protocol the server chose; nil if it chose none, which is HTTP/1.1.
    public func obstacle(alpn: String?) -> String? {
        if let alpn, !Self.alpn.contains(alpn) {
            return "the server chose the protocol '\(alpn)', which is neither h2 nor http/1.1"
        }
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return "'\(path)' is not a path"
        }
        return nil
    }
}

/// The result of an approved HTTP request: the fields that give the server's time, or the reason why there are none.
public struct HTTPReport: Hashable, Sendable {
    /// The server's response.
    public struct Response: Hashable, Sendable {
        /// The protocol, as ALPN names it: `h2` or `http/1.1`.
        public let version: String
        /// The status code of the final response.
        public let status: Int
        /// The values of the `Date` fields, in order; several are a fault of the server's.
        public let date: [String]
        /// The values of the `Age` fields, in order.
        public let age: [String]
        /// The values of the `Retry-After` fields, in order.
        public let retryAfter: [String]

        /// Creates a response. Whitespace around a value is not part of it (RFC 9110 section 5.5), whether or not a
        /// stack strips it. Of values that are many or long, which no regular server sends, the beginning is kept.
        public init(version: String, status: Int, date: [String] = [], age: [String] = [], retryAfter: [String] = []) {
            self.version = version
            self.status = status
            self.date = Self.beginning(of: date)
            self.age = Self.beginning(of: age)
            self.retryAfter = Self.beginning(of: retryAfter)
        }

        private static func beginning(of values: [String]) -> [String] {
            values.prefix(4).map { value in
                let start = value.unicodeScalars.drop(while: isBlank)
                let end = start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex
                return String(start[..<end].prefix(100))
            }
        }

        private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    }

    /// The response, or a sentence why there is none.
    public enum Answer: Hashable, Sendable {
        /// The response, within the bounds that were set.
        case response(Response)
        /// No response, and the reason as a sentence.
        case unavailable(reason: String)
    }

    /// The result of the request.
    public let outcome: Answer
    /// From the first byte of the request to the end of the response's head; nil if there was none.
    public let duration: Duration?

    /// Creates a report.
    public init(_ outcome: Answer, duration: Duration? = nil) {
        self.outcome = outcome
        self.duration = duration
    }

    /// The response, if there is one.
    public var response: Response? { if case .response(let response) = outcome { response } else { nil } }
}
