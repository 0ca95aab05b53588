/// One exchange with one server: the query's form, and the result.
public struct DNSAttempt: Sendable {
    /// The channel of the exchange.
    public enum Channel: String, Sendable, Codable {
        /// RFC 1035 section 4.2.1.
        case udp
        /// RFC 7766.
        case tcp
        /// RFC 7858.
        case tls
        /// RFC 8484.
        case https
        /// The stack makes its own exchanges and does not report how: UDP, TCP or both.
        case unknown
    }

    /// The queried server.
    public let server: String
    /// The channel of the exchange.
    public let channel: Channel
    /// The EDNS0 size that was advertised; nil if no OPT record was sent.
    public let ednsSize: UInt16?
    /// The query's id, which the reply has to repeat.
    public let id: UInt16
    /// The reply that passed the filter, which is parsed once whoever asks; nil if there is none.
    package let received: DNSReply?
    /// Replies that were dropped because they do not match the query, with the reason for each.
    public let dropped: [String]
    /// The stack's own parse of the reply; nil if there was no reply.
    public let native: NativeDNSReading?
    /// The result of local validation of the reply; nil if nothing was validated.
    public let dnssec: DNSSECState?
    /// The certificates that a server asked over TLS presented, as DER; empty if it was asked otherwise or the stack does
    /// not show them.
    public let serverChain: [[UInt8]]
    /// The reason why there is no reply; nil if there is one.
    public private(set) var failure: DNSFailure?
    /// The duration of the exchange.
    public let duration: Duration

    /// Creates an attempt.
    public init(
        server: String, channel: Channel, ednsSize: UInt16?, id: UInt16, reply: [UInt8]?, dropped: [String] = [],
        native: NativeDNSReading?, dnssec: DNSSECState? = nil, serverChain: [[UInt8]] = [], failure: DNSFailure?,
        duration: Duration
    ) {
        self.init(
            server: server, channel: channel, ednsSize: ednsSize, id: id, received: reply.map(DNSReply.init),
            dropped: dropped, native: native, dnssec: dnssec, serverChain: serverChain, failure: failure,
            duration: duration)
    }

    /// Creates an attempt from a reply that may have been parsed already.
    package init(
        server: String, channel: Channel, ednsSize: UInt16?, id: UInt16, received: DNSReply?, dropped: [String] = [],
        native: NativeDNSReading?, dnssec: DNSSECState? = nil, serverChain: [[UInt8]] = [], failure: DNSFailure?,
        duration: Duration
    ) {
        self.server = server
        self.channel = channel
        self.ednsSize = ednsSize
        self.id = id
        self.received = received
        self.dropped = dropped
        self.native = native
        self.dnssec = dnssec
        self.serverChain = serverChain
        self.failure = failure
        self.duration = duration
    }

    /// Returns an attempt that failed before its query was sent, or by a stack that does not show what it sent: the query
    /// has no id that is known, and no reply.
    package static func unsent(
        to server: String, over channel: Channel, ednsSize: UInt16?, failure: DNSFailure, duration: Duration
    ) -> DNSAttempt {
        DNSAttempt(
            server: server, channel: channel, ednsSize: ednsSize, id: 0, received: nil, native: nil, failure: failure,
            duration: duration)
    }

    /// Returns the same attempt with another failure.
    package func with(failure: DNSFailure) -> DNSAttempt {
        var attempt = self
        attempt.failure = failure
        return attempt
    }

    /// The reply that passed the filter, as received.
    public var reply: [UInt8]? { received?.bytes }
}

/// The actions of a resolver to answer one query, in order; the last attempt counts.
public struct DNSReport: Sendable {
    /// The attempts in order; never empty unless no server was given.
    public let attempts: [DNSAttempt]

    /// Creates a report of attempts in order.
    public init(attempts: [DNSAttempt]) {
        self.attempts = attempts
    }

    /// True if the resolver itself failed, so that nothing was found out about any server.
    package var isOwnFault: Bool { attempts.last?.failure?.code == .backendError }
}

/// A DNS stack's own parse of a reply, compared with ours (decided: read-twice).
public enum NativeDNSReading: Hashable, Sendable {
    /// The stack parsed the reply.
    ///
    /// - Parameters:
    ///   - rcode: the response code, extended by the OPT record if there is one.
    ///   - records: the TXT records of class IN in the answer section, whatever their owner, each as its character-strings.
    ///     Those of other classes may be among them.
    case parsed(rcode: DNSAttempt.ResponseCode, records: [[[UInt8]]])
    /// The stack rejected the reply, with its own message.
    case unreadable(String)
    /// The stack was not given the reply, for a reason that does not count against it, so there is no second decoding.
    case notAsked(String)
}
