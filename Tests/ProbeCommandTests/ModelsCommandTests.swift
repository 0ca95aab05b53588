import Foundation
import FoundationXML
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `probe models` as scripts and users see it.
@Suite(.bounded) struct ModelsCommandTests {
    @Test("[R17, R20, R21] listed, not listed and absent have their exit codes") func modelsHaveTheirCodes()
        async throws
    {
        let name = try DNSName("models.test")
        let zone = LabDNSZone([name: .answer(.txt("dc,florida,tampa,atlanta"))])
        let schema = try Schema.load("probe-1.schema.json")
        try await LabDNSServer.run(zone) { server in
            let ask = ["--dns-server", "\(server.endpoint)", "--format", "json"]
            for (arguments, code) in [
                (["models", "models.test", "--model", "florida"], 0), (["models", "models.test"], 0),
                (["models", "models.test", "--model", "visby"], 13),
                (["models", "refused.test", "--model", "florida"], 21),
            ] as [([String], Int32)] {
                let outcome = try await Probe.run(arguments + ask)
                #expect(outcome.code == code, "\(arguments) \(outcome.output) \(outcome.errors)")
                let line = try #require(outcome.lines.first)
                #expect(line["transport"] is NSNull)
                #expect(line["resolver"] as? String == "ldns")
                #expect(schema.violations(in: line) == [])
            }
            let asked = ["models", "models.test", "--dns-server", "\(server.endpoint)"]
            // The evidence is that of a resolver that got an answer.
            let two = try await Probe.run(asked + ["--model", "visby", "--resolver", "doh,ldns", "--verbose"])
            #expect(two.output.contains("the answers to ldns\n      models.test at"), "\(two.output)")
            let text = try await Probe.run(asked)
            #expect(text.output.contains("dc,florida,tampa,atlanta"))
        }
    }

    @Test("a name that is given twice is asked once") func repeatedNames() async throws {
        try await LabDNSServer.run(LabDNSZone([:])) { server in
            let outcome = try await Probe.run([
                "models", "refused.test", "REFUSED.test", "--model", "florida", "--dns-server", "\(server.endpoint)",
                "--resolver", "ldns", "--format", "json",
            ])
            let evidence = try #require(outcome.lines.first?["evidence"] as? [String: Any], "\(outcome)")
            #expect((evidence["dns"] as? [Any])?.count == 1, "\(outcome)")
        }
    }

    @Test("[R17] compare looks at the allow-lists of a profile too") func comparedModels() async throws {
        let zone = LabDNSZone([try DNSName("models.test"): .answer(.txt("dc,florida"))])
        try await LabDNSServer.run(zone) { server in
            let file = FileManager.default.temporaryDirectory.appending(path: "probe-compare-\(UUID()).yaml")
            defer { try? FileManager.default.removeItem(at: file) }
            try """
            profile: 1
            models: [{model: visby, hosts: [models.test], servers: ["\(server.endpoint)"]}]
            """.write(to: file, atomically: true, encoding: .utf8)
            let json = try await Probe.run(["compare", "--profile", file.path, "--format", "json"])
            #expect(json.code == 13, "\(json.output)\(json.errors)")
            let facts = try #require(json.lines.first?["facts"] as? [[String: Any]])
            #expect(facts.map { $0["fact"] as? String } == ["verdict", "model", "txt-items"])
            let schema = try Schema.load("probe-compare-1.schema.json")
            for line in json.lines { #expect(schema.violations(in: line) == []) }
            #expect(json.lines.count == 1)
        }
    }

    /// The first of two tries is answered while the second is in progress: the time is that of the question, which is
    /// less than the command took, and not the sum of both, which is more.
    @Test(arguments: ["ldns", "unbound"]) func aModelCheckIsTimedOnce(_ resolver: String) async throws {
        let slow = LabDNSBehaviour([.wait(.seconds(9)), .reply(LabDNSMessage(answers: [.txt("florida")]))])
        try await LabDNSServer.run(LabDNSZone(slow)) { server in
            let ask = [
                "models", "models.test", "--dns-server", "\(server.endpoint)", "--resolver", resolver, "--timeout",
                "60",
            ]
            let began = ContinuousClock.now
            async let json = Probe.run(ask + ["--format", "json"])
            async let junit = Probe.run(ask + ["--format", "junit"])
            let evidence = try #require(try await json.lines.first?["evidence"] as? [String: Any])
            let timings = try #require(evidence["timings"] as? [String: Any])
            let told = try #require(timings["dns"] as? Double)
            let output = try await junit.output
            try #require(!output.isEmpty, "FoundationXML crashes at an empty document")
            let root = try #require(try XMLDocument(xmlString: output).rootElement())
            let time = try #require(try root.nodes(forXPath: "//testcase/@time").first?.stringValue)
            let seconds = try #require(Double(time))
            let passed = (ContinuousClock.now - began) / .seconds(1)
            #expect((9..<passed).contains(told))
            #expect((9..<passed).contains(seconds))
        }
    }

    @Test func sizesThatAStackCannotAdvertiseAreRefused() async throws {
        try await LabDNSServer.run(LabDNSZone(.answer(.txt("florida")))) { server in
            for (resolver, size, code) in [("cares", 4096, 0), ("cares", 4097, 40), ("ldns", 65_535, 0)]
                as [(String, Int, Int32)]
            {
                let outcome = try await Probe.run([
                    "models", "models.test", "--dns-server", "\(server.endpoint)", "--resolver", resolver,
                    "--edns-size",
                    "\(size)",
                ])
                #expect(outcome.code == code, "\(resolver) \(size) \(outcome.output)")
                #expect(outcome.output.contains("edns-size-above-4096") == (code == 40))
            }
        }
    }

    @Test func whatIsNotValidatedDoesNotCountWhereItHasTo() async throws {
        let zone = LabDNSZone(.answer(.txt("dc,florida")))
        let anchor = "example. IN DS 1 13 2 " + String(repeating: "0F", count: 32)
        let schema = try Schema.load("probe-1.schema.json")
        try await LabDNSServer.run(zone) { server in
            let ask = [
                "models", "models.test", "--model", "florida", "--dns-server", "\(server.endpoint)", "--format", "json",
                "--dnssec-anchor", anchor,
            ]
            for (policy, resolver, code, finding) in [
                ("prefer", "unbound", 0, "model-listed"), ("require", "unbound", 21, "dnssec-insecure"),
                ("require", "ldns", 40, "unsupported"),
            ] as [(String, String, Int32, String)] {
                let outcome = try await Probe.run(ask + ["--dnssec", policy, "--resolver", resolver])
                #expect(outcome.code == code, "\(policy) \(resolver) \(outcome.output) \(outcome.errors)")
                let line = try #require(outcome.lines.first)
                #expect(schema.violations(in: line) == [])
                let findings = try #require(line["findings"] as? [[String: Any]])
                #expect(findings.contains { $0["code"] as? String == finding }, "\(findings)")
            }
        }
    }
}
