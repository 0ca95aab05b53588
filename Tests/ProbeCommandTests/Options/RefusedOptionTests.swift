import ArgumentParser
import Testing

@testable import ProbeCommand

/// An option that a command refuses whatever stands beside it is read, to be refused by name, and not shown.
@Suite struct RefusedOptionTests {
    @Test(arguments: ["survey", "fleet"]) func whatIsAlwaysRefusedIsNotShown(command: String) throws {
        let arguments = try #require(try DumpedHelp.commands().first { $0.path == command }).arguments
        let hidden = Set(arguments.filter { !$0.isShown }.map(\.name))
        let scene = try #require(SweepScene.all.first { $0.command == [command] })
        // With --follow it is of use.
        let refused = Set(scene.options.filter(\.isRefused).map(\.name)).subtracting(["--dns-server"])
        #expect(hidden == refused, "\(hidden.symmetricDifference(refused).sorted())")
        #expect(hidden.contains("--ca"))
        let type = try #require(RootCommand.configuration.subcommands.first { $0._commandName == command })
        let help = RootCommand.helpMessage(for: type)
        for name in hidden { #expect(!help.contains("\n  \(name) "), "\(name)") }
    }

    /// Commands share the option and not its default.
    @Test func theTimeOfASurveyIsItsOwn() {
        let help = RootCommand.helpMessage(for: SurveyCommand.self, columns: 10_000)
        #expect(help.contains("10 when not given, and 120 for survey"), "\(help)")
    }
}
