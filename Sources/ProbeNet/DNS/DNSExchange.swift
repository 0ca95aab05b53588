import NIOCore
import ProbeDNS
public import ProbeKit
import ProbePlatform

/// Asks servers over UDP, TCP and TLS for a codec that has no sockets of its own.
///
/// Every query uses a new socket and an unpredictable id. A reply to another query is dropped, and the wait continues.
/// A truncated reply is requested again over TCP (RFC 7766 section 5). Servers are asked in turn, as many rounds as the
/// query has tries; the next try begins when the last one's share of the time is over, and both may be answered.
public struct DNSExchange<Codec: DNSCodec>: Sendable {
    let codec: Codec
    private let network: ProbeNetwork
    private let makeEngine: EngineMaker?

    /// Creates an exchange that writes and reads with `codec`, over the event loops of a network.
    ///
    /// - Parameter makeEngine: makes the TLS with servers that are asked over it; nil can't ask them.
    public init(codec: Codec, over network: ProbeNetwork = .shared, tls makeEngine: EngineMaker? = nil) {
        self.codec = codec
        self.network = network
        self.makeEngine = makeEngine
    }

    /// The capabilities that come with the TLS; none without.
    public var tlsCapabilities: Set<ResolverCapability> { makeEngine == nil ? [] : [.tlsServers, .serverChain] }

    /// Asks until a server has answered, the tries are used up, the deadline has passed or the task is cancelled.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        await DNSWalk.over(query.places, query) { await ask($0, query) }
    }

    /// Returns one try at one server; the last of its attempts counts. A server given by name is dialled at its addresses in
    /// turn until one answers; each has an equal part of the time.
    package func ask(_ server: DNSPlace, _ query: DNSQuery) async -> [DNSAttempt] {
        let start = ContinuousClock.now
        var attempts: [DNSAttempt] = []
        do throws(DNSFailure) {
            let endpoints = try await server.endpoints(by: query.deadline, network.lookup)
            for (index, endpoint) in endpoints.enumerated() {
                let deadline = query.deadline.share(among: endpoints.count - index)
                attempts += await ask(server, at: endpoint, query, by: deadline)
                guard attempts.last?.isWithoutAnswer == true, !Task.isCancelled else { break }
            }
        } catch {
            attempts.append(
                .unsent(
                    to: server.description, over: server.channel, ednsSize: query.ednsSize, failure: error,
                    duration: start.duration(to: .now)))
        }
        return attempts
    }

    private func ask(
        _ server: DNSPlace, at endpoint: Endpoint, _ query: DNSQuery, by deadline: Deadline
    ) async -> [DNSAttempt] {
        var attempts: [DNSAttempt] = []
        var next: Way? = Way(query, at: endpoint, over: server.channel, by: deadline)
        while let way = next {
            let attempt = await attempt(server, query, way)
            attempts.append(attempt)
            next = way.next(after: attempt)
        }
        return attempts
    }

    private func attempt(_ server: DNSPlace, _ query: DNSQuery, _ way: Way) async -> DNSAttempt {
        let id = UInt16.random(in: 0...UInt16.max)
        let start = ContinuousClock.now
        let collected: Collected
        do throws(DNSFailure) {
            let socket = DNSSocket(
                server: try way.endpoint.socketAddress(),
                query: try codec.query(name: query.name, id: id, ednsSize: way.ednsSize, dnssecOK: way.dnssecOK),
                filter: ReplyFilter(id: id, name: query.name), deadline: way.deadline,
                layer: try layer(server, query, way))
            collected = await socket.exchange(over: way.channel, on: network.group.next())
        } catch {
            collected = Collected(reply: nil, dropped: [], failure: error)
        }
        return DNSAttempt(
            server: server.description, channel: way.channel, ednsSize: way.ednsSize, id: id, received: collected.reply,
            dropped: collected.dropped, native: collected.reply.map(read), serverChain: collected.serverChain,
            failure: collected.failure, duration: start.duration(to: .now))
    }

    private func layer(_ server: DNSPlace, _ query: DNSQuery, _ way: Way) throws(DNSFailure) -> DNSSocket.TLSLayer? {
        guard case .tls(let server) = server else { return nil }
        guard let makeEngine else { throw DNSFailure(.backendError, "the resolver has no TLS") }
        return DNSSocket.TLSLayer(
            request: HandshakeRequest(
                endpoint: server.endpoint, serverName: server.name, anchors: server.anchors,
                instant: query.instant ?? ProbeClock.system.now, deadline: way.deadline),
            makeEngine: makeEngine)
    }

    func read(_ reply: DNSReply) -> NativeDNSReading {
        (codec as? any ReplySharingCodec)?.read(sharing: reply) ?? codec.read(reply.bytes)
    }
}

/// The place and the form in which one query is sent.
struct Way {
    let endpoint: Endpoint
    let deadline: Deadline
    private(set) var channel: DNSAttempt.Channel
    private(set) var ednsSize: UInt16?
    private(set) var dnssecOK: Bool

    /// Creates the first one of a try.
    init(_ query: DNSQuery, at endpoint: Endpoint, over channel: DNSAttempt.Channel, by deadline: Deadline) {
        self.endpoint = endpoint
        self.deadline = deadline
        self.channel = channel
        ednsSize = query.ednsSize
        dnssecOK = query.dnssec != .off && query.ednsSize != nil
    }

    /// Returns the way in which the try goes on after an attempt; nil if it is over.
    func next(after attempt: DNSAttempt) -> Way? {
        guard let header = attempt.received?.header else { return nil }
        var next = self
        if mayDropEDNS(after: attempt) {
            (next.ednsSize, next.dnssecOK) = (nil, false)
        } else if header.isTruncated, channel == .udp {
            next.channel = .tcp
        } else {
            return nil
        }
        return next
    }

    /// Returns true if a server that does not support EDNS is asked again without it: never if signatures were asked
    /// for. This is not remembered.
    private func mayDropEDNS(after attempt: DNSAttempt) -> Bool {
        ednsSize != nil && !dnssecOK && attempt.received.map(DNSConclusion.refusesEDNS) ?? false
    }
}

extension DNSAttempt {
    /// True if no answer came, so that the same server may answer at another address. A failed TLS handshake is an answer.
    fileprivate var isWithoutAnswer: Bool {
        guard let failure else { return false }
        return [.timeout, .refused, .unreachable, .closed].contains(failure.code)
    }
}

/// A DNS library's two halves without its sockets: it writes queries and reads replies, ``DNSExchange`` does the rest.
public protocol DNSCodec: Sendable {
    /// Writes a query for a name's TXT records of class IN with recursion desired.
    ///
    /// - Parameters:
    ///   - name: the name to ask for.
    ///   - id: the id to write; the exchange chooses it, so that it is unpredictable with every codec.
    ///   - ednsSize: the UDP size to advertise; nil writes no OPT record.
    ///   - dnssecOK: whether to set DO; only with an OPT record.
    /// - Throws: ``DNSFailure`` with the code `badQuery` or `backendError`.
    func query(name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(DNSFailure) -> [UInt8]

    /// Returns the library's own parse of a reply, hostile or not.
    func read(_ reply: [UInt8]) -> NativeDNSReading
}

/// A codec that needs the strict reader's parse of a reply too, which others need as well: the reply is parsed once.
package protocol ReplySharingCodec: DNSCodec {
    /// Returns the same as ``DNSCodec/read(_:)``.
    func read(sharing reply: DNSReply) -> NativeDNSReading
}

/// The codec of this package, without a DNS library. Its parser is our own, so it is not a second one (decided:
/// read-twice); it is for libraries without one, and for testing the exchange.
public struct SwiftDNSCodec: DNSCodec, ReplySharingCodec {
    /// Creates a codec; it has no settings.
    public init() {}

    /// Writes a query with ``DNSQueryMessage``.
    public func query(name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(DNSFailure) -> [UInt8] {
        DNSQueryMessage.bytes(name: name, id: id, ednsSize: ednsSize, dnssecOK: dnssecOK)
    }

    /// Reads a reply as ``TXTReader`` does, without checking the query it belongs to.
    public func read(_ reply: [UInt8]) -> NativeDNSReading { read(sharing: DNSReply(reply)) }

    package func read(sharing reply: DNSReply) -> NativeDNSReading {
        do throws(ReplyFault) {
            let message = try reply.message.get()
            var records: [[[UInt8]]] = []
            for record in message.answers where record.type == DNSType.txt {
                records.append(try message.strings(of: record))
            }
            return .parsed(rcode: message.responseCode, records: records)
        } catch {
            return .unreadable(error.message)
        }
    }
}
