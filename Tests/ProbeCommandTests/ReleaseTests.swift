import Foundation
import Subprocess
import SystemPackage
import Testing

/// The program that people get, where `make test-release` names it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["PROBE_UNDER_TEST"] != nil, "`make test-release` runs it"))
struct ReleaseTests {
    /// A library that lies beside the program, in a folder of downloads, is not opened.
    @Test func noFolderOfItsOwnIsSearched() async throws {
        let result = try await run(
            .name("readelf"), arguments: ["--dynamic", "--wide", Probe.path], output: .string(limit: 1 << 20),
            error: .discarded)
        #expect(result.standardOutput.contains("(NEEDED)"))
        #expect(!result.standardOutput.contains("RUNPATH") && !result.standardOutput.contains("RPATH"))
    }

    /// Debuggers find the symbols in a file beside the program, which is less than half the size without them.
    @Test func symbolsAreBesideTheProgram() async throws {
        let result = try await run(
            .name("readelf"), arguments: ["--section-headers", "--wide", Probe.path],
            output: .string(limit: 1 << 20), error: .discarded)
        #expect(result.standardOutput.contains(".gnu_debuglink"))
        #expect(!result.standardOutput.contains(".symtab"))
        #expect(!result.standardOutput.contains(".debug_info"))
        #expect(FileManager.default.fileExists(atPath: Probe.path + ".debug"))
    }
}

/// The command leaves the C library's allocator alone: the counter of allocations is in a program of the benchmarks.
@Suite struct AllocatorTests {
    @Test(arguments: [["--defined-only"], ["--defined-only", "--dynamic"]])
    func noAllocatorIsDefined(options: [String]) async throws {
        let result = try await run(
            .name("nm"), arguments: Arguments(options + ["--format=just-symbols", Probe.path]),
            output: .string(limit: 1 << 28), error: .discarded)
        #expect(result.terminationStatus == .exited(0))
        let defined = Set(result.standardOutput.split(separator: "\n"))
        let allocator: Set<Substring> = [
            "malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc", "posix_memalign",
        ]
        #expect(defined.intersection(allocator) == [])
    }
}
