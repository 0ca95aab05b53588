import ArgumentParser
import Testing

@testable import ProbeCommand

/// The choice of the root does not affect how a command line is parsed.
@Suite struct RootCommandTests {
    private static let names = RootCommand.configuration.subcommands.map { $0._commandName }

    @Test(arguments: names)
    func helpIsTheSame(name: String) throws {
        let command = try #require(RootCommand.configuration.subcommands.first { $0._commandName == name })
        #expect(RootCommand.type(for: [name, "--help"]) is RootOfNamedCommand.Type)
        #expect(RootOfNamedCommand.helpMessage(for: command) == RootCommand.helpMessage(for: command))
    }

    @Test(arguments: names)
    func errorsAreTheSame(name: String) {
        for arguments in [[name, "--no-such-option"], [name, "--help"], [name, "--timeout"]] {
            #expect(Self.message(RootOfNamedCommand.self, arguments) == Self.message(RootCommand.self, arguments))
        }
    }

    @Test(arguments: [[], ["example.com"], ["--backend", "openssl", "scan"], ["help", "scan"], ["--help"]])
    func whatNamesNoCommandIsForTheDefault(arguments: [String]) {
        #expect(RootCommand.type(for: arguments) is RootCommand.Type)
    }

    private static func message(_ root: any ParsableCommand.Type, _ arguments: [String]) -> String {
        do {
            return "\(type(of: try root.parseAsRoot(arguments)))"
        } catch {
            return RootCommand.fullMessage(for: error)
        }
    }
}
