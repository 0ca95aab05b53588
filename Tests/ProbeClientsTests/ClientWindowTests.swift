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

/// Transition windows, judged as clients: a server is asked for its time as one of them.
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

    /// Judges a server as one client whose store is the lab's root, or that of another lab.
    private static func result(
        of target: Target, through transport: any Transport = OpenSSLTransport(), trusting pki: LabPKI = Self.pki,
        key: LabIdentityName = .good, serverDate: ServerDateMode = .whenItDecides, clock: ProbeClock = .system
    ) async throws -> ProbeResult {
        let good = try Self.pki.identity(.good)
        let window = TransitionWindow(
            start: Self.pki.epoch.addingTimeInterval(-86_400), end: Self.pki.epoch.addingTimeInterval(86_400))
        let roots = FileManager.default.temporaryDirectory.appending(path: "probe-window-\(UUID()).pem")
        try pki.rootPEM().write(to: roots, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: roots) }
        var catalogue = try ClientCatalogue.shipped()
        var client = try #require(try catalogue.named(["android-9"]).first)
        (client.roots, client.rootsFile) = (nil, roots.path)
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: clock, reference: reference), reference: reference, transports: [transport],
            clock: clock)
        let check = Check(
            target: target, anchors: .none,
            pins: [
                PinGroup(
                    [Pin(kind: .spki, digest: .sha256(of: try Self.pki.identity(key).key.spki))], position: .leaf),
                PinGroup([Pin(kind: .cert, digest: .sha256(of: good.leaf))], position: .leaf, window: window),
            ], serverDate: serverDate, timeout: .seconds(300))
        return try #require(try await run.results(check, clients: [client]).first).result
    }

    /// Calls `body` with a web server that has renewed its certificate.
    private static func serving(
        _ identity: LabIdentityName = .renewedSameKey, _ body: (LabServer, Target) async throws -> Void
    ) async throws {
        let recipe = LabTLSRecipe(
            identity, applicationProtocols: HTTPExchange.alpn, service: .http(LabHTTPRecipe()))
        try await LabServer.run(.tls(recipe), pki: pki) { server in
            try await body(server, Target(name: try ServerName("good.test"), connect: server.endpoint))
        }
    }

    @Test func theFixIsNotToAskForATime() async throws {
        let renewed = try Self.pki.identity(.renewedSameKey)
        let result = try await Self.result(
            of: try Target("good.test:25", startTLS: .smtp), through: Presenting(chain: renewed.chain))
        #expect(result.verdict.decidingFinding?.code == "no-server-date")
    }

    @Test("the server is asked for its time as a client that would pass") func asked() async throws {
        try await Self.serving { server, target in
            let verdict = try await Self.result(of: target).verdict
            #expect(verdict.outcome == .passWithWarnings, "\(verdict.findings)")
            #expect(verdict.findings.contains { $0.code == "transition" })
            #expect(server.requests.count == 1)
        }
    }

    @Test("a server that the client refuses is sent nothing, and its time is not awaited") func refused()
        async throws
    {
        try await Self.serving { server, target in
            let stranger = try await Self.result(of: target, trusting: LabPKI(epoch: .now)).verdict
            #expect(stranger.outcome == .trustFailed)
            let otherKey = try await Self.result(of: target, key: .second).verdict
            #expect(otherKey.outcome == .pinMismatch)
            for verdict in [stranger, otherKey] {
                #expect(!verdict.findings.contains { $0.code == PinsMatch.awaitsServerTime }, "\(verdict.findings)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a server is always asked, or never, where the profile wants that") func modes() async throws {
        try await Self.serving(.good) { server, target in
            let verdict = try await Self.result(of: target, serverDate: .always).verdict
            #expect(verdict.findings.contains { $0.code == "server-date" }, "\(verdict.findings)")
            #expect(server.requests.count == 1)
        }
        try await Self.serving { server, target in
            let finding = try await Self.result(of: target, serverDate: .never).verdict.decidingFinding
            #expect(finding?.code == PinsMatch.awaitsServerTime && finding?.remedy.steps == [.askServerTime])
            #expect(server.requests.isEmpty)
        }
    }

    @Test("no clock is blamed for an instant that was chosen") func chosenInstant() async throws {
        try await Self.serving { server, target in
            let clock = ProbeClock.fixed(Self.pki.epoch.addingTimeInterval(7200))
            let finding = try await Self.result(of: target, clock: clock).verdict.decidingFinding
            #expect(finding?.code == "clock-skew" && finding?.remedy.steps == [.judgeNow], "\(finding?.message ?? "")")
            #expect(finding?.message.contains("the chosen instant and the server's clock are 7") == true)
            #expect(server.requests.count == 1)
        }
    }
}
