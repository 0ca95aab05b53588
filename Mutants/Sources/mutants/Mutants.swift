import ArgumentParser

/// `mutants`: whether the tests would notice if the code were wrong.
@main struct Mutants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutants", abstract: "Writes mutants into a copy of the sources and runs the tests on each.",
        subcommands: [Write.self, Drop.self, Run.self])
}
