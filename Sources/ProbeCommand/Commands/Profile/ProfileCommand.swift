import ArgumentParser

/// `probe profile`: reads, writes, compares and checks existing profiles before they ship.
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Lint, forecast, convert and compare pin files: native profiles and what the platforms have.",
        subcommands: [
            ProfileLintCommand.self, ProfileForecastCommand.self, ProfileConvertCommand.self, ProfileDiffCommand.self,
            ProfileDigestsCommand.self,
        ])
}
