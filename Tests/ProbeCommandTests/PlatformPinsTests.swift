import Foundation
import ProbeTestSupport
import Testing

/// Pins in a platform's own file, judged for clients of versions that read it and of versions that don't.
@Suite(.bounded) struct PlatformPinsTests {
    private static let replay = Replay.folder("2021-expired-root")
    /// A pin that no certificate has.
    private static let wrong = Data(repeating: 7, count: 32).base64EncodedString()

    private static let android = """
        <network-security-config><domain-config><domain>shop.test</domain><pin-set>
        <pin digest="SHA-256">\(wrong)</pin></pin-set></domain-config></network-security-config>
        """
    private static let apple = """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict>
        <key>NSPinnedDomains</key><dict><key>shop.test</key><dict><key>NSPinnedLeafIdentities</key><array>
        <dict><key>SPKI-SHA256-BASE64</key><string>\(wrong)</string></dict></array></dict></dict></dict></dict></plist>
        """
    private static let okhttp = """
        val pinner = CertificatePinner.Builder().add("shop.test", "sha256/\(wrong)").build()
        """
    /// A platform's file and pins of the app's own service.
    private static let native = """
        profile: 1
        hosts:
          - {host: shop.test, match: android, pins: [{position: any, anyOf: ["spki:\(String(repeating: "07", count: 32))"]}]}
          - {host: shop.test, match: okhttp, pins: [{position: any, anyOf: ["spki:\(String(repeating: "07", count: 32))"]}]}
        services: {shop: {url: shop.test}}
        """

    /// Rules of one platform, whose certificates only the app's own code can pin.
    private static let own = """
        profile: 1
        hosts:
          - host: shop.test
            match: ats
            pins:
              - {position: leaf, anyOf: ["spki:\(String(repeating: "07", count: 32))"]}
              - anyOf: ["cert:\(String(repeating: "07", count: 32))"]
                window: {from: 2021-10-01, to: 2021-10-31}
        services: {shop: {url: shop.test}}
        """

    /// One set in the files of both platforms.
    private static let both = """
        profile: 1
        hosts:
          - {host: shop.test, match: android, pins: [{position: leaf, anyOf: ["spki:\(String(repeating: "07", count: 32))"]}]}
          - {host: shop.test, match: ats, pins: [{position: leaf, anyOf: ["spki:\(String(repeating: "07", count: 32))"]}]}
        services: {shop: {url: shop.test}}
        """

    /// The outcomes and the codes of findings, by client; the clients trust the replay's roots.
    private static func results(_ profile: String, _ name: String) async throws -> [String: (String, Set<String>)] {
        try await with(profile, name) { folder in
            let outcome = try await Probe.run([
                "check", "--client", "\(folder)/own.yaml", "--profile", "\(folder)/\(name)", "--chain",
                "\(replay)/chain.pem", "--at", "2021-09-29T00:00:00Z", "--format", "json", "shop.test",
            ])
            let schema = try Schema.load("probe-1.schema.json")
            var results: [String: (String, Set<String>)] = [:]
            for line in outcome.lines {
                #expect(schema.violations(in: line) == [])
                let codes = (line["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
                results[line["transport"] as? String ?? ""] = (line["outcome"] as? String ?? "", Set(codes))
            }
            #expect(results.count == 8, "\(outcome.output)\(outcome.errors)")
            return results
        }
    }

    private static func with<Result>(
        _ profile: String, _ name: String, _ body: (String) async throws -> Result
    ) async throws -> Result {
        try await ScratchFolder.withURL { folder in
            try profile.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            var clients = "clients:\n"
            for base in [
                "android-4.4", "android-6.0", "android-7.0", "okhttp-3.8-android-5.0", "ios-9", "ios-13", "ios-14",
                "openssl-1.0.2e",
            ] {
                clients +=
                    "  own-\(base): {extends: \(base), roots: \(replay)/both-roots.pem, sources: {roots: made here}}\n"
            }
            try clients.write(to: folder.appending(path: "own.yaml"), atomically: true, encoding: .utf8)
            var fleet = "fleet: 1\nclientFiles: [own.yaml]\nprofile: \(name)\nminimum: 50\nclients:\n"
            fleet += "  own-android-6.0: 2\n  own-android-7.0: 98\n"
            try fleet.write(to: folder.appending(path: "fleet.yaml"), atomically: true, encoding: .utf8)
            return try await body(folder.path)
        }
    }

    private static func unpinned(_ results: [String: (String, Set<String>)]) -> Set<String> {
        Set(results.filter { $0.value.1.contains("pins-not-applied") }.keys)
    }

    @Test(
        "versions and platforms that do not read the file connect without its pins and say so; the others refuse",
        arguments: [
            (
                android, "network_security_config.xml",
                [
                    "android-4.4", "android-6.0", "okhttp-3.8-android-5.0", "ios-9", "ios-13", "ios-14",
                    "openssl-1.0.2e",
                ]
            ),
            (
                apple, "Info.plist",
                [
                    "ios-9", "ios-13", "android-4.4", "android-6.0", "android-7.0", "okhttp-3.8-android-5.0",
                    "openssl-1.0.2e",
                ]
            ),
            // A client that reads one of the files is held to the set in both.
            (
                both, "app.yaml",
                ["android-4.4", "android-6.0", "okhttp-3.8-android-5.0", "ios-9", "ios-13", "openssl-1.0.2e"]
            ),
            // The app's own code pins on every version.
            (okhttp, "Pins.kt", []), (native, "app.yaml", []),
        ])
    func versions(profile: String, name: String, unread: [String]) async throws {
        let results = try await Self.results(profile, name)
        #expect(Self.unpinned(results) == Set(unread.map { "own-\($0)" }))
        for (client, result) in results {
            let isUnread = unread.contains { client == "own-\($0)" }
            #expect(result.0 == (isUnread ? "pass-with-warnings" : "pin-mismatch"), "\(client): \(result)")
        }
    }

    @Test("a pin that the platform's file can't hold is the app's own, and holds on versions that do not read the file")
    func appsOwn() async throws {
        let results = try await Self.results(Self.own, "app.yaml")
        for (client, result) in results { #expect(result.0 == "pin-mismatch", "\(client): \(result)") }
        #expect(Self.unpinned(results) == ["own-ios-9", "own-ios-13"])
    }

    @Test("a platform that never reads the file is not called an old version") func foreign() async throws {
        try await Self.with(Self.android, "network_security_config.xml") { folder in
            let outcome = try await Probe.run([
                "check", "--client", "\(folder)/own.yaml", "--profile", "\(folder)/network_security_config.xml",
                "--chain", "\(Self.replay)/chain.pem", "--at", "2021-09-29T00:00:00Z", "--format", "json", "shop.test",
            ])
            #expect(
                outcome.output.contains(
                    "no pins are applied: a network security configuration is read by Android alone"))
            #expect(
                outcome.output.contains(
                    "the app's pins are not applied: a network security configuration is read since"))
        }
    }

    @Test("a fleet names the users whom the pins do not protect") func fleet() async throws {
        try await Self.with(Self.android, "network_security_config.xml") { folder in
            let arguments = [
                "fleet", "--fleet", "\(folder)/fleet.yaml", "--chain", "shop.test=\(Self.replay)/chain.pem", "--at",
                "2021-09-29T00:00:00Z", "shop.test",
            ]
            let outcome = try await Probe.run(arguments)
            #expect(outcome.code == 16, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("  2 % of your users connect, and 50 % have to"))
            #expect(outcome.output.contains("  own-android-7.0 (98 %) refuses: "))
            #expect(
                outcome.output.contains(
                    "  own-android-6.0 (2 %): the app's pins are not applied: a network security configuration is read since Android 7.0"
                ))
            #expect(outcome.output.contains("      fix: pin in the app's own code too"))
            let page = try await Probe.run(arguments + ["--format", "html"]).output
            for part in [
                "<article class=\"refuses\"><h3>own-android-7.0 (98 %) refuses</h3>",
                "<article class=\"unpinned\"><h3>own-android-6.0 (2 %)</h3>", "the app&#39;s pins are not applied",
            ] {
                #expect(page.contains(part), "\(part) in \(page)")
            }
            // Without a minimum nothing is met, and nothing passes.
            try
                "fleet: 1\nclientFiles: [own.yaml]\nprofile: network_security_config.xml\nclients: {own-android-7.0: 100}\n"
                .write(toFile: "\(folder)/fleet.yaml", atomically: true, encoding: .utf8)
            let open = try await Probe.run(arguments + ["--format", "html"]).output
            #expect(open.contains("<h1>Your users: 0 % connect, no minimum set</h1>"), "\(open)")
            #expect(open.contains("<p class=\"sum\">0 % of your users connect.") && !open.contains("pass: "))
        }
    }
}
