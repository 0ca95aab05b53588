import ArgumentParser

/// `probe bench`: costs on this machine, each beside its lower bound, measured in one run.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure on this machine, each figure beside its floor in the same run.",
        discussion: """
            A floor is what the library itself costs from C. Figures are medians of many short rounds in which both \
            sides take turns; only the ratio means something on a machine that others use too.
            """,
        subcommands: [
            BenchAllCommand.self, BenchHashCommand.self, BenchHandshakeCommand.self, BenchDNSCommand.self,
            BenchScanCommand.self, BenchChainsCommand.self, BenchServeCommand.self,
        ],
        defaultSubcommand: BenchAllCommand.self)
}

/// `probe bench` without more: the hash path and the handshake.
struct BenchAllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "all", abstract: "The hash path and the handshake, one after the other.")

    @OptionGroup var options: BenchOptions

    mutating func run() async throws {
        try await BenchHashCommand.run(options)
        try await BenchHandshakeCommand.run(options, backend: .all)
    }
}
