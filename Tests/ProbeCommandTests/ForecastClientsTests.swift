import Foundation
import ProbeTestSupport
import Testing

/// `profile forecast` with shipped clients: the days on which they stop.
@Suite(.bounded) struct ForecastClientsTests {
    private static let replay = Replay.folder("2021-expired-root")

    /// Runs a forecast of the replay's chain from a day on, for an app that pins its leaf until a day, or not at all.
    private static func forecast(
        _ arguments: [String], chain: String = "chain", pinsUntil: String? = nil, at day: String = "2021-09-29"
    ) async throws -> Probe.Outcome {
        let file = FileManager.default.temporaryDirectory.appending(path: "forecast-\(UUID()).yaml").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        var profile = "profile: 1\nunlistedHost: system\nservices:\n  shop:\n    url: shop.test\n"
        if let pinsUntil {
            let wrong = String(repeating: "ab", count: 32)
            profile +=
                "    pins: [{position: any, anyOf: ['spki:\(wrong)'], expires: \(pinsUntil), afterExpiry: ignore}]\n"
        }
        try profile.write(toFile: file, atomically: true, encoding: .utf8)
        return try await Probe.run(
            ["profile", "forecast", file, "--chain", "\(replay)/\(chain).pem", "--at", "\(day)T00:00:00Z"] + arguments)
    }

    private static func rows(_ outcome: Probe.Outcome) throws -> [[String: Any]] {
        let schema = try Schema.load("probe-forecast-1.schema.json")
        for line in outcome.lines { #expect(schema.violations(in: line) == []) }
        return outcome.lines.filter { $0["platform"] as? String == "clients" }
    }

    private static func refusing(_ row: [String: Any]) -> Set<String> {
        let clients = row["clients"] as? [[String: Any]] ?? []
        return Set(clients.filter { $0["answer"] as? String == "refuses" }.compactMap { $0["client"] as? String })
    }

    @Test("the forecast over 2021-09-30 says that openssl-1.0.2 stops, and what to do") func expiredRoot() async throws
    {
        let json = try await Self.forecast(["--fleet", "\(Self.replay)/fleet.yaml", "--format", "json"])
        #expect(json.code == 16, "\(json.output)\(json.errors)")
        let rows = try Self.rows(json)
        #expect(rows.map { $0["event"] as? String } == ["as-served", "path-expires", "certificate-expires"])
        #expect(
            rows.map { $0["date"] as? String } == [
                "2021-09-29T00:00:00Z", "2021-09-30T14:01:16Z", "2021-11-29T17:23:50Z",
            ])
        #expect(rows.map { $0["connecting"] as? Double } == [100, 99.1, 0])
        #expect(rows.map { $0["outcome"] as? String } == ["pass", "clients-lost", "clients-lost"])
        #expect(rows.map { $0["result"] as? String } == ["passes", "fails", "fails"])
        try #require(rows.count == 3)
        #expect(Self.refusing(rows[0]).isEmpty)
        #expect(Self.refusing(rows[1]) == ["old-openssl", "old-gnutls", "terminal"])
        let text = try await Self.forecast(["--fleet", "\(Self.replay)/fleet.yaml"])
        #expect(text.code == 16)
        #expect(text.output.contains("  on 2021-09-29T00:00:00Z: 100 % of your users connect, and 99.5 % have to\n"))
        let plain = text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            plain.contains(
                "from 2021-09-30T14:01:16Z: 99.1 % of your users connect, and 99.5 % have to; 'CN=Old Root X3,O=ProbeKit Replays' has ended"
            ))
        #expect(
            plain.contains("old-openssl (0.5 %) refuses: it follows the certificates that were sent before its own"))
        #expect(plain.contains("old-gnutls (0.3 %) refuses: it follows the first certificate of each issuer's name"))
        #expect(plain.contains("fix: leave out the certificate that leads to the expired one"))
        let own = text.output.split(separator: "\n").drop { !$0.hasPrefix("  on ") }
        #expect(own.filter { $0.hasPrefix("  ") }.allSatisfy { $0.count <= 80 }, "\(text.output)")
    }

    @Test("a root that nobody relies on ends without a word, and a fleet that keeps its minimum passes")
    func shortChain() async throws {
        let outcome = try await Self.forecast(
            ["--fleet", "\(Self.replay)/fleet.yaml", "--format", "json"], chain: "short")
        // Old Androids have only the old root, which does not sign this chain.
        #expect(outcome.code == 16)
        let rows = try Self.rows(outcome)
        #expect(rows.map { $0["event"] as? String } == ["as-served", "certificate-expires"])
        #expect(rows.first.map(Self.refusing) == ["old-android"])
        let clients = try await Self.forecast(
            ["--client", "openssl-3.0.7", "--format", "json"], chain: "short")
        #expect(clients.code == 11, "no store of the real world has these roots")
    }

    @Test("clients by name have no shares; the most severe decides") func named() async throws {
        let outcome = try await Self.forecast(["--client", "\(Self.replay)/clients.yaml", "--format", "json"])
        #expect(outcome.code == 11, "\(outcome.output)\(outcome.errors)")
        let rows = try Self.rows(outcome)
        #expect(
            rows.map { $0["reason"] as? String } == [
                "14 of 14 clients connect", "11 of 14 clients connect", "0 of 14 clients connect",
            ])
        #expect(rows.allSatisfy { $0["connecting"] is NSNull && $0["minimum"] is NSNull })
        let first = (rows.first?["clients"] as? [[String: Any]])?.first
        #expect(first?["share"] is NSNull)
    }

    @Test("the days on which pins end are judged too") func pinsExpire() async throws {
        let outcome = try await Self.forecast(
            ["--fleet", "\(Self.replay)/fleet.yaml", "--format", "json"], pinsUntil: "2021-09-29T12:00:00Z")
        #expect(outcome.code == 16, "\(outcome.output)\(outcome.errors)")
        let rows = try Self.rows(outcome)
        #expect(
            rows.map { $0["event"] as? String } == [
                "as-served", "pins-expire", "path-expires", "certificate-expires",
            ])
        #expect(rows.map { $0["connecting"] as? Double } == [0, 100, 99.1, 0])
    }

    @Test("a chain of a later day is judged from its first second") func laterChain() async throws {
        let outcome = try await Self.forecast(
            ["--fleet", "\(Self.replay)/fleet.yaml", "--format", "json"], at: "2021-08-01")
        let rows = try Self.rows(outcome)
        #expect(rows.prefix(2).map { $0["event"] as? String } == ["as-served", "chain-begins"])
        #expect(rows.prefix(2).map { $0["connecting"] as? Double } == [0, 100])
    }

    @Test(
        "what can't be meant is refused by name",
        arguments: [
            (["--client", "android-7.0", "--fleet", "x.yaml", "--chain", "x.pem"], "--client and --fleet are given"),
            (["--client", "android-7.0"], "--client is of no use without --live or --chain"),
            (["--fleet", "x.yaml"], "--fleet is of no use without --live or --chain"),
            (["--fleet", "x.yaml", "--roots", "mozilla", "--live"], "--roots and --fleet are given"),
        ])
    func refused(arguments: [String], words: String) async throws {
        let profile = Replay.folder("../lutheran-radio/profile.yaml")
        var arguments = arguments
        if let index = arguments.firstIndex(of: "x.pem") { arguments[index] = "stream=\(Self.replay)/chain.pem" }
        let outcome = try await Probe.run(["profile", "forecast", profile] + arguments)
        #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }
}
