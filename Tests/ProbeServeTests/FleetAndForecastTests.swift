import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeServe

/// A module's fleet, and the next rotation of a profile's services: as metrics, and on the page.
@Suite(.bounded) struct FleetAndForecastTests {
    private static let pki = LabPKI(epoch: .now)

    /// One client that has the lab's root, and one that has a root of its own alone.
    private static let clients = """
        clients:
          terminal-1:
            {released: 2020-01-01, library: Terminal, roots: ca.pem, sources: {released: us, library: us, roots: us}}
          terminal-2:
            {released: 2020-01-01, library: Terminal, roots: other.pem, sources: {released: us, library: us, roots: us}}
        """

    private static func fleet(minimum: Double) -> String {
        "fleet: 1\nminimum: \(minimum)\nclientFiles: [clients.yaml]\nclients: {terminal-1: 98.5, terminal-2: 1.5}\n"
    }

    private static func configuration(_ endpoint: Endpoint) -> String {
        """
        modules:
          tls:
            prober: tcp
            timeout: 60s
            fleet: fleet.yaml
            tcp: {tls: true, tls_config: {ca_file: ca.pem, server_name: good.test}}
          app: {prober: profile, timeout: 60s, profile: {file: app.yaml}}
        watch:
          every: 1h
          targets: [{module: tls, target: "\(endpoint)"}, {module: app}]
        """
    }

    private static func files(_ endpoint: Endpoint, minimum: Double) throws -> [String: String] {
        let leaf = try pki.identity(.good)
        let pin = try CertificateFacts.spki(of: leaf.chain[0])
        return [
            "ca.pem": try pki.rootPEM(), "other.pem": try LabPKI(epoch: .now).rootPEM(), "clients.yaml": clients,
            "fleet.yaml": fleet(minimum: minimum),
            "app.yaml": """
            profile: 1
            anchors: [ca.pem]
            services:
              api:
                url: https://good.test
                connect: "\(endpoint)"
                pins: [{anyOf: ["spki:sha256:\(pin)"], position: leaf}]
            """,
        ]
    }

    @Test(
        "the share of a fleet that connects is a metric, and fails the target below the minimum", arguments: [98, 99])
    func fleets(minimum: Double) async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
            let endpoint = peer.endpoint
            try await ServerUnderTest.run(
                Self.configuration(endpoint), files: try Self.files(endpoint, minimum: minimum)
            ) { server in
                let answer = try await server.probe("tls", "\(endpoint)")
                #expect(answer["probe_fleet_connecting_ratio"] == 0.985, "\(answer.text)")
                #expect(answer["probe_fleet_undecided_ratio"] == 0)
                #expect(answer["probe_fleet_minimum_ratio"] == minimum / 100)
                #expect(answer[#"probe_client_success{client="terminal-1"}"#] == 1)
                #expect(answer[#"probe_client_success{client="terminal-2"}"#] == 0)
                #expect(answer[#"probe_backend_success{transport="openssl"}"#] == 1)
                #expect(answer["probe_success"] == (minimum < 98.5 ? 1 : 0))
                while try await !server.ask("/").text.contains(
                    "98.5 % of the users connect, and \(Int(minimum)) % have to")
                {
                    try await Task.sleep(for: .milliseconds(20))
                }
                while try await !server.ask("/").text.contains("The next rotation: ") {
                    try await Task.sleep(for: .milliseconds(20))
                }
                let page = try await server.ask("/").text
                let days = try #require(page.split(separator: "<details>").first { $0.contains("The days to come") })
                let moments = days.split(separator: "\n").filter { $0.hasPrefix("<tr><th scope=\"row\"><time ") }
                let expected = try #require(minimum < 98.5 ? moments.last : moments.first)
                let end = try #require(expected.firstMatch(of: #/<time [^>]+>/#)).0
                let words =
                    minimum < 98.5
                    ? "98.5 % of the users connect, and enough of them until \(end)"
                    : "Too few of the users connect already"
                #expect(moments.count == 2 && days.contains(words), "\(days)")
                let watched = try await server.probe("tls", "\(endpoint)")
                let seconds = try #require(watched["probe_fleet_end_timestamp_seconds"])
                #expect(end.contains(RFC3339.format(Date(timeIntervalSince1970: seconds.rounded(.down)))), "\(seconds)")
                let ends = days.split(separator: "\n").filter { $0.contains("the certificate has ended") }
                #expect(ends.count == 1 && ends[0].contains("0 %") && ends[0].contains(">terminal-1<"), "\(days)")
                #expect(
                    page.contains(">terminal-2</th><td>1.5 %</td><td><span class=\"mark fail\">trust-failed</span>"))
                // The pin is of the leaf's key: with a new one the app refuses the server.
                #expect(
                    page.contains(">renewed same key</th><td><span class=\"mark pass\">passes</span></td>"), "\(page)")
                let row = page.split(separator: "\n").first { $0.contains(">renewed new key</th>") }
                #expect(row?.contains("<span class=\"mark fail\">fails</span>") == true, "\(page)")
            }
        }
    }

    @Test("of a fleet whose server does not answer nothing is known: no client is said to be refused")
    func undecidedFleet() async throws {
        let nobody = try Endpoint("127.0.0.1:1")
        try await ServerUnderTest.run(
            Self.configuration(nobody), files: try Self.files(nobody, minimum: 98)
        ) { server in
            let answer = try await server.probe("tls", "\(nobody)")
            #expect(answer["probe_success"] == 0 && answer["probe_fleet_undecided_ratio"] == 1, "\(answer.text)")
            #expect(!answer.text.contains("\nprobe_client_success"), "\(answer.text)")
        }
    }

    @Test("of a service that nobody reached the page does not say that it passes as it is served")
    func unreachedService() async throws {
        let nobody = try Endpoint("127.0.0.1:1")
        try await ServerUnderTest.run(
            Self.configuration(nobody), files: try Self.files(nobody, minimum: 98)
        ) { server in
            while try await !server.ask("/").text.contains(">renewed same key</th>") {
                try await Task.sleep(for: .milliseconds(20))
            }
            let page = try await server.ask("/").text
            #expect(!page.contains(">as served</th>"), "\(page)")
        }
    }

    /// As `probe profile forecast --live` has it.
    @Test("a chain that has expired fails as it is served, and its renewal is judged by the pins") func expired()
        async throws
    {
        try await LabServer.run(.tls(LabTLSRecipe(.expired)), pki: Self.pki) { peer in
            var files = try Self.files(peer.endpoint, minimum: 98)
            let good = try CertificateFacts.spki(of: Self.pki.identity(.good).chain[0])
            let expired = try CertificateFacts.spki(of: Self.pki.identity(.expired).chain[0])
            files["app.yaml"] = files["app.yaml"]?.replacing(good, with: expired)
            try await ServerUnderTest.run(Self.configuration(peer.endpoint), files: files) { server in
                while try await !server.ask("/").text.contains(">renewed same key</th>") {
                    try await Task.sleep(for: .milliseconds(20))
                }
                let rows = try await server.ask("/").text.split(separator: "\n")
                let served = rows.first { $0.contains(">as served</th>") }
                #expect(served?.contains("every client refuses the chain as it is: ") == true, "\(rows)")
                let renewed = rows.first { $0.contains(">renewed same key</th>") }
                #expect(renewed?.contains("<span class=\"mark pass\">passes</span>") == true, "\(rows)")
            }
        }
    }

    @Test("a model is not said to be off a list that could not be read") func unreadableList() async throws {
        let app = """
            profile: 1
            models: [{model: tampa, hosts: [models.test], servers: ["127.0.0.1:1"]}]
            """
        // libunbound hears nothing of the closed port, and waits its time out.
        let modules = "modules: {app: {prober: profile, timeout: 5s, profile: {file: app.yaml}}}\n"
        try await ServerUnderTest.run(modules, files: ["app.yaml": app]) { server in
            let answer = try await server.ask(
                "/probe?module=app", headers: ["X-Prometheus-Scrape-Timeout-Seconds": "60.5"])
            #expect(answer["probe_success"] == 0 && answer.text.contains("dns-indeterminate"), "\(answer.text)")
            #expect(!answer.text.contains("\nprobe_model"), "\(answer.text)")
        }
    }

    @Test(
        "a fleet that can't be used is refused with its line",
        arguments: [
            ("prober: tcp\n    fleet: none.yaml\n    tcp: {tls: true}", "none.yaml can't be read"),
            ("prober: dns\n    fleet: fleet.yaml\n    dns: {query_name: a.test, query_type: TXT}", "for a dns module"),
        ])
    func refused(lines: String, words: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID()).yml")
        try "modules:\n  m:\n    \(lines)\n".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = try #require(throws: InputError.self) { try ServeConfiguration.read(file.path, policies: [:]) }
        #expect(error.message.contains(".yml:4: 'modules.m.fleet'") && error.message.contains(words), "\(error)")
    }
}
