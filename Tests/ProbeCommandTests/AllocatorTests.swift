import Subprocess
import SystemPackage
import Testing

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
