import ProbeDNS
public import ProbeKit

/// The name servers of the zone that a name is in.
public struct NameServers: Sendable {
    /// One address of a name server.
    public struct Server: Hashable, Sendable, CustomStringConvertible {
        /// The server's name.
        public let name: DNSName
        /// The place to ask it.
        public let endpoint: Endpoint

        /// The name, with the address.
        public var description: String { "\(name) (\(endpoint.host))" }
    }

    /// A name server whose addresses could not be looked up, or that has none.
    public struct Lost: Hashable, Sendable {
        /// The server's name.
        public let name: DNSName
        /// The reason.
        public let failure: DNSFailure
    }

    /// The zone's apex.
    public let zone: DNSName
    /// The addresses of its name servers, in the order of their names.
    public let servers: [Server]
    /// The name servers of which it is not known where they are, in the order of their names.
    public let lost: [Lost]

    /// The most name servers, and the most addresses of each, that are asked.
    private static let (mostNames, mostAddresses) = (32, 8)

    /// Finds the zone of a name, from the name upwards, and the addresses of its name servers.
    ///
    /// - Parameters:
    ///   - port: the port of the name servers.
    /// - Throws: the failure of a lookup of the zone; `badQuery` if no zone above the name has a name server.
    public static func find(
        of name: DNSName, through lookup: RecordLookup, port: UInt16 = 53, by deadline: Deadline
    ) async throws(DNSFailure) -> NameServers {
        var labels = name.labels
        while !labels.isEmpty, let zone = DNSName(labels: labels) {
            let names = try await servers(of: zone, lookup, by: deadline)
            guard names.isEmpty else {
                let found = await places(of: names.prefix(mostNames), lookup, port: port, by: deadline)
                return NameServers(zone: zone, servers: found.servers, lost: found.lost)
            }
            labels.removeFirst()
        }
        throw DNSFailure(.badQuery, "no zone above \(name) has a name server")
    }

    /// Returns the addresses of name servers. Each lookup has an equal part of the time that is left, and what comes after
    /// them has one too.
    private static func places(
        of names: ArraySlice<DNSName>, _ lookup: RecordLookup, port: UInt16, by deadline: Deadline
    ) async -> (servers: [Server], lost: [Lost]) {
        var (servers, lost): ([Server], [Lost]) = ([], [])
        for (index, name) in names.enumerated() {
            let part = deadline.share(among: names.count - index + 1)
            do throws(DNSFailure) {
                let addresses = try await lookup.addresses(of: name, by: part)
                guard !addresses.isEmpty else {
                    throw DNSFailure(.unreachable, "\(name) has no address", cause: .noAddress)
                }
                for address in addresses.prefix(mostAddresses) {
                    servers.append(Server(name: name, endpoint: Endpoint(host: .ip(address), port: port)))
                }
            } catch {
                lost.append(Lost(name: name, failure: error))
            }
        }
        return (servers, lost)
    }

    private static func servers(
        of zone: DNSName, _ lookup: RecordLookup, by deadline: Deadline
    ) async throws(DNSFailure) -> [DNSName] {
        let message = try await lookup.reply(DNSType.ns, of: zone, by: deadline)
        var names: [DNSName] = []
        for record in message.answers
        where record.type == DNSType.ns && record.recordClass == DNSClass.internet && record.owner == zone {
            do throws(ReplyFault) {
                let name = try message.target(of: record)
                if !names.contains(name) { names.append(name) }
            } catch {
                throw DNSFailure(.gaveUp, "a name server of \(zone) can't be read: \(error.message)")
            }
        }
        return names.sorted { $0.description < $1.description }
    }
}
