import ArgumentParser
import ProbeBench
import ProbeKit

/// `probe bench hash`: the hash path against the hash.
struct BenchHashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "The way from a certificate to whether it is pinned, against the bare digest of its key.",
        discussion: """
            hash         one certificate; the floor is the same digest of its key, from C
            parser       the same through the stack's parser; the floor is our path
            membership   in 100000 pins; the floor is the same question to 2 pins
            batch        one of 1024 at once; the floor is the best library's digest

            Of membership, absent and present are the lookup alone, for digests that are all different; certificate is the \
            whole answer.

            probe-bench hash (from `make bench`) also counts heap allocations:

            hash-allocations     for one certificate
            parser-allocations   the same through the stack's certificate parser
            batch-allocations    for all 1024 at once
            allocation-counter   shows that the counter counts: as many as were made

            EXAMPLES
              probe bench hash
              probe bench hash --rounds 1001 --format json
            """)

    @OptionGroup var options: BenchOptions

    mutating func run() async throws { try await Self.run(options) }

    static func run(_ options: BenchOptions) async throws {
        let kit = Backends.current.bench
        guard !kit.floors.isEmpty else {
            throw InputError("this build has no library to measure against", remedy: "use one that has")
        }
        let floors = kit.floors.filter { $0.digester.absence == nil }
        try await options.print { rounds, report in
            try HashBench(floors: floors, allocations: kit.allocations, rounds: rounds).run(report)
        }
    }
}
