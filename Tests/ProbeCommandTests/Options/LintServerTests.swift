import Foundation
import ProbeKit
import ProbePins
import ProbeTestSupport
import ProbeTrust
import Testing

@testable import ProbeCommand

/// The servers that `profile lint --live` asks about allow-lists are of the kinds that a check asks.
@Suite(.bounded) struct LintServerTests {
    private static let pin = PinDigest.sha256(of: [1]).base64

    private func lint(pins: String = "", servers: [String], options: [String] = []) async throws -> SweepRun {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-lint-\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try """
        profile: 1
        services: {}
        models: [{model: dc, hosts: [models.test], servers: ["tls://dns.test"]\(pins)}]
        """.write(to: file, atomically: true, encoding: .utf8)
        return try await SweepRun.run(
            ["profile", "lint", "--live", "--format", "json", file.path]
                + servers.flatMap { ["--dns-server", $0] } + options, chain: [])
    }

    @Test func urlsAreAsked() async throws {
        let run = try await lint(servers: ["https://other.test/q"])
        #expect(
            run.queries { $0.httpsServers.map(\.description) == ["https://other.test/q"] && $0.tlsServers.isEmpty },
            "\(run.output)\(run.errors)")
        let both = try await lint(servers: ["192.0.2.53", "tls://other.test"])
        #expect(
            both.queries { $0.servers.count == 1 && $0.tlsServers.map(\.description) == ["tls://other.test"] },
            "\(both.output)\(both.errors)")
    }

    /// A rule's pins hold for a server in place of its own, which has to show a key; the remedy is one that is taken.
    @Test func pinnedServersShowAKey() async throws {
        let pins = ", serverPins: ['spki:sha256:\(Self.pin)']"
        let refused = try await lint(pins: pins, servers: ["192.0.2.53"])
        #expect(refused.code == 64 && refused.errors.contains("form tls://NAME"), "\(refused.errors)")
        let run = try await lint(pins: pins, servers: ["tls://other.test"])
        #expect(!run.isRefused && run.queries { $0.wantsServerChain }, "\(run.output)\(run.errors)")
    }

    /// They are not those of the services, which may have a CA of their own.
    @Test func anchorsAreThoseOfTheOption() async throws {
        let run = try await lint(servers: ["https://other.test/q"])
        let system = try TrustAnchors.system().digest
        #expect(run.queries { $0.httpsServers.allSatisfy { $0.anchors.digest == system } }, "\(run.errors)")
        let idle = try await lint(servers: ["192.0.2.53"], options: ["--dns-ca", "/nonexistent"])
        #expect(idle.code == 64 && idle.errors.contains("--dns-ca is of no use"), "\(idle.errors)")
        let unread = try await lint(servers: [], options: ["--dns-ca", "/nonexistent"])
        #expect(unread.code == 65 && unread.errors.contains("--dns-ca /nonexistent"), "\(unread.errors)")
    }

    @Test func aFaultNamesTheOption() async throws {
        let run = try await lint(servers: ["tls://other.test/q"])
        #expect(run.code == 64 && run.errors.contains("--dns-server 'tls://other.test/q'"), "\(run.errors)")
    }
}
