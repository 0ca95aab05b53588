import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Subprocess
import Testing

/// The resolvers that are asked if DNS servers are given by address, by URL, or both.
@Suite(.bounded) struct HTTPSServerTests {
    private static let zone = LabDNSZone(.answer(.txt("dc,florida")))

    /// Runs `probe models` with a lab server of each kind; `body` gets the arguments for each.
    private func withServers(_ body: (_ plain: [String], _ https: [String]) async throws -> Void) async throws {
        let pki = CommandBench.pki
        let ca = FileManager.default.temporaryDirectory.appending(path: "probe-doh-\(UUID()).pem").path
        try pki.rootPEM().write(toFile: ca, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: ca) }
        try await LabDNSServer.run(Self.zone) { plain in
            try await LabDoHServer.run(Self.zone, pki: pki) { https in
                try await body(
                    ["--dns-server", "\(plain.endpoint)"],
                    [
                        "--dns-server", "\(https.server(.get))", "--dns-connect", "\(https.endpoint)", "--dns-ca", ca,
                    ])
            }
        }
    }

    private func models(
        _ arguments: [String], environment: Environment = .inherit
    ) async throws -> (code: Int32, outcomes: [String?: String]) {
        let arguments = ["models", "models.test", "--model", "florida", "--format", "json"] + arguments
        let outcome = try await Probe.run(arguments, environment: environment)
        let pairs = outcome.lines.map { ($0["resolver"] as? String, $0["outcome"] as? String ?? "") }
        return (outcome.code, Dictionary(pairs) { _, last in last })
    }

    @Test func allAreThoseThatCanAskTheServers() async throws {
        try await withServers { plain, https in
            let (code, outcomes) = try await models(plain)
            #expect(code == 0)
            #expect(outcomes == ["ldns": "pass", "cares": "pass", "unbound": "pass"])
            #expect(try await models(https).outcomes == ["doh": "pass"])
            #expect(try await models(plain + https).outcomes.count == 4)
        }
    }

    @Test func oneThatIsNamedRefuses() async throws {
        try await withServers { plain, https in
            let refused = try await models(plain + ["--resolver", "doh"])
            #expect(refused.code == 40)
            #expect(refused.outcomes == ["doh": "unsupported"])
            #expect(try await models(https + ["--resolver", "ldns"]).outcomes == ["ldns": "unsupported"])
            #expect(try await models(plain + ["--resolver", "all,doh"]).outcomes["doh"] == "unsupported")
        }
    }

    @Test func proxiesOfTheEnvironmentAreNotUsed() async throws {
        try await withServers { _, https in
            let environment = Environment.inherit.updating([
                "https_proxy": "http://127.0.0.1:9", "ALL_PROXY": "socks5://127.0.0.1:9",
            ])
            let outcomes = try await models(https, environment: environment).outcomes
            #expect(outcomes == ["doh": "pass"])
        }
    }
}
