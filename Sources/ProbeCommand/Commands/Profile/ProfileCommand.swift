import ArgumentParser

/// `probe profile`: what people already have, read, written, compared, and looked at before it ships.
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Lint, forecast, convert and compare pin files: native profiles and what the platforms have.",
        subcommands: [
            ProfileLintCommand.self, ProfileForecastCommand.self, ProfileConvertCommand.self, ProfileDiffCommand.self,
            ProfileDigestsCommand.self,
        ])
}
