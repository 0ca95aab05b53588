import ArgumentParser

/// `probe bench` without more: the hash path and the handshake.
struct BenchAllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "all", abstract: "The hash path and the handshake, one after the other.")

    @OptionGroup var options: BenchOptions

    mutating func run() async throws {
        try await BenchHashCommand.run(options)
        try await BenchHandshakeCommand.run(options, backend: ["all"])
    }
}
