extension DNSAttempt {
    /// A server's response code: the header's four bits, with the upper ones of an OPT record if there is one (RFC 6891
    /// section 6.1.3).
    public struct ResponseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The number in IANA's registry "DNS RCODEs".
        public let rawValue: UInt16

        /// Creates a code of a number, with or without a name.
        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// The registry's name, like `NXDOMAIN`, or the number of a code without one.
        public var mnemonic: String { Self.names[rawValue] ?? String(rawValue) }

        /// The name and the number, like `NXDOMAIN (3)`, or the number alone.
        public var description: String { Self.names[rawValue].map { "\($0) (\(rawValue))" } ?? String(rawValue) }
    }
}

/// The codes that decide something here.
extension DNSAttempt.ResponseCode {
    /// NOERROR: the server answers the question.
    public static let noError = Self(rawValue: 0)
    /// FORMERR: the server could not read the query.
    public static let formatError = Self(rawValue: 1)
    /// SERVFAIL: the server could not answer, and may later.
    public static let serverFailure = Self(rawValue: 2)
    /// NXDOMAIN: the name does not exist.
    public static let nameError = Self(rawValue: 3)
    /// NOTIMP: the server does not support the query.
    public static let notImplemented = Self(rawValue: 4)
    /// REFUSED: the server does not answer this client.
    public static let refused = Self(rawValue: 5)

    /// True if the server answers: with what the name has, or that it does not exist.
    package var isAnswer: Bool { self == .noError || self == .nameError }
}

extension DNSAttempt.ResponseCode {
    private static let names: [UInt16: String] = [
        0: "NOERROR", 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED", 6: "YXDOMAIN",
        7: "YXRRSET", 8: "NXRRSET", 9: "NOTAUTH", 10: "NOTZONE", 16: "BADVERS", 23: "BADCOOKIE",
    ]
}
