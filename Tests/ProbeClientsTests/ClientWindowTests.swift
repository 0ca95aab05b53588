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

/// Transition windows of servers whose protocol has no `Date`, judged as clients.
@Suite(.bounded) struct ClientWindowTests {
    private static let pki = LabPKI(epoch: .now)

    /// Presents a chain without a connection.
    private struct Presenting: Transport {
        let chain: [[UInt8]]
        let stack = OpenSSLTransport()

        var identity: BackendIdentity { stack.identity }
        var capabilities: Set<TransportCapability> { stack.capabilities.union([.startTLS]) }

        func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
            var report = HandshakeReport()
            report.chain = chain
            for certificate in chain { report.keys.append(await stack.readKey(ofCertificate: certificate)) }
            report.version = .tls12
            return report
        }

        @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
            await stack.evaluateTrust(question)
        }

        func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
            await stack.readKey(ofCertificate: certificate)
        }
    }

    @Test func theFixIsNotToAskForATime() async throws {
        let (good, renewed) = (try Self.pki.identity(.good), try Self.pki.identity(.renewedSameKey))
        let window = TransitionWindow(
            start: Self.pki.epoch.addingTimeInterval(-3600), end: Self.pki.epoch.addingTimeInterval(3600))
        let roots = FileManager.default.temporaryDirectory.appending(path: "probe-window-\(UUID()).pem")
        try Self.pki.rootPEM().write(to: roots, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: roots) }
        var catalogue = try ClientCatalogue.shipped()
        var client = try #require(try catalogue.named(["android-9"]).first)
        (client.roots, client.rootsFile) = (nil, roots.path)
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference,
            transports: [Presenting(chain: renewed.chain)], clock: .system)
        let check = Check(
            target: try Target("good.test:25", startTLS: .smtp), anchors: .none,
            pins: [
                PinGroup([Pin(kind: .spki, digest: .sha256(of: good.key.spki))], position: .leaf),
                PinGroup([Pin(kind: .cert, digest: .sha256(of: good.leaf))], position: .leaf, window: window),
            ], timeout: .seconds(300))
        let results = try await run.results(check, clients: [client])
        #expect(results.map { $0.result.verdict.decidingFinding?.code } == ["no-server-date"])
    }
}
