import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Synchronization
import Testing
import TransportOpenSSL

@testable import ProbeServe

/// Clients that go, that stop reading, that send no request, and those that keep their connection or do not.
@Suite(.bounded) struct ConnectionTests {
    private static let pki = LabPKI(epoch: .now)
    private static let modules = "modules: {tls: {prober: tcp, tcp: {tls: true}}}"
    /// A time that no test waits for.
    private static let never: Duration = .seconds(86_400)

    private func request(_ line: String, _ fields: String...) -> String {
        "\(line)\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    private func get(_ path: String) -> String { request("GET \(path) HTTP/1.1", "Host: a") }

    @Test("a scrape whose client has gone gives its place back, and counts nowhere") func clientsThatGo() async throws {
        try await LabServer.run(.silent, pki: Self.pki) { peer in
            let probe = get("/probe?module=tls&target=\(peer.endpoint)")
            try await ServerUnderTest.run(Self.modules, concurrency: 1) { server in
                var clients = try (0..<2).map { _ in try LoopbackClient(server.base) }
                for client in clients { try client.send(probe) }
                for count in [1.0, 0] {
                    try await eventually {
                        let own = try await server.ask("/metrics")
                        return own["probe_serve_probes_running"] == count && own["probe_serve_probes_waiting"] == count
                    }
                    clients = []
                }
                let own = try await server.ask("/metrics").text
                for part in ["probe_serve_probes_total{", "probe_serve_refused_requests_total{", "path=\"/probe\""] {
                    #expect(!own.contains(part), "\(own)")
                }
                #expect(try await server.ask("/logs?id=1").status == 404)
            }
        }
    }

    @Test("half of a connection that is closed ends a probe too, and other answers come") func halves() async throws {
        try await LabServer.run(.silent, pki: Self.pki) { peer in
            let probe = get("/probe?module=tls&target=\(peer.endpoint)")
            try await ServerUnderTest.run(Self.modules) { server in
                for (text, answer) in [(probe, "HTTP/1.1 499"), (get("/-/healthy"), "HTTP/1.1 200")] {
                    let client = try LoopbackClient(server.base)
                    try client.send(text)
                    client.finish()
                    #expect(try await client.received().hasPrefix(answer), "\(text)")
                }
            }
        }
    }

    @Test("a connection goes on after a probe") func probesOfOneConnection() async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
            let path = "/probe?module=tls&target=\(peer.endpoint)"
            let last = request("GET \(path) HTTP/1.1", "Host: a", "Connection: close")
            try await ServerUnderTest.run(Self.modules) { server in
                let client = try LoopbackClient(server.base)
                try client.send(get(path) + get(path) + last)
                let answers = try await client.received()
                #expect(answers.matches(of: #/HTTP/1\.1 200 OK/#).count == 3, "\(answers)")
            }
        }
    }

    @Test(
        "a connection ends after the answer where its client does not keep it",
        arguments: [
            ("HTTP/1.1", "Connection: close"), ("HTTP/1.1", "Connection: Close"), ("HTTP/1.1", "Connection: TE, close"),
            ("HTTP/1.1", "Connection: close, TE"), ("HTTP/1.0", "Accept: */*"), ("HTTP/1.0", "Connection: TE"),
        ]) func closedConnections(version: String, field: String) async throws
    {
        let healthy = request("GET /-/healthy \(version)", "Host: a", field)
        try await ServerUnderTest.run(Self.modules, patience: ServePatience(idle: Self.never)) { server in
            let client = try LoopbackClient(server.base)
            try client.send(healthy)
            #expect(try await client.received().hasSuffix("\r\n\r\nHealthy\n"))
        }
    }

    @Test("a client of HTTP/1.0 keeps its connection if it asks to") func keptConnection() async throws {
        let kept = request("GET /-/healthy HTTP/1.0", "Connection: Keep-Alive")
        let last = request("GET /-/healthy HTTP/1.0")
        try await ServerUnderTest.run(Self.modules) { server in
            let client = try LoopbackClient(server.base)
            try client.send(kept + last)
            #expect(try await client.received().matches(of: #/Healthy/#).count == 2)
        }
    }

    @Test("a connection without a request is closed", arguments: ["", "GET /-/healthy HTTP/1.1\r\nHost: a\r\n"])
    func halfARequest(text: String) async throws {
        let patience = ServePatience(request: .milliseconds(50), idle: Self.never)
        try await ServerUnderTest.run(Self.modules, patience: patience) { server in
            let client = try LoopbackClient(server.base)
            try client.send(text)
            #expect(try await client.received() == "")
        }
    }

    @Test("a client that does not read keeps neither its connection nor the server's end", arguments: [true, false])
    func stalled(atTheEnd: Bool) async throws {
        var patience = ServePatience(idle: Self.never, probes: Self.never)
        patience.reading = atTheEnd ? Self.never : .milliseconds(100)
        patience.farewell = atTheEnd ? .milliseconds(10) : Self.never
        let name = ["a", "b", "c"].map { String(repeating: $0, count: 60) }.joined(separator: ".")
        let modules = (0..<200).map { "m\($0): {prober: dns, dns: {query_name: \(name), query_type: TXT}}" }
        // More than the buffers of both sides hold.
        let requests = String(repeating: get("/config"), count: 400)
        let client = try await ServerUnderTest.run(
            "modules: {\(modules.joined(separator: ", "))}", patience: patience, ends: true
        ) { server in
            let client = try LoopbackClient(server.base)
            try client.send(requests)
            try await eventually {
                try await server.ask("/metrics")["probe_serve_requests_total{path=\"/config\",code=\"200\"}"] != nil
            }
            return client
        }
        withExtendedLifetime(client) {}
    }

    @Test("a probe that runs when the server is asked to end is answered") func probesAtTheEnd() async throws {
        try await LabServer.run(.silent, pki: Self.pki) { peer in
            let probe = request(
                "GET /probe?module=tls&target=\(peer.endpoint) HTTP/1.1", "Host: a",
                "X-Prometheus-Scrape-Timeout-Seconds: 3")
            let client = try await ServerUnderTest.run(
                Self.modules, patience: ServePatience(farewell: .milliseconds(10)), ends: true
            ) { server in
                let client = try LoopbackClient(server.base)
                try client.send(probe)
                try await eventually { peer.acceptedConnections > 0 }
                return client
            }
            #expect(try await client.received().contains("\nprobe_success 0\n"))
        }
    }

    /// Answers no handshake before it is released.
    private final class HeldTransport: Transport {
        let running = Mutex(0)
        let isReleased = Mutex(false)
        private let stack = OpenSSLTransport()

        var identity: BackendIdentity { stack.identity }
        var capabilities: Set<TransportCapability> { stack.capabilities }

        func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
            running.withLock { $0 += 1 }
            while !isReleased.withLock({ $0 }), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
            return HandshakeReport(failure: HandshakeFailure(.connectionRefused, "it was released"))
        }

        @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .unanswered("none") }

        func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
            await stack.readKey(ofCertificate: certificate)
        }
    }

    @Test("every address is closed while the probes of another one run, and all of these are answered")
    func listenersAtTheEnd() async throws {
        let transport = HeldTransport()
        let probe = request(
            "GET /probe?module=tls&target=127.0.0.1:1 HTTP/1.1", "Host: a", "Connection: close",
            "X-Prometheus-Scrape-Timeout-Seconds: 86400")
        let clients = try await ServerUnderTest.run(
            Self.modules, patience: ServePatience(idle: Self.never, probes: Self.never, farewell: Self.never),
            ends: true, listeners: 2, transports: [transport]
        ) { server in
            let clients = try server.bases.map { try LoopbackClient($0) }
            for client in clients { try client.send(probe) }
            try await eventually { transport.running.withLock { $0 } == clients.count }
            server.end()
            for base in server.bases { try await eventually { (try? LoopbackClient(base)) == nil } }
            transport.isReleased.withLock { $0 = true }
            return clients
        }
        for client in clients {
            let answer = try await client.received()
            #expect(answer.hasPrefix("HTTP/1.1 200 OK") && answer.contains("\nprobe_success 0\n"), "\(answer)")
        }
    }

    @Test(
        "methods that are not for a path of the server are not found", arguments: ["OPTIONS *", "CONNECT a.test:443"])
    func methodsWithoutAPath(line: String) async throws {
        let asked = request("\(line) HTTP/1.1", "Host: a", "Connection: close")
        try await ServerUnderTest.run(Self.modules) { server in
            let client = try LoopbackClient(server.base)
            try client.send(asked)
            #expect(try await client.received().hasPrefix("HTTP/1.1 404"))
        }
    }
}
