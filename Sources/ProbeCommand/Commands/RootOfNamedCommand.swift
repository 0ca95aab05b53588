import ArgumentParser

/// `probe` with the name of a subcommand after it.
struct RootOfNamedCommand: AsyncParsableCommand {
    static let configuration = {
        var configuration = RootCommand.configuration
        configuration.defaultSubcommand = nil
        return configuration
    }()
}
