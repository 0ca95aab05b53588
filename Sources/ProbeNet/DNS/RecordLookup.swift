import NIOCore
import ProbeDNS
public import ProbeKit

/// Records of other types than TXT, from servers that are asked over UDP and TCP, one after the other, and read by the
/// strict reader alone: they lead to servers, and no verdict rests on them.
public struct RecordLookup: Sendable {
    private let servers: [Endpoint]
    private let network: ProbeNetwork

    /// Creates a lookup at these servers.
    public init(at servers: [Endpoint], over network: ProbeNetwork = .shared) {
        self.servers = servers
        self.network = network
    }

    /// The exchanges with one server: a datagram may be lost or malformed, and a truncated answer is asked for again. A server
    /// that does not support EDNS is asked once more without it.
    private static let channels: [DNSAttempt.Channel] = [.udp, .udp, .tcp]

    /// Returns the reply of the first server that answers.
    ///
    /// - Throws: the failure of the last one; a response code but NOERROR and NXDOMAIN is one, and so is a referral.
    package func reply(
        _ type: UInt16, of name: DNSName, by deadline: Deadline
    ) async throws(DNSFailure) -> DNSMessage {
        try await ServerTurns.first(of: servers, by: deadline, message: { $0 }, leadsOn: { $0.isLame }) {
            (server: Endpoint, deadline: Deadline) async throws(DNSFailure) -> DNSMessage in
            try await reply(type, of: name, at: server, by: deadline)
        }
    }

    private func reply(
        _ type: UInt16, of name: DNSName, at server: Endpoint, by deadline: Deadline
    ) async throws(DNSFailure) -> DNSMessage {
        var failure = DNSFailure(.gaveUp, "\(server) truncates its answer over TCP")
        let question = DNSMessage.Question(name: name, type: type, questionClass: DNSClass.internet)
        var ednsSize: UInt16? = DNSQuery.defaultEDNSSize
        var isTruncated = false
        // A malformed reply shows more of the server than silence after it.
        var fault: DNSFailure?
        for (index, channel) in Self.channels.enumerated() where channel == .tcp || !isTruncated {
            let part = deadline.share(among: Self.channels.count - index)
            var collected = try await ask(question, at: server, over: channel, ednsSize: ednsSize, by: part)
            if ednsSize != nil, let reply = collected.reply, DNSConclusion.refusesEDNS(reply) {
                ednsSize = nil
                collected = try await ask(question, at: server, over: channel, ednsSize: nil, by: part)
            }
            guard let reply = collected.reply else {
                failure = collected.failure ?? .late
                continue
            }
            isTruncated = reply.header?.isTruncated ?? false
            guard !isTruncated else { continue }
            do throws(DNSFailure) {
                return try reply.answer(about: name, from: server)
            } catch {
                guard reply.isDamaged else { throw error }
                fault = error
            }
        }
        throw fault ?? failure
    }

    private func ask(
        _ question: DNSMessage.Question, at server: Endpoint, over channel: DNSAttempt.Channel, ednsSize: UInt16?,
        by deadline: Deadline
    ) async throws(DNSFailure) -> Collected {
        let id = UInt16.random(in: 0...UInt16.max)
        let socket = DNSSocket(
            server: try server.socketAddress(),
            query: DNSQueryMessage.bytes(name: question.name, id: id, ednsSize: ednsSize, type: question.type),
            filter: ReplyFilter(id: id, question: question), deadline: deadline)
        return await socket.exchange(over: channel, on: network.group.next())
    }

    /// Returns the addresses of a name, those of IPv4 first; none if it has none.
    func addresses(of name: DNSName, by deadline: Deadline) async throws(DNSFailure) -> [IPAddress] {
        try await AddressLookup.addresses(by: deadline) {
            (type: UInt16, deadline: Deadline) async throws(DNSFailure) -> (DNSMessage, [DNSRecord]) in
            let message = try await reply(type, of: name, by: deadline)
            let owner: DNSName
            do throws(ReplyFault) {
                owner = try message.owner(ofRecordsFor: name)
            } catch {
                throw DNSFailure(.gaveUp, "an alias of \(name) can't be read: \(error.message)")
            }
            let records = message.answers.filter {
                $0.type == type && $0.owner == owner && $0.recordClass == DNSClass.internet
            }
            return (message, records)
        }
    }
}
