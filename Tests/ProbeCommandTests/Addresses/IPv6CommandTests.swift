import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// Servers, proxies and name servers on ::1, wherever the command line takes an address.
@Suite(.bounded) struct IPv6CommandTests {
    /// Runs a command with the root of the scan's bench.
    private func run(_ arguments: [String]) async throws -> Probe.Outcome {
        try await ScanBench.run { bench in
            let anchors = arguments[0] == "survey" ? [] : ["--ca", bench.path("ca.pem")]
            return try await Probe.run(arguments + anchors + ["--timeout", "60"])
        }
    }

    /// Runs a closure with a server on ::1.
    private func serve<Value>(_ recipe: LabTLSRecipe, _ body: (Endpoint) async throws -> Value) async throws -> Value {
        try need(.loopback6)
        return try await LabServer.run(.tls(recipe), pki: ScanBench.pki, on: .loopback6) { try await body($0.endpoint) }
    }

    @Test("an address is a target, whose certificate has to name it") func target() async throws {
        let (named, other) = try await serve(LabTLSRecipe(.address)) { server in
            let forms = [
                "\(server)", "https://\(server)/", "[0:0:0:0:0:0:0:1]:\(server.port)", "[::1%lo]:\(server.port)",
            ]
            let named = try await run(["check", "--format", "json"] + forms)
            return try await (
                named, serve(LabTLSRecipe(.good)) { try await run(["check", "--format", "json", "\($0)"]) }
            )
        }
        #expect(named.code == 0, "\(named.output)\(named.errors)")
        #expect(named.lines.count == 16)
        for line in named.lines {
            let tls = (line["evidence"] as? [String: Any])?["tls"] as? [String: Any]
            #expect(tls?["sni"] is NSNull, "an address is not sent: \(line)")
        }
        #expect(other.code == 11 && other.output.contains("hostname-mismatch"), "\(other.output)")
    }

    @Test(
        "--connect takes an address in every command",
        arguments: [
            ["check"], ["compare"], ["pins"], ["scan"], ["survey", "--backend", "openssl"], ["watch", "--rounds", "1"],
            ["check", "--client", "openssl-3.0"], ["check", "--starttls", "smtp"],
        ])
    func connect(command: [String]) async throws {
        let dialogue = command.contains("smtp") ? LabDialogue(.smtp) : nil
        let found = try await serve(LabTLSRecipe(.good, dialogue: dialogue)) { server in
            let anchors = command.contains("--client")
            let arguments = command + ["--connect", "\(server)", "--format", "json", "good.test"]
            return anchors ? try await Probe.run(arguments + ["--timeout", "60"]) : try await run(arguments)
        }
        // A shipped client has its own roots, and refuses ours.
        #expect(found.code == (command.contains("--client") ? 11 : 0), "\(found.output)\(found.errors)")
        if command[0] == "check" || command[0] == "scan" {
            #expect(found.output.contains(#""address":"::1""#), "\(found.output)")
        }
    }

    @Test("a proxy may be there", arguments: [HandshakeRequest.Proxy.Scheme.http, .socks5h]) func proxy(
        scheme: HandshakeRequest.Proxy.Scheme
    ) async throws {
        let dialogue = LabDialogue(proxy: scheme, to: Endpoint(host: .dns("good.test"), port: 443))
        let found = try await serve(LabTLSRecipe(.good, dialogue: dialogue)) { server in
            try await run(["check", "--proxy", "\(scheme.rawValue)://\(server)", "--format", "json", "good.test"])
        }
        #expect(found.code == 0, "\(found.output)\(found.errors)")
        #expect(found.lines.count == 4)
    }

    @Test("a name server may be there") func nameServer() async throws {
        try need(.loopback6)
        try await LabDNSServer.run(LabDNSZone(.answer(.txt("dc,florida"))), on: "::1") { server in
            let found = try await Probe.run([
                "models", "models.test", "--model", "florida", "--dns-server", "\(server.endpoint)",
                "--resolver", "ldns,cares,unbound", "--format", "json", "--timeout", "60",
            ])
            #expect(found.code == 0, "\(found.output)\(found.errors)")
            #expect(found.lines.count == 3)
        }
    }
}
