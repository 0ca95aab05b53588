import ProbeTestSupport
import Testing

@Suite(.bounded, .timeLimit(.minutes(10))) struct ConformanceCommandTests {
    @Test func theMatrixEndsWithTheSummary() async throws {
        let outcome = try await Probe.run(["conformance", "--filter", "pins/spki-"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("TLS CASE") == true)
        #expect(lines.contains { $0.hasPrefix("tls/pins/spki-leaf ") && $0.hasSuffix(" equal") })
        #expect(lines.contains { $0.hasPrefix("TLS: ") && $0.hasSuffix(", all equal") })
        #expect(outcome.errors.isEmpty, "progress is for terminals")
    }

    @Test func jsonHasALineForEachCaseAndBackend() async throws {
        let outcome = try await Probe.run(
            ["conformance", "--resolver", "ldns", "--filter", "dns/lists/listed", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.lines.count == 1)
        let line = try #require(outcome.lines.first)
        #expect(line["case"] as? String == "dns/lists/listed")
        #expect(line["backend"] as? String == "ldns")
        #expect(line["outcome"] as? String == "pass")
        #expect(line["kept"] as? Bool == true)
    }

    @Test func signaturesHaveATableOfTheirOwn() async throws {
        let outcome = try await Probe.run(["conformance", "--filter", "signature/chain/e", "--backend", "all"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasPrefix("SIGNATURE CASE"))
        #expect(outcome.output.contains("OpenSSL takes the second of notAfter as expired."))
        let one = try await Probe.run(
            ["conformance", "--filter", "signature/chain/e", "--backend", "gnutls", "--format", "json"])
        #expect(one.lines.count > 3)
        #expect(one.lines.allSatisfy { $0["backend"] as? String == "gnutls" && $0["kept"] as? Bool == true })
    }

    @Test(arguments: [["--filter", "no-such-case"], ["--backend", "no-such-stack"], ["--format", "junit"]])
    func badArgumentsAreUsageErrors(arguments: [String]) async throws {
        let outcome = try await Probe.run(["conformance"] + arguments)
        #expect(outcome.code == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(arguments[1]))
    }
}
