import ProbeKit
import ProbeLab
import ProbePins
public import ProbePlatform
import ProbeRun

/// The servers for benches. They run in another process, so that their work is not measured.
public struct BenchPeer: Sendable, Codable {
    /// The port of the TLS server on 127.0.0.1; it presents a leaf and its intermediate.
    public let tlsPort: UInt16
    /// The port of the DNS server on 127.0.0.1.
    public let dnsPort: UInt16
    /// The trusted CA, as DER.
    public let anchor: Data
    /// SHA-256 of the leaf's SubjectPublicKeyInfo.
    public let pin: Data

    /// The name the TLS server's certificate is for.
    static let name = "good.test"
    /// The name that publishes an allow-list.
    static let modelHost = "models.test"
    /// A model on it.
    static let model = "florida"

    /// Starts the servers, passes their ports to `body`, and stops them when it has returned.
    public static func serve(at instant: Date, body: (BenchPeer) async throws -> Void) async throws {
        let pki = LabPKI(epoch: instant)
        let identity = try pki.identity(.good)
        let pin = try CertificateDigests(certificate: identity.leaf.span, digester: SwiftCryptoDigester()).spki
        let name = DNSName(labels: modelHost.split(separator: ".").map { Array($0.utf8) })
        let zone = LabDNSZone(name.map { [$0: .answer(.txt("dc,\(model),tampa"))] } ?? [:])
        // With HTTP behind it, for clients that require it.
        let recipe = LabTLSRecipe(
            .good, applicationProtocols: HTTPExchange.alpn, service: .http(LabHTTPRecipe(dates: [.at(0)])))
        try await LabServer.run(.tls(recipe), pki: pki) { tls in
            try await LabDNSServer.run(zone) { dns in
                try await body(
                    BenchPeer(
                        tlsPort: tls.endpoint.port, dnsPort: dns.endpoint.port,
                        anchor: Data(try pki.certificate(of: .root)), pin: Data(pin.bytes)))
            }
        }
    }

    /// The TLS server as a target of a scan.
    public var target: String { "127.0.0.1,\(Self.name):\(tlsPort)" }
    /// The leaf's pin as written on the command line.
    public var pinText: String { "spki@leaf:sha256:\(pin.base64EncodedString())" }
    /// The trust anchors.
    var anchors: TrustAnchors { TrustAnchors(name: "bench", certificates: [Array(anchor)]) }

    /// Returns the loopback address with a port.
    static func endpoint(_ port: UInt16) -> Endpoint { Endpoint(host: .ip(.loopback4), port: port) }
}

extension BenchPeer {
    /// Returns a check of the TLS server: both trust decisions, and a pin.
    func check() throws -> Check {
        guard let pin = PinDigest(Array(pin)) else { throw BenchError("the servers have no pin") }
        let target = Target(name: try ServerName(Self.name), connect: Self.endpoint(tlsPort))
        return Check(
            target: target, anchors: anchors, pins: [PinGroup([Pin(kind: .spki, digest: pin)], position: .leaf)])
    }

    /// Runs a whole probe.
    ///
    /// - Throws: ``BenchError`` if it does not pass.
    func probe(_ check: Check, with prober: Prober, through transport: any Transport) async throws {
        let results = await prober.probe(check, through: [transport], resolvers: [])
        guard results.allSatisfy({ $0.verdict.outcome == .pass }) else {
            throw BenchError("\(transport.name) came to \(results.map(\.verdict.outcome)) instead of pass")
        }
    }
}
