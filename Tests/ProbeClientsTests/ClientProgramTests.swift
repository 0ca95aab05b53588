import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing
import TransportOpenSSL

@testable import ProbeClients

/// Pins of a client that is a program, which accepts every chain on a path that it claims.
@Suite(.bounded) struct ClientProgramTests {
    private static let pki = LabPKI(epoch: .now)

    private struct Claiming: Transport {
        let path: [[UInt8]]?
        let stack = OpenSSLTransport()

        var identity: BackendIdentity { stack.identity }
        var capabilities: Set<TransportCapability> { stack.capabilities }

        func handshake(_ request: HandshakeRequest) async -> HandshakeReport { await stack.handshake(request) }

        @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .accepted(path: path) }

        func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
            await stack.readKey(ofCertificate: certificate)
        }
    }

    /// Returns the codes of the findings about pins.
    ///
    /// - Parameters:
    ///   - path: claimed by the program.
    ///   - pinned: a certificate of which there is a pin.
    ///   - roots: PEM; nil is the root of the lab.
    private static func codes(
        claiming path: [[UInt8]]?, pinning pinned: [UInt8], at position: PinPosition = .ca, roots: String? = nil
    ) async throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-program-\(UUID()).pem")
        try (roots ?? pki.rootPEM()).write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = Claiming(path: path)
        var client = Client(name: "terminal", family: "own", released: "2020-01-01", library: "Terminal")
        client.program = transport.name
        client.rootsFile = file.path
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference, transports: [transport],
            clock: .system)
        let check = Check(
            target: Target(name: try ServerName("good.test")), anchors: .none,
            pins: [PinGroup([Pin(kind: .cert, digest: .sha256(of: pinned))], position: position)])
        let results = try await run.results(check, clients: [client], chain: try pki.identity(.good).chain)
        let result = try #require(results.first)
        #expect(!result.isEmulated)
        return result.result.verdict.findings.filter { $0.stage == .pins }.map(\.code)
    }

    @Test("a pin holds on the path that the program shows") func shown() async throws {
        let root = try Self.pki.certificate(of: .root)
        let path = try Self.pki.identity(.good).chain + [root]
        #expect(try await Self.codes(claiming: path, pinning: root) == ["pin-matched"])
        let foreign = try Self.pki.certificate(of: .otherRoot)
        #expect(try await Self.codes(claiming: path, pinning: foreign) == ["pin-mismatch"])
    }

    @Test("a path that is not shown is the reference verifier's, and that is said where pins depend on it")
    func notShown() async throws {
        let chain = try Self.pki.identity(.good).chain
        let root = try Self.pki.certificate(of: .root)
        for pinned in [chain[1], root] {
            #expect(try await Self.codes(claiming: nil, pinning: pinned) == ["pin-matched", "path-not-shown"])
        }
        #expect(try await Self.codes(claiming: nil, pinning: chain[0], at: .leaf) == ["pin-matched"])
        // The reference verifier has no path to another root.
        let other = CertificateFile.pem(try Self.pki.certificate(of: .otherRoot))
        #expect(
            try await Self.codes(claiming: nil, pinning: chain[1], roots: other) == ["pin-mismatch", "path-not-shown"])
    }

    @Test("a pin of a certificate that is neither sent nor a root does not hold, whatever path the program claims")
    func forged() async throws {
        let chain = try Self.pki.identity(.good).chain
        let (root, foreign) = (try Self.pki.certificate(of: .root), try Self.pki.certificate(of: .otherRoot))
        for path in [[chain[0], foreign], [chain[0], foreign, root], [foreign, chain[0], chain[1], root], [foreign]] {
            let codes = try await Self.codes(claiming: path, pinning: foreign, at: .any)
            #expect(codes == ["pin-mismatch", "path-not-shown"])
            #expect(try await Self.codes(claiming: path, pinning: root) == ["pin-matched", "path-not-shown"])
        }
    }
}
