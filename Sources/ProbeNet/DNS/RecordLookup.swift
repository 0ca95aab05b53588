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

    /// The exchanges with one server: a datagram may be lost, and a truncated answer is asked for again.
    private static let channels: [DNSAttempt.Channel] = [.udp, .udp, .tcp]

    /// Returns the reply of the first server that answers.
    ///
    /// - Throws: the failure of the last one; a response code but NOERROR and NXDOMAIN is one.
    package func reply(
        _ type: UInt16, of name: DNSName, by deadline: Deadline
    ) async throws(DNSFailure) -> DNSMessage {
        var failure = DNSFailure(.badQuery, "no DNS server was given")
        for (index, server) in servers.enumerated() {
            let part = Deadline.after(deadline.remaining / (servers.count - index))
            do throws(DNSFailure) {
                return try await reply(type, of: name, at: server, by: min(part, deadline))
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func reply(
        _ type: UInt16, of name: DNSName, at server: Endpoint, by deadline: Deadline
    ) async throws(DNSFailure) -> DNSMessage {
        var failure = DNSFailure(.gaveUp, "\(server) truncates its answer over TCP")
        var isTruncated = false
        for (index, channel) in Self.channels.enumerated() where channel == .tcp || !isTruncated {
            let part = Deadline.after(deadline.remaining / (Self.channels.count - index))
            let id = UInt16.random(in: 0...UInt16.max)
            let question = DNSMessage.Question(name: name, type: type, questionClass: DNSClass.internet)
            let socket = DNSSocket(
                server: try server.socketAddress(),
                query: DNSQueryMessage.bytes(name: name, id: id, ednsSize: DNSQuery.defaultEDNSSize, type: type),
                filter: ReplyFilter(id: id, question: question), deadline: min(part, deadline))
            let collected = await socket.exchange(over: channel, on: network.group.next())
            guard let reply = collected.reply else {
                failure = collected.failure ?? .late
                continue
            }
            isTruncated = reply.header?.isTruncated ?? false
            guard isTruncated else { return try message(reply, about: name, from: server) }
        }
        throw failure
    }

    private func message(
        _ reply: DNSReply, about name: DNSName, from server: Endpoint
    ) throws(DNSFailure) -> DNSMessage {
        do throws(ReplyFault) {
            let message = try reply.message.get()
            guard [0, 3].contains(message.responseCode) else {
                throw ReplyFault(.responseCode, "\(DNSResponseCode.mnemonic(message.responseCode))")
            }
            return message
        } catch {
            throw DNSFailure(.gaveUp, "\(server) gives no usable answer about \(name): \(error.message)")
        }
    }

    /// Returns the addresses of a name, those of IPv4 first; none if it has none.
    func addresses(of name: DNSName, by deadline: Deadline) async throws(DNSFailure) -> [IPAddress] {
        var found: [IPAddress] = []
        for (type, size) in [(DNSType.a, 4), (DNSType.aaaa, 16)] {
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
            for record in records where record.data.count == size {
                if let address = IPAddress(bytes: Array(message.bytes[record.data])), !found.contains(address) {
                    found.append(address)
                }
            }
        }
        return found
    }
}
