import Foundation
import ProbeLab
import ProbeTestSupport
import Testing

/// The output of `probe bench`. Speed can't be tested on a shared machine.
@Suite struct BenchCommandTests {
    @Test func everyFigureOfTheHashPathIsPrinted() async throws {
        let outcome = try await Probe.run(["bench", "hash", "--rounds", "1", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let keys: Set = ["bench", "subject", "library", "value", "floor", "unit", "ratio", "target", "met"]
        for line in outcome.lines { #expect(Set(line.keys) == keys) }
        func lines(_ bench: String) -> [[String: Any]] { outcome.lines.filter { $0["bench"] as? String == bench } }
        for bench in ["hash", "parser"] {
            let subjects = lines(bench).map { "\($0["subject"] ?? "") \($0["library"] ?? "")" }
            let wanted = ["rsa-2048", "rsa-4096", "p-256", "ed25519"].flatMap { key in
                ["openssl", "gnutls", "boringssl"].map { "\(key) \($0)" }
            }
            #expect(subjects == wanted, "\(bench)")
        }
        #expect(lines("membership").map { $0["subject"] as? String } == ["absent", "present", "certificate"])
        #expect(!lines("batch").isEmpty)
    }

    @Test func withoutMoreItIsTheHashPathAndTheHandshake() async throws {
        let outcome = try await Probe.run(["bench", "--rounds", "1", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            Set(outcome.lines.compactMap { $0["bench"] as? String }).isSuperset(of: ["hash", "batch", "handshake"]))
    }

    /// The counter counts, and there is nothing for it to count.
    @Test(.enabled(if: Probe.bench != nil, "`make test` builds probe-bench"))
    func theHashPathAllocatesNothing() async throws {
        let outcome = try await Probe.runBench(["hash", "--rounds", "1", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let control = try #require(outcome.lines.first { $0["bench"] as? String == "allocation-counter" })
        #expect(control["value"] as? Double == 1000)
        #expect(control["met"] as? Bool == true)
        func counted(_ bench: String) -> [Double] {
            outcome.lines.filter { $0["bench"] as? String == bench }.compactMap { $0["value"] as? Double }
        }
        // The counter sees into every library: their parsers do allocate.
        #expect(counted("parser-allocations").count == 12)
        #expect(counted("parser-allocations").allSatisfy { $0 >= 1 })
        #expect(counted("hash-allocations") == Array(repeating: 0, count: 12))
        #expect(counted("batch-allocations") == Array(repeating: 0, count: 5))
    }

    /// It is also the program that runs its servers.
    @Test(.enabled(if: Probe.bench != nil, "`make test` builds probe-bench"))
    func theProgramThatCountsMeasuresTheRestToo() async throws {
        let outcome = try await Probe.runBench(["dns", "--rounds", "1", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.lines.map { $0["library"] as? String } == ["ldns", "cares", "unbound"])
    }

    /// Only passing probes are printed; both sides take time, and the ratio is theirs.
    @Test(
        arguments: [
            ("handshake", ["facts", "probe"], ["openssl", "gnutls", "nio"]),
            ("dns", ["model-list"], ["ldns", "cares", "unbound"]),
            ("scan", ["target"], ["openssl", "gnutls", "curl", "nio"]),
        ])
    func everyBackendIsMeasured(bench: String, subjects: [String], libraries: [String]) async throws {
        let outcome = try await Probe.run(["bench", bench, "--rounds", "1", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let measured = outcome.lines.map { "\($0["subject"] ?? "") \($0["library"] ?? "")" }
        #expect(measured == libraries.flatMap { library in subjects.map { "\($0) \(library)" } })
        for line in outcome.lines {
            #expect(line["bench"] as? String == bench)
            let value = try #require(line["value"] as? Double)
            let floor = try #require(line["floor"] as? Double)
            #expect(value > 0 && floor > 0)
            // One pair of measurements: the median of the ratios is the ratio of the medians.
            #expect(abs((line["ratio"] as? Double ?? 0) / (value / floor) - 1) < 0.01)
        }
    }

    /// Every family of hostile chains, and the worst of all, beside their limits.
    @Test func everyFamilyOfHostileChainsIsMeasured() async throws {
        let outcome = try await Probe.run(["bench", "chains", "--rounds", "1", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let subjects = outcome.lines.compactMap { $0["subject"] as? String }
        let families = HostileChain.Family.allCases.map(\.rawValue)
        #expect(subjects == families + Array(repeating: "worst-of-\(families.count)", count: 2))
        for line in outcome.lines {
            #expect(line["unit"] as? String == "ms")
            #expect(line["target"] as? Double == 100)
            #expect((line["met"] as? Bool) == ((line["value"] as? Double ?? 0) <= 100))
        }
    }

    @Test(
        arguments: [
            ["bench", "--rounds", "0"], ["bench", "--format", "junit"], ["bench", "hash", "--rounds", "0"],
            ["bench", "hash", "--format", "sarif"],
            ["bench", "handshake", "--backend", "no-such-stack"], ["bench", "handshake", "--backend", "curl"],
        ])
    func whatCannotBeMeasuredIsRefused(arguments: [String]) async throws {
        let outcome = try await Probe.run(arguments)
        #expect(outcome.code == 64)
        #expect(outcome.output.isEmpty)
    }

    /// A fix names no option that the command lacks.
    @Test func aBackendThatIsMissingIsNotSoughtInPrograms() async throws {
        let measured = try await Probe.run(["bench", "handshake", "--backend", "no-such-stack"])
        let signed = try await Probe.run([
            "signature", "--backend", "no-such-stack", "--content", "/dev/null", "--signature", "/dev/null",
            "--signers",
            "/dev/null",
        ])
        for outcome in [measured, signed] {
            #expect(outcome.code == 64 && outcome.errors.contains("or all"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("--plugin-path"), "\(outcome.errors)")
        }
    }
}
