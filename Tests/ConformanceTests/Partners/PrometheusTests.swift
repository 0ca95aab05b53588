import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Subprocess
import Testing

/// `probe serve` beside blackbox_exporter, read by Prometheus and its tools.
@Suite(.bounded) struct PrometheusTests {
    private static let pki = LabPKI(epoch: .now)
    private static let examples = PrometheusUnderTest.examples

    /// Modules that both exporters read as they are.
    private static func modules(_ folder: String) -> String {
        """
        modules:
          web:
            prober: http
            http: {preferred_ip_protocol: ip4, tls_config: {ca_file: \(folder)/ca.pem, server_name: good.test}}
          web_other_name:
            prober: http
            http: {enable_http2: false, tls_config: {ca_file: \(folder)/ca.pem, server_name: other.test}}
          tls:
            prober: tcp
            timeout: 60s
            tcp: {tls: true, preferred_ip_protocol: ip4, tls_config: {ca_file: \(folder)/ca.pem, server_name: good.test}}
          tls13:
            prober: tcp
            tcp: {tls: true, tls_config: {ca_file: \(folder)/ca.pem, server_name: good.test, min_version: TLS13}}
          tls_system:
            prober: tcp
            tcp: {tls: true, tls_config: {server_name: good.test}}
          txt:
            prober: dns
            dns: {query_name: models.test, query_type: TXT, preferred_ip_protocol: ip4}
          txt_absent:
            prober: dns
            dns: {query_name: absent.test, query_type: TXT}
          txt_absent_valid:
            prober: dns
            dns: {query_name: absent.test, query_type: TXT, valid_rcodes: [NXDOMAIN, NOERROR]}
        """
    }

    private static func zone() throws -> LabDNSZone {
        LabDNSZone([
            try DNSName("models.test"): .answer(.txt("dc,florida")),
            try DNSName("absent.test"): .reply(LabDNSMessage(responseCode: .nameError)),
        ])
    }

    /// Runs `body` with the targets of each module, and the configuration's path.
    private func withLab(
        _ body:
            @escaping @Sendable (_ targets: [(module: String, target: String)], _ configuration: String) async throws ->
            Void
    ) async throws {
        try await ScratchFolder.with { folder in
            try ScratchFolder.write(try Self.pki.rootPEM(), to: "\(folder)/ca.pem")
            try ScratchFolder.write(Self.modules(folder), to: "\(folder)/blackbox.yml")
            let web = LabService.http(LabHTTPRecipe())
            var recipes = [
                LabIdentityName.good, .expired, .notYetValid, .rsa2048, .p384, .rootIncluded, .missingIntermediate,
                .selfSigned,
            ]
            .map { LabTLSRecipe($0, applicationProtocols: ["h2", "http/1.1"], service: web) }
            recipes.append(LabTLSRecipe(.good, versions: .tls12 ... .tls12, service: web))
            let servers = try await recipes.asyncMap { try await LabServer.start(.tls($0), pki: Self.pki) }
            let dns = try await LabDNSServer.start(try Self.zone())
            let nobody = try LoopbackPort.free()
            var targets: [(module: String, target: String)] = []
            for server in servers {
                targets += [("web", "https://\(server.endpoint)"), ("tls", "\(server.endpoint)")]
            }
            for server in [servers[0], servers[8]] { targets.append(("tls13", "\(server.endpoint)")) }
            targets += [
                ("web_other_name", "https://\(servers[0].endpoint)/"), ("tls_system", "\(servers[0].endpoint)"),
                ("txt", "\(dns.endpoint)"), ("txt_absent", "\(dns.endpoint)"), ("txt_absent_valid", "\(dns.endpoint)"),
                ("tls", "127.0.0.1:\(nobody)"),
            ]
            let result: Result<Void, any Error>
            do { result = .success(try await body(targets, "\(folder)/blackbox.yml")) } catch {
                result = .failure(error)
            }
            for server in servers { await server.stop() }
            await dns.stop()
            try result.get()
        }
    }

    @Test("blackbox_exporter has the same values, by the same file") func besideBlackbox() async throws {
        try PartnerProcess.requireInstalled("prometheus-blackbox-exporter")
        try await withLab { targets, configuration async throws in
            try await ExporterUnderTest.blackbox(configuration).run { theirs async throws in
                try await ExporterUnderTest.probe(configuration).run { ours async throws in
                    #expect(targets.count >= 20)
                    var compared = 0
                    for (module, target) in targets {
                        let expected = try await theirs.samples(module, target)
                        let found = try await ours.samples(module, target)
                        let (count, differences) = ExporterUnderTest.compare(expected, with: found)
                        #expect(differences == [], "\(module) \(target)")
                        compared += count
                    }
                    #expect(compared > 100, "\(compared)")
                }
            }
        }
    }

    @Test("promtool has nothing to say about the metrics") func metricsAreClean() async throws {
        try PartnerProcess.requireInstalled("promtool")
        try await withLab { targets, configuration async throws in
            try await ExporterUnderTest.probe(configuration).run { exporter async throws in
                for (module, target) in targets.suffix(8) {
                    let text = try await exporter.text("/probe?module=\(module)&target=\(target)")
                    #expect(try await Self.promtool("check", "metrics", input: text) == "", "\(module) \(target)")
                }
                #expect(try await Self.promtool("check", "metrics", input: try await exporter.text("/metrics")) == "")
            }
        }
    }

    @Test("the rules have what they promise") func rules() async throws {
        try PartnerProcess.requireInstalled("promtool")
        #expect(try await Self.promtool("test", "rules", "\(Self.examples)/rules-test.yml").contains("SUCCESS"))
        #expect(try await Self.promtool("check", "config", "\(Self.examples)/prometheus.yml").contains("SUCCESS"))
    }

    /// Returns the output of promtool, both kinds; a code other than zero is an issue.
    private static func promtool(_ arguments: String..., input: String = "") async throws -> String {
        let result = try await Subprocess.run(
            .name("promtool"), arguments: Arguments(arguments), input: .string(input), output: .string(limit: 1 << 20),
            error: .combinedWithOutput)
        #expect(result.terminationStatus == .exited(0), "\(result.standardOutput)")
        return result.standardOutput
    }
}

extension Array {
    /// Returns the results for each element, one after the other.
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
