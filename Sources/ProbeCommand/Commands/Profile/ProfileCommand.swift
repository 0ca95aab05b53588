import ArgumentParser

/// `probe profile`: what people already have, read, written and compared.
struct ProfileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Read, write and compare pin files: native profiles and what the platforms have.",
        subcommands: [ProfileConvertCommand.self, ProfileDiffCommand.self])
}
