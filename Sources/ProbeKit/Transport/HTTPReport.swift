/// What came of an approved HTTP request: the fields that say what time the server has, or why there are none.
public struct HTTPReport: Hashable, Sendable {
    /// What the server answered.
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

        /// A response of its parts. Blanks around a value are none of it (RFC 9110 section 5.5), whether a stack takes them
        /// away or not. Of what no honest server sends, many values or long ones, the beginning is kept.
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

    /// The response, or why there is none, for a person.
    public enum Outcome: Hashable, Sendable {
        case response(Response)
        case none(String)
    }

    /// What came of it.
    public let outcome: Outcome
    /// From the first byte of the request to the end of the response's head; nil when there was none.
    public let duration: Duration?

    /// A report of its parts.
    public init(_ outcome: Outcome, duration: Duration? = nil) {
        self.outcome = outcome
        self.duration = duration
    }

    /// The response, where there is one.
    public var response: Response? { if case .response(let response) = outcome { response } else { nil } }
}
