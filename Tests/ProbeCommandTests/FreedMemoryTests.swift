import Foundation
import ProbeTestSupport
import Subprocess
import Testing

@testable import ProbeCommand
@testable import ProbeProfiles

/// Every form of output, with an allocator that fills what is freed: memory that is read after that ends the program.
@Suite(.bounded) struct FreedMemoryTests {
    private func run(_ arguments: [String]) async throws -> Probe.Outcome {
        try await Probe.run(
            arguments,
            environment: .inherit.updating(["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.perturb=165"]))
    }

    @Test(arguments: OutputFormat.allCases) func results(format: OutputFormat) async throws {
        let outcome = try await run(["check", "127.0.0.1:1", "--timeout", "5", "--format", format.rawValue])
        #expect(outcome.code == (format == .nagios ? 2 : 20), "\(outcome.code) \(outcome.errors)")
        #expect(!outcome.output.isEmpty)
    }

    @Test(arguments: ConformanceFormat.allCases) func conformance(format: ConformanceFormat) async throws {
        let outcome = try await run(
            ["conformance", "--backend", "openssl", "--filter", "tls/names/second-name", "--format", format.rawValue])
        #expect(outcome.code == 0, "\(outcome.code) \(outcome.errors)")
        #expect(!outcome.output.isEmpty)
    }

    @Test(arguments: ProfileFormat.allCases.filter { $0.traits != nil }) func pins(format: ProfileFormat) async throws {
        try await ScratchFolder.withURL { folder in
            let path = folder.appending(path: "pins").path
            try "sha256//fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY=".write(
                toFile: path, atomically: true, encoding: .utf8)
            let outcome = try await run(["profile", "convert", path, "--host", "a.test", "--to", format.rawValue])
            // Not every format can hold a pin of a key; each says so.
            #expect([0, 65].contains(outcome.code), "\(outcome.code) \(outcome.errors)")
        }
    }
}
