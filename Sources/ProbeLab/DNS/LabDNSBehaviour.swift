/// A lab server's response to queries for one name, as data.
public struct LabDNSBehaviour: Sendable {
    /// One thing a server does over UDP.
    public enum Action: Sendable {
        /// Sends a message.
        case reply(LabDNSMessage)
        /// Sends a message from another port than the queried one.
        case replyFromElsewhere(LabDNSMessage)
        /// Sends bytes that need not be a message.
        case send([UInt8])
        /// Waits.
        case wait(Duration)
        /// Waits until something has happened, like a query to another server.
        case await(LabSignal)
        /// Lets whoever awaits it go on.
        case give(LabSignal)
    }

    /// The timing of a reply's bytes over TCP, and of a response body's bytes over HTTPS; there the length is the one
    /// in its head.
    public enum Stream: Sendable {
        /// At once, with a right length prefix.
        case plain
        /// One byte at a time, with a pause between.
        case dribbled(Duration)
        /// The connection is closed without a byte.
        case closed
        /// Half of it, then the connection is closed.
        case half
        /// With this length prefix, then the connection is closed.
        case claimedLength(UInt16)
        /// Nothing, and the connection stays open.
        case silent
    }

    /// The actions for a query over UDP, in order, and over HTTPS up to the first message; an empty list is a silent
    /// server.
    public var actions: [Action]
    /// The same for the first query of all only; nil if it is not special.
    public var first: [Action]?
    /// The same for queries without an OPT record; nil if they are not special.
    public var withoutEDNS: [Action]?
    /// The messages sent over TCP; nil sends the replies of ``actions``.
    public var streamed: [LabDNSMessage]?
    /// The timing of the bytes.
    public var stream = Stream.plain
    /// The HTTP response that carries a reply over HTTPS.
    public var response = LabHTTPResponse()

    /// Creates a server with these actions.
    public init(_ actions: [Action]) {
        self.actions = actions
    }

    /// Returns a server that sends one message.
    public static func reply(_ message: LabDNSMessage) -> LabDNSBehaviour { LabDNSBehaviour([.reply(message)]) }

    /// Returns a server that answers with records.
    public static func answer(_ records: LabDNSRecord...) -> LabDNSBehaviour { .reply(LabDNSMessage(answers: records)) }

    /// A server that sends nothing.
    public static let silence = LabDNSBehaviour([])

    /// Returns the same behaviour with a change.
    public func with(_ change: (inout LabDNSBehaviour) -> Void) -> LabDNSBehaviour {
        var copy = self
        change(&copy)
        return copy
    }

    func actions(for query: LabDNSQuery, isFirst: Bool) -> [Action] {
        if isFirst, let first { return first }
        if query.ednsSize == nil, let withoutEDNS { return withoutEDNS }
        return actions
    }

    func messages(for query: LabDNSQuery) -> [LabDNSMessage] {
        if let streamed { return streamed }
        return actions(for: query, isFirst: false).compactMap { action in
            if case .reply(let message) = action { message } else { nil }
        }
    }
}

/// The HTTP response that carries a lab server's reply over HTTPS: a right one by default, and any part of it wrong on
/// request.
public struct LabHTTPResponse: Sendable {
    /// The status code.
    public var status: UInt = 200
    /// The content type; nil sends none.
    public var contentType: String? = "application/dns-message"
    /// Further fields, names and values.
    public var fields: [(name: String, value: String)] = []
    /// The body in place of the reply; nil for the reply.
    public var body: [UInt8]?
    /// True if ``body`` is sent without any HTTP around it.
    public var isBare = false

    /// Creates a correct response.
    public init() {}

    /// Returns the same response with a change.
    public func with(_ change: (inout LabHTTPResponse) -> Void) -> LabHTTPResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
