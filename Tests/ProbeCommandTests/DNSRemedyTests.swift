import Foundation
import ProbeDNS
import ProbeKit
import ProbeRun
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// A command's messages about DNS name no option that this command lacks.
@Suite(.bounded) struct DNSRemedyTests {
    enum Command: String, CaseIterable, Sendable {
        case models, check, scan, watch, compare, lint

        var words: [String] { self == .lint ? ["profile", "lint"] : [rawValue] }

        /// Returns the options that its help lists.
        func options() async throws -> Set<String> {
            DNSRemedyTests.options(in: try await Probe.run(words + ["--help"]).output)
        }
    }

    /// Every message that a finding about DNS can have.
    @Test(arguments: Command.allCases) func findingsNameOptionsOfTheCommand(_ command: Command) async throws {
        let known = try await command.options()
        #expect(known.contains("--resolver") && known.contains("--dns-server"), "\(known)")
        let findings = try Self.findings()
        #expect(findings.count > 40)
        for finding in findings {
            let fix = Fix.Step.$words.withValue(FixWords.words(for: command.words)) { finding.fix }
            let named = Self.options(in: finding.message + " " + fix)
            #expect(named.isSubset(of: known), "\(command) has no \(named.subtracting(known)): \(fix)")
        }
    }

    /// Every bad DNS option, and every one that lacks its other half.
    @Test(arguments: [Command.models, .check, .scan, .watch, .compare])
    func errorsNameOptionsOfTheCommand(_ command: Command) async throws {
        let known = try await command.options()
        let start = command.words + [command == .models ? "models.test" : "good.test"]
        let complete = command == .models ? start : start + ["--model", "florida", "--model-host", "models.test"]
        var lines = [
            ["--dns-server", "tls://192.0.2.1/q"], ["--dns-server", "dns.example"], ["--dns-server", "fe80::1"],
            ["--dns-server", "192.0.2.1%lo"], ["--dns-server", "https://x.test"], ["--dns-connect", "127.0.0.1:1"],
            ["--dns-ca", "/nonexistent"], ["--dnssec", "maybe"], ["--dnssec-anchor", "/nonexistent"],
            ["--dnssec", "require", "--dnssec-anchor", "nothing"], ["--edns-size", "5"], ["--txt-strings", "x"],
            ["--model", "a,b"], ["--resolver", "nobody"],
            [
                "--dns-server", "https://x.test/q", "--dns-server", "https://y.test/q", "--dns-connect", "127.0.0.1:1",
            ],
        ].map { complete + $0 }
        if command != .models {
            lines += [["--model", "florida"], ["--model-host", "models.test"], ["--dns-server", "192.0.2.1"]].map {
                start + $0
            }
        }
        for line in lines {
            let outcome = try await Probe.run(line)
            #expect([64, 65].contains(outcome.code), "\(line): \(outcome)")
            let named = Self.options(in: outcome.errors)
            #expect(
                named.isSubset(of: known), "\(line): \(command) has no \(named.subtracting(known)): \(outcome.errors)")
        }
    }

    private static func options(in text: String) -> Set<String> {
        Set(text.matches(of: /--[a-z][a-z-]*[a-z]/).map { String($0.output) })
    }

    private static func findings() throws -> [Finding] {
        let name = try DNSName("models.test")
        let check = ModelCheck(model: try ModelName("florida"), hosts: [name], servers: [])
        func judge(_ answers: [ModelEvidence.Answer], missing: Set<ResolverCapability> = []) -> [Finding] {
            let evidence = ModelEvidence(
                resolver: BackendIdentity(name: "ldns", library: "ldns", version: "0"), model: check.model,
                answers: answers, missing: missing)
            return ModelListed(check).judge(Evidence(connection: nil, model: evidence), at: .distantPast)
        }
        let several = ["dc,florida", "dc,flor"].map { text in
            TXTRecord(owner: name, ttl: 60, strings: [Array(text.utf8), Array("ida".utf8)])
        }
        let lists = [TXTStrings.joined, .separate].map { ModelList(records: several, strings: $0) }
        let readings: [ModelReading] =
            lists.flatMap { [.listed($0), .listedInPart($0), .notListed($0)] }
            + [.absent(.nameError), .absent(.noData), .readingsDisagree("they do")]
            + DNSFailure.Code.allCases.map { .indeterminate(.unanswered(DNSFailure($0, "so"))) }
            + ReplyFault.Code.allCases.map { .indeterminate(.unusable(ReplyFault($0, "so"))) }
        return readings.flatMap { reading in
            judge([.init(host: name, report: DNSReport(attempts: []), reading: reading, duration: .zero)])
        } + judge([], missing: [.zonedServers]) + judge([])
    }
}
