import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing

/// Prometheus itself over `probe serve`: what its pages and its API say of targets, rules and the dashboard's queries.
@Suite(.bounded) struct PrometheusPageTests {
    private static let pki = LabPKI(epoch: .now)

    /// A target that passes, one that fails, a profile with pins and a model, watched, and a fleet of two clients.
    private static func files(good: String, expired: String, dns: String) throws -> [String: String] {
        let pin = PinDigest.sha256(of: try pki.identity(.good).leaf).hex
        return [
            "ca.pem": try pki.rootPEM(), "other.pem": try LabPKI(epoch: .now).rootPEM(),
            "clients.yaml": """
            clients:
              terminal-1:
                {released: 2020-01-01, library: Terminal, roots: ca.pem, sources: {released: us, library: us, roots: us}}
              terminal-2:
                {released: 2020-01-01, library: Terminal, roots: other.pem, sources: {released: us, library: us, roots: us}}
            """,
            "fleet.yaml":
                "fleet: 1\nminimum: 98\nclientFiles: [clients.yaml]\nclients: {terminal-1: 98.5, terminal-2: 1.5}\n",
            "app.yaml": """
            profile: 1
            anchors: [ca.pem]
            services:
              api:
                url: https://good.test
                connect: "\(good)"
                pins:
                - anyOf: [{pin: "cert:sha256:\(pin)", expires: 2099-12-31}]
                  position: leaf
                  window: {from: 2020-01-01, to: 2099-12-31}
            models: [{model: reno, hosts: [models.test], servers: ["\(dns)"]}]
            """,
            "serve.yml": """
            modules:
              tls:
                prober: tcp
                timeout: 60s
                fleet: fleet.yaml
                tcp: {tls: true, preferred_ip_protocol: ip4, tls_config: {ca_file: ca.pem, server_name: good.test}}
              app: {prober: profile, timeout: 60s, profile: {file: app.yaml}}
            watch:
              every: 1h
              targets:
                - {module: tls, target: "\(good)"}
                - {module: tls, target: "\(expired)"}
                - {module: app, target: good.test}
                - {module: app, target: models.test}
            """,
        ]
    }

    private struct Dashboard: Decodable {
        struct Panel: Decodable { let targets: [Query] }
        struct Query: Decodable { let expr: String }
        let panels: [Panel]
    }

    private static func queries() throws -> [String] {
        let file = URL(filePath: "\(PrometheusUnderTest.examples)/dashboard.json")
        return try JSONDecoder().decode(Dashboard.self, from: Data(contentsOf: file)).panels
            .flatMap(\.targets).map { $0.expr.replacing("$instance", with: ".*") }
    }

    @Test("targets are up, rules are evaluated, and each query of the dashboard has something to show")
    func dashboard() async throws {
        try PartnerProcess.requireInstalled("prometheus")
        let zone = LabDNSZone([try DNSName("models.test"): .answer(.txt("dc,florida"))])
        try await LabDNSServer.run(zone) { dns in
            let asked = "\(dns.endpoint)"
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let good = "\(server.endpoint)"
                try await LabServer.run(.tls(LabTLSRecipe(.expired)), pki: Self.pki) { server in
                    let expired = "\(server.endpoint)"
                    try await Self.run(good: good, expired: expired, dns: asked)
                }
            }
        }
    }

    private static func run(good: String, expired: String, dns: String) async throws {
        try await ScratchFolder.with { folder in
            for (name, text) in try files(good: good, expired: expired, dns: dns) {
                try ScratchFolder.write(text, to: "\(folder)/\(name)")
            }
            try await ExporterUnderTest.probe("\(folder)/serve.yml").run { exporter in
                // One probe beside the watch's, and one request that is refused, for the panel that counts them.
                _ = try await exporter.text("/probe?module=tls&target=\(good)&debug=true")
                _ = try? await exporter.text("/probe?module=tls&target=10.0.0.1:443")
                let targets = [("tls", good), ("tls", expired), ("app", "good.test"), ("app", "models.test")]
                try await PrometheusUnderTest.run(targets, by: exporter) { prometheus in
                    try await check(prometheus, good: good)
                    try await look(prometheus)
                }
            }
        }
    }

    private static func check(_ prometheus: PrometheusUnderTest, good: String) async throws {
        let up = try await prometheus.eventually("a target is not up") { () -> [String]? in
            let targets = try await prometheus.get("targets", as: PrometheusUnderTest.Targets.self).activeTargets
            let areUp = targets.allSatisfy { $0.health == "up" && $0.lastError.isEmpty }
            guard !targets.isEmpty, areUp else { return nil }
            return targets.compactMap { $0.labels["job"] }.sorted()
        }
        #expect(up == ["exporter", "probe-0", "probe-1", "probe-2", "probe-3"])
        let rules = try await prometheus.eventually("a rule is not evaluated") {
            () -> [PrometheusUnderTest.Rules.Rule]? in
            let rules = try await prometheus.get("rules", as: PrometheusUnderTest.Rules.self).groups.flatMap(\.rules)
            return rules.contains { $0.health == "unknown" } ? nil : rules
        }
        #expect(rules.count > 12 && rules.allSatisfy { $0.health == "ok" && $0.lastError == nil }, "\(rules)")
        #expect(try await prometheus.values(of: #"probe_success{instance="\#(good)"}"#) == [1])
        #expect(try await prometheus.values(of: #"ALERTS{alertname="ProbeFails"}"#, atLeast: 2).count == 2)
        #expect(try await prometheus.values(of: "probe:certificate_left:days", atLeast: 3).count == 3)
        let queries = try queries()
        #expect(queries.count > 18)
        for query in queries {
            let values = try await prometheus.values(of: query)
            #expect(!values.isEmpty, "\(query)")
        }
    }

    /// Prometheus' own pages, as Debian has them.
    private static func look(_ prometheus: PrometheusUnderTest) async throws {
        guard PartnerProcess.isInstalled(Browser.program) else {
            return try leaveOut("\(Browser.program) is not installed")
        }
        for (page, words) in [("targets", ["probe-0 (1/1 up)", "probe-3 (1/1 up)"]), ("rules", ["ProbeClientsLost"])] {
            try await ScratchFolder.with { folder in
                let address = "http://127.0.0.1:\(prometheus.port)/classic/\(page)"
                try await Browser.open(address, in: folder) { browser in
                    let text = try await browser.evaluate("document.body.textContent")
                    for word in words { #expect(text.contains(word), "\(page): \(text)") }
                    #expect(!text.contains("DOWN"))
                    try await PageRules.picture(of: browser, "prometheus-\(page)")
                }
            }
        }
    }
}
