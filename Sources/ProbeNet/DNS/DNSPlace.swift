package import ProbeKit
import ProbePlatform

/// A server of a query that is asked in DNS's own framing.
package enum DNSPlace: Equatable, Sendable, CustomStringConvertible {
    /// Over UDP, and TCP where that is not enough.
    case plain(Endpoint)
    /// Over TLS.
    case tls(DNSQuery.TLSServer)

    /// The server as it was given.
    package var description: String {
        switch self {
        case .plain(let server): server.description
        case .tls(let server): server.description
        }
    }

    /// The channel of the first exchange.
    package var channel: DNSAttempt.Channel {
        switch self {
        case .plain: .udp
        case .tls: .tls
        }
    }

    /// Returns the endpoints with their addresses, of which there is one at least; the name of a server over TLS is looked up
    /// as the system does.
    package func endpoints(by deadline: Deadline, _ lookup: HostLookup) async throws(DNSFailure) -> [Endpoint] {
        guard case .tls(let server) = self, case .dns(let name) = server.endpoint.host else {
            switch self {
            case .plain(let server): return [server]
            case .tls(let server): return [server.endpoint]
            }
        }
        switch await lookup.addresses(of: name, by: deadline) {
        case .success(let addresses):
            guard !addresses.isEmpty else {
                throw DNSFailure(.unreachable, "the server's name \(name) has no address")
            }
            return addresses.map { Endpoint(host: .ip($0), port: server.endpoint.port) }
        case .failure(.outOfFiles): throw DNSFailure(errorNumber: EMFILE)
        case .failure(let failure):
            throw DNSFailure(.unreachable, "the server's name \(name) is not found: \(failure)")
        }
    }
}

extension DNSQuery {
    /// The servers over UDP and TCP, then those over TLS.
    package var places: [DNSPlace] { servers.map(DNSPlace.plain) + tlsServers.map(DNSPlace.tls) }
}
