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
        case response(Response)
        case none(String)
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
