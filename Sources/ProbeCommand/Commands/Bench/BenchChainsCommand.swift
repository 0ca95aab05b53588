import ArgumentParser
import ProbeBench

/// `probe bench chains`: the longest that a hostile chain keeps the reference verifier busy.
struct BenchChainsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chains",
        abstract: "The reference verifier's processor time for generated hostile chains, the worst of each family.",
        discussion: """
            chains          the verdict on a chain: at most 100 ms in a release build
            chain-details   reading what its certificates say of themselves, for the report

            --rounds is how many chains of each family are made; their shapes depend on the family and a number alone.

            EXAMPLES
              probe bench chains
              probe bench chains --rounds 10 --format json
            """)

    @OptionGroup var options: BenchOptions

    mutating func run() async throws {
        try await options.print(rounds: 100) { rounds, report in
            try await ChainBench(rounds: rounds).run(report)
        }
    }
}
