public import ProbeKit
import ProbePins
public import ProbePlatform

/// A small internet on the loopback interface: well-behaved and misbehaving endpoints, all at once.
///
///     let lab = try await Lab.start(at: .now)
///     for endpoint in lab.endpoints { print(endpoint.id, endpoint.endpoint, endpoint.expected.rawValue) }
///     await lab.stop()
///
/// It writes no file: ``endpoints`` and ``authorityPEM`` have all that a caller needs.
public final class Lab: Sendable {
    /// The running endpoints, in display order.
    public let endpoints: [LabEndpoint]
    /// The root certificate as PEM, for `--ca`.
    public let authorityPEM: String
    /// The DNS server that publishes the allow-list.
    public let dnsServer: Endpoint
    /// The same over HTTPS.
    public let dohServer: DoHServer
    private let servers: [LabServer]
    private let dns: LabDNSServer
    private let doh: LabDoHServer

    /// The name that publishes the list `dc,florida,tampa,atlanta` (requirement 18).
    public static let modelHost = "models.test"

    private init(
        _ endpoints: [LabEndpoint], authorityPEM: String, servers: [LabServer], dns: LabDNSServer, doh: LabDoHServer
    ) throws {
        self.endpoints = endpoints
        self.authorityPEM = authorityPEM
        self.servers = servers
        self.dns = dns
        self.doh = doh
        dnsServer = dns.endpoint
        dohServer = try doh.server()
    }

    /// Starts everything, with certificates that are valid around `epoch`. The caller has to ``stop()`` it.
    public static func start(at epoch: Date) async throws -> Lab {
        let pki = LabPKI(epoch: epoch)
        let host = DNSName(labels: modelHost.split(separator: ".").map { Array($0.utf8) })
        let list = LabDNSBehaviour.answer(.txt("dc,florida,tampa,atlanta"))
        let zone = LabDNSZone(host.map { [$0: list] } ?? [:])
        let dns = try await LabDNSServer.start(zone)
        var servers: [LabServer] = []
        var doh: LabDoHServer?
        do {
            let overHTTPS = try await LabDoHServer.start(zone, pki: pki)
            doh = overHTTPS
            var endpoints: [LabEndpoint] = []
            for recipe in LabEndpointRecipe.demonstration {
                let server = try await LabServer.start(recipe.peer, pki: pki)
                servers.append(server)
                endpoints.append(try endpoint(recipe, at: server.endpoint, pki: pki))
            }
            return try Lab(
                endpoints, authorityPEM: try pki.rootPEM(), servers: servers, dns: dns, doh: overHTTPS)
        } catch {
            await dns.stop()
            await doh?.stop()
            await stop(servers)
            throw error
        }
    }

    /// Closes every port and connection; when it returns they are gone.
    public func stop() async {
        await dns.stop()
        await doh.stop()
        await Self.stop(servers)
    }

    private static func stop(_ servers: [LabServer]) async {
        for server in servers {
            await server.stop()
        }
    }

    private static func endpoint(
        _ recipe: LabEndpointRecipe, at endpoint: Endpoint, pki: LabPKI
    ) throws -> LabEndpoint {
        let pinned: [UInt8]? =
            if let id = recipe.pinned {
                try pki.key(id).spki
            } else if case .tls(let server) = recipe.peer {
                try pki.identity(server.identity).key.spki
            } else {
                nil
            }
        return LabEndpoint(
            id: recipe.id, sentence: recipe.sentence, name: try ServerName(recipe.name), endpoint: endpoint,
            pin: pinned.map { PinDigest.sha256(of: $0) }, model: recipe.model, expected: recipe.expected,
            reason: recipe.reason, deviations: recipe.deviations)
    }
}

/// One endpoint of a running ``Lab``: its address, and the expected result of a probe.
public struct LabEndpoint: Hashable, Sendable, Identifiable {
    /// A short name, like `expired`.
    public let id: String
    /// One sentence about the endpoint.
    public let sentence: String
    /// The identity to ask the server for.
    public let name: ServerName
    /// The endpoint it listens on.
    public let endpoint: Endpoint
    /// The SPKI pin to probe it with: of its leaf, or of another key to show a mismatch. Nil if no certificate is
    /// presented.
    public let pin: PinDigest?
    /// The security model to look for on the list that ``Lab/modelHost`` publishes; nil asks for none.
    public let model: String?
    /// The outcome a probe should have.
    public let expected: Outcome
    /// The trust cause or handshake failure a probe should name; nil if it passes or the pin decides.
    public let reason: String?
    /// The outcome through transports that are known to differ, by their name.
    public let deviations: [String: Outcome]
}
