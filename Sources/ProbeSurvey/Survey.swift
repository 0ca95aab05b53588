public import ProbeKit

/// The offers of a server, as far as the stacks could ask for them. As JSON it is a line in the schema `probe-survey/1`.
public struct Survey: Encodable, Sendable {
    /// An entry that the server accepted, and the stack that it was negotiated with.
    public struct Entry: Hashable, Encodable, Sendable {
        /// The name in IANA's registry.
        public let name: String
        /// The stack's name.
        public let transport: String
    }

    /// The entries of one list.
    public struct List: Encodable, Sendable {
        /// Those that the server accepted, in the order of its choices.
        public internal(set) var accepted: [Entry] = []
        /// True if the server refused all others that it was asked for.
        public internal(set) var isComplete = false
        /// The entries that no stack could ask for.
        public internal(set) var notAsked: [String] = []

        /// The names of those that the server accepted.
        public var names: [String] { accepted.map(\.name) }
    }

    /// The side whose order of cipher suites decides.
    @nonexhaustive public enum Order: String, Encodable, Sendable {
        /// The server's.
        case server
        /// The client's.
        case client
        /// Neither side's alone.
        case mixed
    }

    /// One protocol version.
    public struct Version: Encodable, Sendable {
        /// The version.
        public let version: TLSVersion
        /// True if the server accepts the version, false if it refused all that was offered; nil if that is not known.
        @Always public internal(set) var isOffered: Bool?
        /// The side whose order of cipher suites decides; nil where there is no choice, or nobody asked.
        @Always public internal(set) var order: Order?
        /// Its cipher suites.
        public internal(set) var cipherSuites = List()
        /// The groups of its key exchange.
        public internal(set) var groups = List()
        /// The algorithms of the server's own signatures.
        public internal(set) var signatureAlgorithms = List()
        /// True if the server gives session tickets; nil if nobody asked, or the server refused the client.
        @Always public internal(set) var sessionTickets: Bool?

        init(_ version: TLSVersion) {
            self.version = version
        }
    }

    /// The end of a part of the survey before the server had answered all of it.
    public struct Stop: Encodable, Sendable {
        /// The part, like `TLS 1.2`.
        public let part: String
        /// The finding's code, as of a check, or `handshakes-used-up` or `time-used-up`.
        public let code: String
        /// The finding's message.
        public let message: String
        /// The stack that was asked; nil if none was.
        @Always public internal(set) var transport: String?
    }

    let schema = "probe-survey/1"
    /// The server's name and port.
    public let target: String
    /// The address that was dialled; nil if there was no connection.
    @Always public internal(set) var address: String?
    /// The stacks that were asked, preferred first.
    public internal(set) var transports: [String] = []
    /// The stacks that were not, each with what it lacks.
    public internal(set) var leftOut: [String] = []
    /// The number of handshakes made.
    public internal(set) var handshakes = 0
    /// The most that there may be.
    public let maximum: Int
    /// The versions, newest first.
    public internal(set) var versions: [Version] = []
    /// The application protocols, asked in the newest version that is offered.
    public internal(set) var alpn = List()
    /// Features that no stack could ask for.
    public internal(set) var notAsked: [String] = []
    /// The reasons why parts are not complete.
    public internal(set) var stops: [Stop] = []
    /// The server's first refusal; nil if it refused nothing, or accepted nothing and only ended connections.
    public internal(set) var refusal: HandshakeFailure?
    /// True if the server ended a handshake because the client showed no certificate.
    public internal(set) var wantsClientCertificate = false
    /// True if the server did not take again what it had accepted, so that its silence is not that to one version.
    var isCutShort = false

    init(_ request: SurveyRequest) {
        target = request.target.description
        maximum = request.maximum
    }

    /// True if there was an answer to every question.
    public var isComplete: Bool { stops.isEmpty }

    /// The result for scripts: a server that was surveyed passes, whatever it offers, and whichever versions it is silent to.
    public var outcome: Outcome {
        let isAnswering = versions.contains { $0.isOffered == true }
        // Later offers may have been answered: nobody sent them.
        let isCutShort = self.isCutShort || stops.contains { $0.code == "time-used-up" }
        let unanswered = Set(versions.filter { $0.isOffered == nil }.map(\.version.rawValue))
        let codes = stops.compactMap { stop -> HandshakeFailure.Code? in
            let code = HandshakeFailure.Code(rawValue: stop.code)
            return isAnswering && !isCutShort && code == .handshakeTimeout && unanswered.contains(stop.part)
                ? nil : code
        }
        if codes.contains(.localOverload) { return .localOverload }
        if codes.contains(.unsupported) { return .unsupported }
        if codes.contains(.backendError) { return .internalError }
        guard codes.isEmpty else { return codes.contains(where: \.isUnreachable) ? .unreachable : .handshakeFailed }
        return isAnswering ? .pass : .handshakeFailed
    }

    private enum CodingKeys: CodingKey {
        case schema, target, address, transports, leftOut, handshakes, maximum, isComplete, versions, alpn, notAsked,
            stops
    }

    /// Writes all keys.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(schema, forKey: .schema)
        try container.encode(target, forKey: .target)
        try container.encode(address, forKey: .address)
        try container.encode(transports, forKey: .transports)
        try container.encode(leftOut, forKey: .leftOut)
        try container.encode(handshakes, forKey: .handshakes)
        try container.encode(maximum, forKey: .maximum)
        try container.encode(isComplete, forKey: .isComplete)
        try container.encode(versions, forKey: .versions)
        try container.encode(alpn, forKey: .alpn)
        try container.encode(notAsked, forKey: .notAsked)
        try container.encode(stops, forKey: .stops)
    }
}
