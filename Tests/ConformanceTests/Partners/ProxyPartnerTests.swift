import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Subprocess
import Testing

/// Real proxies through every backend, and beside `curl`.
@Suite(.serialized, .bounded) struct ProxyPartnerTests {
    private static let pki = LabPKI(epoch: .now)

    private static func results(
        _ proxy: HandshakeRequest.Proxy, _ port: UInt16, byName: Bool = false, startTLS: StartTLS? = nil
    ) async throws -> [ProbeResult] {
        let place = Endpoint(host: .ip(.loopback4), port: port)
        let check = Check(
            target: Target(
                name: try ServerName("good.test"), port: port, connect: byName ? nil : place, startTLS: startTLS),
            anchors: try pki.anchors(), timeout: .seconds(60), route: .proxy(proxy))
        return await Prober().probe(
            check, through: try BackendsUnderTest.transports.map { try $0.get() }, resolvers: [])
    }

    @Test("a server is reached through it, with STARTTLS too", arguments: ProxyPartner.allCases)
    func isReached(partner: ProxyPartner) async throws {
        try partner.requireInstalled()
        let identity = try Self.pki.identity(.good)
        try await partner.run { proxies in
            for startTLS in [nil, StartTLS.smtp] {
                let recipe = LabTLSRecipe(
                    .good, dialogue: startTLS.map { LabDialogue($0) }, service: .http(LabHTTPRecipe()))
                try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
                    for proxy in proxies {
                        let results = try await Self.results(
                            proxy, server.endpoint.port, byName: partner.knowsNames, startTLS: startTLS)
                        #expect(results.count == 4)
                        for result in results {
                            let connection = try #require(result.evidence.connection)
                            let place = "\(proxy) through \(connection.transport.name)"
                            #expect(result.verdict.outcome == .pass, "\(place): \(result.verdict.findings)")
                            #expect(connection.report.chain == identity.chain, "\(place)")
                            #expect(connection.report.peerAddress == nil, "\(place)")
                        }
                        if startTLS == nil { try await Self.compare(proxy, partner, server.endpoint) }
                    }
                }
            }
        }
    }

    @Test("what it refuses is the proxy's, and no verdict about the server", arguments: ProxyPartner.allCases)
    func refusals(partner: ProxyPartner) async throws {
        try partner.requireInstalled()
        try await partner.run { proxies in
            let unused = try LoopbackPort.free()
            for proxy in proxies {
                var stranger = proxy
                stranger.credentials = nil
                var cases: [(HandshakeRequest.Proxy, UInt16, String, String)] = [
                    (proxy, unused, "proxy-connect-failed", "did not reach")
                ]
                if partner != .tinyproxy { cases.append((proxy, 1, "proxy-refused", "does not allow this server")) }
                if partner.credentials != nil {
                    cases.append((stranger, unused, "proxy-refused", "asks for credentials"))
                }
                for (asked, port, code, words) in cases {
                    for result in try await Self.results(asked, port) {
                        let finding = result.verdict.decidingFinding
                        #expect(result.verdict.outcome == .unreachable)
                        #expect(finding?.code == code, "\(asked) \(port): \(String(describing: finding))")
                        #expect(finding?.message.contains(words) == true, "\(String(describing: finding))")
                    }
                }
            }
        }
    }

    /// `curl` gets through as well.
    private static func compare(
        _ proxy: HandshakeRequest.Proxy, _ partner: ProxyPartner, _ server: Endpoint
    ) async throws {
        guard PartnerProcess.isInstalled("curl") else { return try leaveOut("curl is not installed") }
        let folder = try PartnerFolder()
        let root = try folder.write(try pki.rootPEM(), to: "root.pem")
        let result = try await Subprocess.run(
            .name("curl"),
            arguments: [
                "-q", "-sv", "--head", "--max-time", "60", "--cacert", root, "--proxy", "\(proxy)",
                "--proxy-user", partner.credentials ?? ":", "--connect-to", "good.test:\(server.port):\(server)",
                "https://good.test:\(server.port)/",
            ], input: .none, output: .discarded, error: .string(limit: 1 << 20))
        #expect(result.standardError.contains("SSL certificate verify ok"), "\(proxy): \(result.standardError)")
    }
}
