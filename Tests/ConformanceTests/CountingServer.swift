import Foundation
import ProbeKit
import ProbeLab
import ProbeRun

/// A lab server that a resolver can query, over HTTPS if it supports nothing else, with a count of the queries.
enum CountingServer: Sendable {
    case plain(LabDNSServer)
    case https(LabDoHServer)

    /// The time at which the server's certificate is valid.
    static let epoch = Date(timeIntervalSince1970: 1_795_000_000)
    private static let pki = LabPKI(epoch: epoch)

    static func start(_ zone: LabDNSZone, for resolver: any Resolver) async throws -> CountingServer {
        guard !resolver.capabilities.contains(.chosenServers) else { return .plain(try await .start(zone)) }
        return .https(try await .start(zone, pki: pki))
    }

    /// The number of queries received.
    var queries: Int {
        switch self {
        case .plain(let server): server.queries.count
        case .https(let server): server.queries.count
        }
    }

    /// Returns the same check of this server.
    func check(_ check: ModelCheck) throws -> ModelCheck {
        switch self {
        case .plain(let server): check.asking([server.endpoint])
        case .https(let server): check.asking([], https: [try server.server()])
        }
    }

    func stop() async {
        switch self {
        case .plain(let server): await server.stop()
        case .https(let server): await server.stop()
        }
    }
}
