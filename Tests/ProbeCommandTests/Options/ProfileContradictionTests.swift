import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// An option that would loosen a profile's rule, or that applies to nothing in it, is rejected with both named.
@Suite(.bounded) struct ProfileContradictionTests {
    private func check(_ models: String, _ arguments: [String]) async throws -> SweepRun {
        let path = FileManager.default.temporaryDirectory.appending(path: "probe-contradiction-\(UUID()).yaml").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "profile: 1\nunlistedHost: system\nanchors: []\nservices: {a: a.test}\n\(models)"
            .write(toFile: path, atomically: true, encoding: .utf8)
        return try await SweepRun.run(["check", "--profile", path, "--format", "json"] + arguments, chain: [])
    }

    @Test(
        arguments: [
            ("dnssec: require", ["--dnssec", "off"], ["--dnssec off", "dnssec: require"]),
            ("dnssec: require", ["--dnssec", "prefer"], ["--dnssec prefer", "dnssec: require"]),
            ("strings: separate", ["--txt-strings", "joined"], ["--txt-strings joined", "strings: separate"]),
            (
                "dnssec: off", ["--dnssec-anchor", "test. IN DS 1 8 1 \(String(repeating: "0F", count: 20))"],
                ["--dnssec-anchor", "--dnssec off"]
            ),
            ("servers: [192.0.2.53]", ["--dns-connect", "192.0.2.1:443"], ["--dns-connect", "https or tls server"]),
            ("servers: [192.0.2.53]", ["--dns-ca", "/nonexistent"], ["--dns-ca", "https or tls server"]),
            (
                "servers: [https://a.test/q, https://b.test/q]", ["--dns-connect", "192.0.2.1:443"],
                ["--dns-connect", "2 https or tls servers"]
            ),
        ])
    func isRefused(rule: String, arguments: [String], words: [String]) async throws {
        let run = try await check("models: [{model: dc, hosts: [models.test], \(rule)}]", arguments)
        #expect(run.code == 64 && run.requests.queries.isEmpty, "\(run.code) \(run.errors)")
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
    }

    @Test(arguments: [["--dnssec", "require"], ["--edns-size", "512"], ["--dns-server", "192.0.2.1"]])
    func withoutARuleThereIsNothingToAsk(arguments: [String]) async throws {
        let run = try await check("", arguments)
        #expect(run.code == 64 && run.errors.contains(arguments[0]), "\(run.errors)")
    }

    @Test func theStricterCounts() async throws {
        let anchor = "test. IN DS 1 8 2 \(String(repeating: "0F", count: 32))"
        let anchored = "dnssecAnchors: [\"\(anchor)\"]"
        let run = try await check(
            "models: [{model: dc, hosts: [models.test], servers: [192.0.2.53], dnssec: prefer, \(anchored)}]",
            ["--dnssec", "require"])
        #expect(run.queries { $0.dnssec == .require && $0.anchors.map(\.description) == [anchor] })
    }
}
