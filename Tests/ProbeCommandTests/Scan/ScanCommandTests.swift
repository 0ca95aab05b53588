import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import ProbeTrust
import Testing

/// `probe scan` from the command line.
@Suite(.bounded) struct ScanCommandTests {
    @Test("[R72] every form of a line is answered, and one that can't be read in its place") func forms() async throws {
        let schemas = try ["probe/1", "probe-scan/1", "probe-scan-error/1"].reduce(into: [String: Schema]()) {
            $0[$1] = try Schema.load($1.replacing("/", with: "-") + ".schema.json")
        }
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                let (at, port) = (server.endpoint, server.endpoint.port)
                let pin = try ScanBench.pki.identity(.good).key.spki
                let list = try bench.list(
                    [
                        "# a comment", "", "\(at),good.test", "127.0.0.1/32:\(port),good.test\r", "two words",
                        #"{"target":"good.test","connect":"\#(at)","service":"a","pins":["spki:\#(PinDigest.sha256(of: pin).hex)"]}"#,
                        #"{"target":"good.test","connect":"\#(at)","pins":["spki:\#(String(repeating: "0f", count: 32))"]}"#,
                        #"{"target":"good.test","colour":"red"}"#, "\u{fe}\u{1b}[2J", "127.0.0.1:\(port)",
                    ], ending: "")
                let outcome = try await bench.scan(["--list", list, "--backend", "gnutls"])
                #expect(outcome.code == 11, "\(outcome.errors)")
                #expect(outcome.errors.isEmpty, "no progress where nobody looks: \(outcome.errors)")
                let lines = try ScanBench.lines(of: Data(outcome.output.utf8))
                for line in lines {
                    let schema = try #require(schemas[line["schema"] as? String ?? ""])
                    #expect(schema.violations(in: line) == [])
                }
                let outcomes = lines.compactMap(\.outcome).sorted()
                #expect(
                    outcomes == [
                        "pass", "pass", "pass", "pass", "pass", "pass", "pin-mismatch", "pin-mismatch", "trust-failed",
                        "trust-failed", "usage-error", "usage-error", "usage-error",
                    ])
                #expect(lines.filter { $0["service"] as? String == "a" }.count == 2)
                let places = lines.compactMap { ($0["scan"] as? [String: Any])?["line"] as? Int }.sorted()
                #expect(places == [3, 3, 4, 4, 6, 6, 7, 7, 10, 10])
                let errors = lines.filter { $0.outcome == "usage-error" }
                #expect(errors.compactMap { $0["line"] as? Int }.sorted() == [5, 8, 9])
                let manifest = try #require(lines.last)
                #expect(manifest.isManifest && manifest["complete"] as? Bool == true)
                #expect(manifest.count("targets") == 5 && manifest.count("results") == 10)
                #expect(manifest.count("malformed") == 3 && manifest.count(of: "pass") == 6)
                let anchors = try #require(manifest["anchors"] as? [String: Any])
                let own = try TrustAnchors.file(bench.path("ca.pem")).digest.hex
                #expect(anchors["digest"] as? String == own)
            }
        }
    }

    /// A line counts for its own target, and the command line for those that say nothing themselves.
    @Test func aLinesOwnAddressIsDialledAndNoSocket() async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                let list = try bench.list([
                    "\(server.endpoint),good.test", #"{"target":"good.test","connect":"\#(server.endpoint)"}"#,
                    "good.test",
                ])
                let outcome = try await bench.scan(["--list", list, "--connect", "unix:\(bench.path("none"))"])
                let results = outcome.lines.filter { !$0.isManifest }
                #expect(results.compactMap(\.outcome).sorted() == ["pass", "pass", "unreachable"], "\(outcome.output)")
            }
        }
    }

    @Test func aListOfNothingButBadLinesHasTheirCode() async throws {
        try await ScanBench.run { bench in
            let outcome = try await bench.scan(["--list", try bench.list(["a b", "c d"])])
            #expect(outcome.code == 65)
            #expect(outcome.lines.map(\.outcome) == ["usage-error", "usage-error", nil])
        }
    }

    @Test func rangesAreProbedAddressByAddress() async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                let port = server.endpoint.port
                let outcome = try await bench.scan(["127.0.0.0/28:\(port),good.test", "[::1/128]:\(port)"])
                let dialled = Set(outcome.lines.compactMap { $0.place["dialled"] as? String })
                #expect(dialled == Set((0..<16).map { "127.0.0.\($0):\(port)" }))
                #expect(outcome.lines.compactMap(\.outcome).count { $0 == "pass" } == 1)
                #expect(outcome.lines.contains { $0.target == "[::1]:\(port)" && $0.outcome == "unreachable" })
                #expect(outcome.lines.last?.count("targets") == 17)
            }
        }
    }

    @Test func everyAddressOfANameOnRequest() async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                let outcome = try await bench.scan([
                    "--all-addresses", "localhost:\(server.endpoint.port)", "no.invalid",
                ])
                let places = outcome.lines.filter { $0.target?.hasPrefix("localhost") ?? false }.map(\.place)
                #expect(places.contains { $0["dialled"] as? String == "127.0.0.1:\(server.endpoint.port)" })
                #expect(places.allSatisfy { $0["results"] as? Int == places.count })
                #expect(outcome.lines.contains { $0.target == "no.invalid:443" && $0.outcome == "unreachable" })
            }
        }
    }

    @Test func shardsTogetherAreTheWhole() async throws {
        try await ScanBench.run { bench in
            let list = try bench.list(["127.0.0.0/26:1", "a b", "c d", "e f", "g h"])
            var ids: [String] = []
            for part in 1...3 {
                let outcome = try await bench.scan(["--list", list, "--shard", "\(part)/3"])
                let own = outcome.lines.compactMap { $0.place["id"] as? String ?? $0["id"] as? String }
                let manifest = try #require(outcome.lines.last)
                #expect(manifest.count("otherShards") == 68 - own.count)
                ids += own
            }
            #expect(ids.count == 68 && Set(ids).count == 68)
        }
    }

    @Test("[R77] targets at one address keep their distance") func spacing() async throws {
        try await ScanBench.run { bench in
            let clock = ContinuousClock()
            let took = try await clock.measure {
                let outcome = try await bench.scan(
                    ["--spacing", "0.6", "127.0.0.1:1", "127.0.0.1:2", "localhost:3", "127.0.0.2:1"])
                #expect(outcome.lines.last?.count(of: "unreachable") == 4)
            }
            #expect(took > .seconds(0.6))
        }
    }

    @Test func theModelListIsLookedAtBesideTheServer() async throws {
        let zone = LabDNSZone([try DNSName("models.test"): .answer(.txt("dc,florida"))])
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                try await LabDNSServer.run(zone) { dns in
                    let options = [
                        "--connect", "\(server.endpoint)", "--model-host", "models.test", "--dns-server",
                        "\(dns.endpoint)", "--resolver", "ldns", "good.test", "good.test:8443",
                    ]
                    let listed = try await bench.scan(options + ["--model", "florida"])
                    #expect(listed.code == 0, "\(listed.output)")
                    #expect(listed.lines.filter { $0["resolver"] as? String == "ldns" }.count == 2)
                    let missing = try await bench.scan(options + ["--model", "visby"])
                    #expect(missing.code == 13)
                }
            }
        }
    }

    /// Silent targets take their deadline; if others could not pass them, these would take 24 s.
    @Test func badTargetsDoNotHoldUpGoodOnes() async throws {
        try await ScanBench.run { bench in
            let pki = ScanBench.pki
            try await LabServer.run(.silent, pki: pki) { silent in
                try await LabServer.run(.resetsAfterHello, pki: pki) { reset in
                    try await LabServer.run(.dead, pki: pki) { dead in
                        let slow = LabTLSRecipe(.good, pace: LabPace(bytes: 100, pause: .milliseconds(30)))
                        try await LabServer.run(.tls(slow), pki: pki) { slow in
                            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: pki) { good in
                                var lines: [String] = []
                                for number in 0..<8 {
                                    for server in [silent, reset, dead, slow] {
                                        lines.append(
                                            #"{"target":"good.test","connect":"\#(server.endpoint)","service":"\#(number)"}"#
                                        )
                                    }
                                }
                                lines += (0..<40).map { "\(good.endpoint),good.test:\($0 + 1)" }
                                let list = try bench.list(lines)
                                let took = try await Stopwatch.measure {
                                    let outcome = try await bench.scan(
                                        ["--list", list, "--timeout", "6", "--concurrency", "2"])
                                    let manifest = try #require(outcome.lines.last)
                                    #expect(manifest.count(of: "pass") == 48, "\(manifest)")
                                    #expect(manifest.count(of: "handshake-failed") == 16)
                                    #expect(manifest.count(of: "unreachable") == 8)
                                }
                                #expect(took < .seconds(18))
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func theDeadlineOfOneTargetHolds() async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.silent, pki: ScanBench.pki) { server in
                let line = #"{"target":"good.test","connect":"\#(server.endpoint)","timeout":0.5}"#
                let took = try await Stopwatch.measure {
                    let outcome = try await bench.scan(
                        ["--backend", "gnutls,curl,nio", "--list", try bench.list([line]), "--timeout", "50"])
                    #expect(outcome.lines.last?.count(of: "handshake-failed") == 4)
                }
                #expect(took < .seconds(8))
            }
        }
    }
}
