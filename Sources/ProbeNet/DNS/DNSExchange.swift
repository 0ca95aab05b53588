import NIOCore
public import ProbeKit

/// Asks servers over UDP and TCP for a codec that has no sockets of its own.
///
/// Every query uses a new socket and an unpredictable id. A reply to another query is dropped, and the wait continues.
/// A truncated reply is requested again over TCP (RFC 7766 section 5). Servers are asked in turn, as many rounds as the
/// query has tries; the next try begins when the last one's share of the time is over, and both may be answered.
public struct DNSExchange<Codec: DNSCodec>: Sendable {
    private let codec: Codec
    private let network: ProbeNetwork

    /// Creates an exchange that writes and reads with `codec`, over the event loops of a network.
    public init(codec: Codec, over network: ProbeNetwork = .shared) {
        self.codec = codec
        self.network = network
    }

    /// Asks until a server has answered, the tries are used up, the deadline has passed or the task is cancelled.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        await DNSWalk.over(query.servers, query) { await ask($0, query) }
    }

    /// Returns one try at one server; the last of its attempts counts.
    private func ask(_ server: Endpoint, _ query: DNSQuery) async -> [DNSAttempt] {
        var attempts: [DNSAttempt] = []
        var way = Way(channel: .udp, ednsSize: query.ednsSize, dnssecOK: query.dnssec != .off && query.ednsSize != nil)
        while true {
            let attempt = await attempt(server, query.name, way, until: query.deadline)
            attempts.append(attempt)
            guard let reply = attempt.reply, let header = DNSHeader(reply) else { return attempts }
            if way.mayDropEDNS(after: reply) {
                way = Way(channel: way.channel, ednsSize: nil, dnssecOK: false)
            } else if header.isTruncated, way.channel == .udp {
                way = Way(channel: .tcp, ednsSize: way.ednsSize, dnssecOK: way.dnssecOK)
            } else {
                return attempts
            }
        }
    }

    private func attempt(_ server: Endpoint, _ name: DNSName, _ way: Way, until deadline: Deadline) async -> DNSAttempt
    {
        let id = UInt16.random(in: 0...UInt16.max)
        let start = ContinuousClock.now
        let collected: Collected
        do throws(DNSFailure) {
            let socket = DNSSocket(
                server: try server.socketAddress(),
                query: try codec.query(name: name, id: id, ednsSize: way.ednsSize, dnssecOK: way.dnssecOK),
                filter: ReplyFilter(id: id, name: name), deadline: deadline)
            collected = await socket.exchange(over: way.channel, on: network.group.next())
        } catch {
            collected = Collected(reply: nil, dropped: [], failure: error)
        }
        return DNSAttempt(
            server: server.description, channel: way.channel, ednsSize: way.ednsSize, id: id, reply: collected.reply,
            dropped: collected.dropped, native: collected.reply.map(codec.read), failure: collected.failure,
            duration: start.duration(to: .now))
    }
}

/// The form in which one query is sent.
private struct Way {
    let channel: DNSAttempt.Channel
    let ednsSize: UInt16?
    let dnssecOK: Bool

    /// Returns true if a server that does not support EDNS is asked again without it: never if signatures were asked
    /// for. This is not remembered.
    func mayDropEDNS(after reply: [UInt8]) -> Bool {
        ednsSize != nil && !dnssecOK && DNSConclusion.refusesEDNS(reply)
    }
}
