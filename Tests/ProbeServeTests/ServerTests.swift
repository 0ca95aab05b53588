import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing
import TransportGnuTLS
import TransportOpenSSL

@testable import ProbeServe

/// The exporter over HTTP, in front of the lab's servers.
@Suite(.bounded) struct ServerTests {
    private static let pki = LabPKI(epoch: .now)
    private static let configuration = """
        modules:
          http_2xx:
            prober: http
            http: {preferred_ip_protocol: ip4, tls_config: {ca_file: ca.pem}}
          tls:
            prober: tcp
            tcp: {tls: true, tls_config: {ca_file: ca.pem, server_name: good.test}}
          app:
            prober: profile
            profile: {file: app.yaml}
          txt:
            prober: dns
            dns: {query_name: models.test, query_type: TXT}
          txt_absent:
            prober: dns
            dns: {query_name: absent.test, query_type: TXT}
          txt_absent_valid:
            prober: dns
            dns: {query_name: absent.test, query_type: TXT, valid_rcodes: [NXDOMAIN]}
        """

    private func serve<Value: Sendable>(
        _ identity: LabIdentityName = .good, rules: TargetRules? = nil, profile: String? = nil,
        _ body: @escaping @Sendable (ServerUnderTest, Endpoint) async throws -> Value
    ) async throws -> Value {
        try await LabServer.run(.tls(LabTLSRecipe(identity)), pki: Self.pki) { peer in
            let endpoint = peer.endpoint
            let app = try profile ?? Self.profile(endpoint)
            return try await ServerUnderTest.run(
                Self.configuration, files: ["ca.pem": try Self.pki.rootPEM(), "app.yaml": app], rules: rules
            ) { server in try await body(server, endpoint) }
        }
    }

    /// A profile of two pins, one of which is the server's.
    private static func profile(_ endpoint: Endpoint) throws -> String {
        let der = try pki.identity(.good).chain[0]
        let pin = try CertificateFacts.spki(of: der)
        let backup = String(repeating: "ab", count: 32)
        return """
            profile: 1
            anchors: [ca.pem]
            services:
              api:
                url: https://good.test
                connect: "\(endpoint)"
                pins:
                - anyOf: ["spki:sha256:\(pin)", {pin: "spki:sha256:\(backup)", backup: true}]
                  position: leaf
                  window: {from: 2020-01-01, to: 2099-12-31}
            """
    }

    @Test("alternates of a profile are judged like its targets, and dialled as they were judged") func alternates()
        async throws
    {
        func profile(_ alternate: String, _ place: Endpoint) -> String {
            """
            profile: 1
            anchors: [ca.pem]
            services:
              api: {url: "https://\(place)", alternates: ["\(alternate)"]}
            """
        }
        try await LabServer.run(.dead, pki: Self.pki) { dead in
            for (alternate, status) in [("169.254.1.1:443", 403), ("127.0.0.2:\(dead.endpoint.port)", 200)] {
                try await serve(profile: profile(alternate, dead.endpoint)) { server, _ in
                    let answer = try await server.ask(
                        "/probe?module=app", headers: ["X-Prometheus-Scrape-Timeout-Seconds": "60.5"])
                    #expect(answer.status == status, "\(answer.text)")
                }
            }
        }
    }

    @Test func aTargetThatPasses() async throws {
        try await serve { server, endpoint async throws in
            let answer = try await server.probe("tls", "\(endpoint)")
            #expect(answer.status == 200 && answer.type == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer["probe_success"] == 1 && answer["probe_ip_protocol"] == 4, "\(answer.text)")
            #expect(answer["probe_ip_addr_hash"] == 3_668_918_509)
            #expect((answer["probe_duration_seconds"] ?? 0) > 0)
            #expect(answer["probe_tls_version_info{version=\"TLS 1.3\"}"] == 1)
            #expect(answer["probe_stacks_agree"] == 1)
            for name in ["openssl", "gnutls"] {
                #expect(answer["probe_backend_success{transport=\"\(name)\"}"] == 1)
                #expect(answer["probe_trust_accepted{transport=\"\(name)\",verifier=\"native\"}"] == 1)
            }
            let chain = try Self.pki.identity(.good).chain
            let ends = try chain.map(CertificateFacts.end(of:))
            #expect(answer["probe_ssl_earliest_cert_expiry"] == ends.min()?.timeIntervalSince1970)
            let first = try #require(ends.indices.min { ends[$0] < ends[$1] })
            let start = try CertificateFacts.start(of: chain[first])
            #expect(answer["probe_ssl_earliest_cert_not_before"] == start.timeIntervalSince1970)
            #expect(
                (answer["probe_ssl_last_chain_expiry_timestamp_seconds"] ?? 0)
                    <= (ends.min()?.timeIntervalSince1970 ?? 0))
            #expect(answer.text.contains("probe_ssl_last_chain_info{fingerprint_sha256=\""))
            #expect(answer.text.contains("probe_tls_cipher_info{cipher=\"TLS_"))
        }
    }

    /// A stack of a process that has no descriptor left.
    private struct Overloaded: Transport {
        let stack = OpenSSLTransport()

        var identity: BackendIdentity { stack.identity }
        var capabilities: Set<TransportCapability> { stack.capabilities }

        func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
            HandshakeReport(failure: HandshakeFailure(.localOverload, "no descriptor is left"))
        }

        @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .unanswered("none") }

        func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
            await stack.readKey(ofCertificate: certificate)
        }
    }

    @Test("a probe that this machine could not make is refused, and blames nobody") func overloaded() async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
            let endpoint = peer.endpoint
            let files = ["ca.pem": try Self.pki.rootPEM(), "app.yaml": try Self.profile(endpoint)]
            try await ServerUnderTest.run(
                Self.configuration, files: files, transports: [GnuTLSTransport(), Overloaded()]
            ) { server async throws in
                for more in ["", "&debug=true"] {
                    let answer = try await server.probe("tls", "\(endpoint)", more)
                    #expect(answer.status == 503 && answer.text.contains("no descriptor is left"), "\(answer)")
                    #expect(answer["probe_success"] == nil)
                }
                let own = try await server.ask("/metrics")
                #expect(own["probe_serve_refused_requests_total{code=\"503\"}"] == 2, "\(own.text)")
                #expect(!own.text.contains("probe_serve_probes_total{"))
            }
        }
    }

    @Test("the scraper's hostname is what the certificate is for, and the URL's path is of no matter")
    func hostnames() async throws {
        try await serve { server, endpoint async throws in
            let target = "https://\(endpoint)/path?x"
            #expect(try await server.probe("http_2xx", target, "&hostname=good.test")["probe_success"] == 1)
            let other = try await server.probe("http_2xx", target)
            #expect(other["probe_success"] == 0 && other["probe_http_ssl"] == 1, "\(other.text)")
            #expect(other.text.contains("outcome=\"trust-failed\""))
            // The module's own name is not the scraper's to change.
            #expect(try await server.probe("tls", "\(endpoint)", "&hostname=other.test")["probe_success"] == 1)
        }
    }

    @Test func aTargetThatFails() async throws {
        try await serve(.expired) { server, endpoint async throws in
            let answer = try await server.probe("tls", "\(endpoint)")
            #expect(answer.status == 200 && answer["probe_success"] == 0)
            #expect(answer["probe_backend_success{transport=\"gnutls\"}"] == 0 && answer["probe_stacks_agree"] == 1)
            #expect(answer["probe_trust_accepted{transport=\"openssl\",verifier=\"reference\"}"] == 0)
            #expect((answer["probe_ssl_earliest_cert_expiry"] ?? .infinity) < Date.now.timeIntervalSince1970)
            #expect(answer["probe_ssl_last_chain_expiry_timestamp_seconds"] == nil)
        }
    }

    @Test func aProfileIsAModule() async throws {
        try await serve { server, _ async throws in
            for target in ["good.test", "https://good.test/"] {
                let answer = try await server.probe("app", target)
                #expect(answer["probe_success"] == 1, "\(answer.text)")
                for (state, count) in [("matching", 1.0), ("backup", 1), ("expired", 0)] {
                    let labels = "service=\"api\",transport=\"openssl\",group=\"1\",state=\"\(state)\""
                    #expect(answer["probe_pins{\(labels)}"] == count)
                }
                #expect(
                    answer["probe_transition_window_end_timestamp_seconds{service=\"api\",group=\"1\"}"]
                        == 4_102_444_799)
            }
            #expect(try await server.ask("/probe?module=app")["probe_success"] == 1)
            #expect(try await server.probe("app", "other.test").status != 500)
        }
    }

    @Test("pins that the server does not have fail the probe") func pinsThatDoNotMatch() async throws {
        try await serve(.second) { server, _ async throws in
            let answer = try await server.probe("app", "good.test")
            #expect(answer["probe_success"] == 0, "\(answer.text)")
            #expect(answer["probe_pins{service=\"api\",transport=\"gnutls\",group=\"1\",state=\"matching\"}"] == 0)
        }
    }

    @Test func dns() async throws {
        let zone = LabDNSZone([
            try DNSName("models.test"): .answer(.txt("dc,florida")),
            try DNSName("absent.test"): .reply(LabDNSMessage(responseCode: .nameError)),
        ])
        try await LabDNSServer.run(zone) { dns in
            let endpoint = "\(dns.endpoint)"
            try await serve { server, _ async throws in
                let answer = try await server.probe("txt", endpoint)
                #expect(answer["probe_success"] == 1 && answer["probe_dns_query_succeeded"] == 1, "\(answer.text)")
                #expect(answer["probe_dns_answer_rrs"] == 1 && answer["probe_dns_additional_rrs"] == 0)
                let absent = try await server.probe("txt_absent", endpoint)
                #expect(absent["probe_success"] == 0 && absent["probe_dns_query_succeeded"] == 1, "\(absent.text)")
                #expect(try await server.probe("txt_absent_valid", endpoint)["probe_success"] == 1)
                #expect(try await server.probe("txt", endpoint, "&hostname=x").status == 400)
            }
        }
    }

    @Test("loopback is dialled where it is allowed, whatever name leads to it") func targetsAreAllowed() async throws {
        try await serve(rules: TargetRules()) { server, endpoint async throws in
            for target in [
                "\(endpoint)", "localhost:\(endpoint.port)", "[::ffff:127.0.0.1]:\(endpoint.port)",
                "169.254.169.254:80",
            ] {
                let answer = try await server.probe(
                    "tls", target.replacing("[", with: "%5B").replacing("]", with: "%5D"))
                #expect(answer.status == 403 && answer.text.contains("not public"), "\(answer.text)")
            }
            #expect(try await server.probe("txt", "127.0.0.1").status == 403)
            let own = try await server.ask("/metrics")
            #expect(own["probe_serve_refused_requests_total{code=\"403\"}"] == 5)
        }
        try await serve(rules: try TargetRules(blocks: [try AddressBlock("127.0.0.0/8")], names: ["good.test"])) {
            server, endpoint async throws in
            #expect(try await server.probe("tls", "\(endpoint)").status == 403)
        }
    }

    @Test func requestsThatCanNotBeServed() async throws {
        try await serve { server, endpoint async throws in
            for (path, status) in [
                ("/probe?module=none&target=x:1", 400), ("/probe?module=tls", 400), ("/probe?module=tls&target=x", 400),
                ("/probe?module=http_2xx&target=http://127.0.0.1", 400),
                ("/probe?module=http_2xx&target=smtp://127.0.0.1", 400), ("/probe?module=tls&target=a%20b:1", 400),
                ("/probe?module=tls&target=\(String(repeating: "x", count: 9000))", 414), ("/logs", 400),
                ("/logs?id=77", 404), ("/nothing", 404), ("/-/reload", 405),
            ] {
                #expect(try await server.ask(path).status == status, "\(path.prefix(60))")
            }
            let odd = ["X-Prometheus-Scrape-Timeout-Seconds": "soon"]
            #expect(try await server.ask("/probe?module=tls&target=\(endpoint)", headers: odd).status == 400)
            let own = try await server.ask("/metrics")
            #expect(own["blackbox_module_unknown_total"] == 1)
            #expect(own["probe_serve_requests_total{path=\"other\",code=\"404\"}"] == 1, "\(own.text)")
        }
    }

    @Test("a path is there for its methods alone, and the answer to others names them") func otherMethods() async throws
    {
        try await serve { server, _ async throws in
            for path in ["/", "/probe?module=tls", "/metrics", "/config", "/logs", "/-/healthy", "/-/ready"] {
                for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
                    let answer = try await server.ask(path, method: method)
                    #expect(answer.status == 405 && answer.allowed == "GET, HEAD", "\(method) \(path)")
                }
            }
            for method in ["GET", "HEAD", "DELETE"] {
                let answer = try await server.ask("/-/reload", method: method)
                #expect(answer.status == 405 && answer.allowed == "POST, PUT", "\(method)")
            }
            #expect(try await server.ask("/nothing", method: "POST").status == 404)
            let own = try await server.ask("/metrics")
            #expect(own["probe_serve_requests_total{path=\"/probe\",code=\"405\"}"] == 4, "\(own.text)")
        }
    }

    @Test func whatPeopleRead() async throws {
        try await serve { server, endpoint async throws in
            let debug = try await server.probe("tls", "\(endpoint)", "&debug=true")
            for part in [
                "Logs for the probe:", "\"transport\":\"gnutls\"", "probe_success 1",
                "Module configuration:\nprober: tcp",
            ] {
                #expect(debug.text.contains(part), "\(debug.text)")
            }
            #expect(try await server.ask("/logs?id=1").text == debug.text)
            let page = try await server.ask("/")
            #expect(
                page.text.contains("logs?id=1") && page.text.contains("\(endpoint)") && page.type.hasPrefix("text/html")
            )
            #expect(try await server.ask("/config").text.contains("  \"tls\":\n    prober: tcp\n"))
            #expect(try await server.ask("/-/healthy").text == "Healthy\n")
        }
    }

    @Test("the server's own metrics, in the form that is asked for") func ownMetrics() async throws {
        try await serve { server, endpoint async throws in
            _ = try await server.probe("tls", "\(endpoint)")
            let text = try await server.ask("/metrics")
            #expect(text["probe_serve_probes_total{module=\"tls\",result=\"passed\",asker=\"scrape\"}"] == 1)
            #expect(text["probe_serve_probes_total{module=\"tls\",result=\"failed\",asker=\"scrape\"}"] == 0)
            #expect(text["probe_serve_requests_total{path=\"/probe\",code=\"200\"}"] == 1)
            #expect((text["probe_serve_requests_seconds_total{path=\"/probe\",code=\"200\"}"] ?? 0) > 0)
            #expect(text["probe_serve_probes_running"] == 0)
            #expect(text["blackbox_exporter_config_last_reload_successful"] == 1)
            #expect((text["process_resident_memory_bytes"] ?? 0) > 1_000_000)
            let open = try await server.ask(
                "/metrics", headers: ["Accept": "application/openmetrics-text;version=1.0.0"])
            #expect(open.type.hasPrefix("application/openmetrics-text") && open.text.hasSuffix("# EOF\n"))
        }
    }

    @Test("a silent service of a profile takes its share of the time, and no other's") func silentService() async throws
    {
        try await LabServer.run(.silent, pki: Self.pki) { silent in
            let other = silent.endpoint
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
                let pin = "spki:sha256:" + (try CertificateFacts.spki(of: try Self.pki.identity(.good).chain[0]))
                let services = [("aa", other), ("bb", peer.endpoint)].map { name, place in
                    "  \(name): {url: https://good.test, connect: \"\(place)\", pins: [{anyOf: [\"\(pin)\"]}]}\n"
                }
                let profile = "profile: 1\nanchors: [ca.pem]\nservices:\n" + services.joined()
                let files = ["ca.pem": try Self.pki.rootPEM(), "app.yaml": profile]
                try await ServerUnderTest.run(Self.configuration, files: files) { server in
                    let answer = try await server.ask(
                        "/probe?module=app", headers: ["X-Prometheus-Scrape-Timeout-Seconds": "20"])
                    #expect(answer["probe_success"] == 0, "\(answer.text)")
                    for backend in ["openssl", "gnutls"] {
                        func passes(_ service: String) -> Double? {
                            answer["probe_backend_success{service=\"\(service)\",transport=\"\(backend)\"}"]
                        }
                        #expect(passes("aa") == 0 && passes("bb") == 1, "\(answer.text)")
                    }
                }
            }
        }
    }

    @Test("a configuration that can't be read changes nothing") func reload() async throws {
        try await serve { server, endpoint async throws in
            let path = "\(server.folder)/serve.yml"
            try "modules: {only: {prober: tcp, tcp: {tls: yes, query_response: []}}}".write(
                toFile: path, atomically: true, encoding: .utf8)
            let refused = try await server.ask("/-/reload", method: "POST")
            #expect(refused.status == 500 && refused.text.contains("query_response"), "\(refused.text)")
            #expect(try await server.ask("/metrics")["blackbox_exporter_config_last_reload_successful"] == 0)
            #expect(try await server.probe("tls", "\(endpoint)")["probe_success"] == 1)
            try "modules: {only: {prober: tcp, tcp: {tls: true}}}".write(
                toFile: path, atomically: true, encoding: .utf8)
            #expect(try await server.ask("/-/reload", method: "PUT").status == 200)
            #expect(try await server.ask("/metrics")["blackbox_exporter_config_last_reload_successful"] == 1)
            #expect(try await server.probe("tls", "\(endpoint)").status == 400)
            #expect(try await server.probe("only", "\(endpoint)")["probe_success"] == 0)
        }
    }
}
