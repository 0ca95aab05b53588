import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A scan that goes on with a file does again what failed, on request.
@Suite(.bounded) struct ScanRetryTests {
    @Test("--retry-failed does again what failed, and counts it once") func retries() async throws {
        try await ScanBench.run { bench in
            let dead = try await LabServer.start(.dead, pki: ScanBench.pki)
            let port = dead.endpoint.port
            let resume = ["--resume", bench.path("out")]
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { good in
                let list = try bench.list(["127.0.0.1:\(port),good.test", "\(good.endpoint),good.test"])
                let first = try await bench.scan(["--list", list] + resume)
                #expect(first.code == 20, "\(first.errors)")
                let idle = try await bench.scan(["--list", list] + resume)
                #expect(idle.code == 20, "without the option nothing is done again")
                let again = try await bench.scan(["--list", list, "--retry-failed"] + resume)
                #expect(again.code == 20)
                let last = try await bench.scan(["--list", list, "--retry-failed"] + resume)
                #expect(last.code == 20)
                let lines = try bench.lines(of: "out")
                #expect(lines.compactMap(\.outcome).filter { $0 == "unreachable" }.count == 3)
                #expect(lines.compactMap { $0.place["retry"] as? Bool } == [false, false, true, true])
                let manifest = try #require(lines.last)
                #expect(manifest.count("targets") == 2 && manifest.count("results") == 2)
                #expect(manifest.count(of: "unreachable") == 1 && manifest.count(of: "pass") == 1)
                #expect(manifest.count("skipped") == 1)
            }
            await dead.stop()
        }
    }

    @Test func retryingNeedsAFile() async throws {
        let outcome = try await Probe.run(["scan", "127.0.0.1:1", "--retry-failed"])
        #expect(outcome.code == 64 && outcome.errors.contains("--resume"))
    }
}
