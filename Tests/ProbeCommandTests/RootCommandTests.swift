import ArgumentParser
import ProbeKit
import ProbeTestSupport
import Subprocess
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

    @Test(arguments: [
        "chekc", "chek", "checl", "sacn", "profiel", "backend", "benchh",
    ])
    func aNearMissOfACommandIsAskedAbout(word: String) {
        let error = #expect(throws: InputError.self) { try RootCommand.refuseNearMiss(in: [word, "x"]) }
        #expect(error?.message == "'\(word)' is not a command")
        #expect(error?.remedy.hasPrefix("did you mean '") == true, "\(word)")
        #expect(error?.remedy.hasSuffix("'? for a host of that name write 'probe check \(word)'") == true, "\(word)")
        #expect(error?.source == .argument)
    }

    @Test(arguments: ["lint", "convert", "forecast", "digests", "diff", "import", "handshake"])
    func aCommandOfAGroupIsNamedWithIt(word: String) {
        let error = #expect(throws: InputError.self) { try RootCommand.refuseNearMiss(in: [word, "app.yaml"]) }
        #expect(error?.description.contains("is a command of") == true, "\(word)")
        #expect(error?.remedy.contains(" \(word)'") == true && error?.remedy.contains("probe check \(word)") == true)
    }

    @Test(arguments: [
        ["lint"], ["dns"], ["hash"], ["mail"], ["web"], ["chekc:443"], ["chekc.example"], ["help", "scan"],
        ["check", "chekc"], ["-h"], [],
    ])
    func otherFirstWordsAreNot(arguments: [String]) throws {
        try RootCommand.refuseNearMiss(in: arguments)
    }

    @Test(arguments: RootCommandTests.names.filter { $0 != "check" })
    func optionsBeforeACommandAreRefused(name: String) throws {
        let arguments = ["--format", "json", name, "leaf.pem"]
        let command = try RootCommand.parseAsRoot(arguments)
        let error = #expect(throws: InputError.self) {
            try RootCommand.refuseOptionsBefore(command, in: arguments)
        }
        #expect(error?.description.contains("'\(name)' is a command") == true)
        for host in [
            ["--format", "json", "\(name):443"], ["--format", "json", "leaf.test"], ["check", name], ["--", name],
            ["--format", "json", "--", name],
        ] {
            try RootCommand.refuseOptionsBefore(try RootCommand.parseAsRoot(host), in: host)
        }
    }

    /// A line that people copy is never broken, whatever the width.
    @Test(arguments: [["check"], ["watch"], ["scan"], ["profile", "diff"], ["conformance"], ["verify"], []])
    func examplesAreNotWrapped(command: [String]) throws {
        for columns in [40, 80] {
            let type = try #require(Self.command(command))
            let help = HelpText.message(for: CleanExit.helpRequest(type), columns: columns)
            let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
            let wide = RootCommand.helpMessage(for: type, columns: 10_000)
            let examples = wide.prefix(upTo: wide.firstRange(of: "\nUSAGE")?.lowerBound ?? wide.endIndex)
                .split(separator: "\n").filter { $0.hasPrefix("  ") }
            #expect(!examples.isEmpty)
            for example in examples { #expect(lines.contains(example), "\(example)") }
            let prose = lines.prefix { !$0.hasPrefix("USAGE") }.filter { !$0.hasPrefix("  ") }
            // A word is never broken either.
            let broken = prose.filter { $0.count > columns && $0.contains(" ") && !$0.hasPrefix("{") }
            #expect(broken.isEmpty, "\(broken)")
        }
    }

    /// Beside the options' names a narrow terminal has no place for their descriptions.
    @Test(arguments: [1, 10, 20, 26, 27]) func helpIsWholeInFewColumns(columns: Int) async throws {
        func hasDescriptions(_ help: String) -> Bool {
            help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                .contains("A pin that has to match; repeat it for alternatives.")
        }
        #expect(hasDescriptions(HelpText.message(for: CleanExit.helpRequest(CheckCommand.self), columns: columns)))
        // The parser reads the variable.
        for arguments in [["check", "--help"], ["help", "check"]] {
            let outcome = try await Probe.run(
                arguments, environment: .inherit.updating(["COLUMNS": "\(columns)"]))
            #expect(outcome.code == 0 && hasDescriptions(outcome.output), "\(outcome)")
        }
    }

    /// A line of the source that is not continued ends where no terminal does.
    @Test func proseIsNotBrokenByTheSource() {
        for (type, words) in Self.overviews {
            let lines = words.split(separator: "\n", omittingEmptySubsequences: false)
            func isProse(_ line: Substring) -> Bool { !line.isEmpty && !line.hasPrefix(" ") && !isRow(line) }
            func isRow(_ line: Substring) -> Bool { line.contains("  ") && line.count <= 80 }
            for (line, next) in zip(lines, lines.dropFirst()) where isProse(line) {
                #expect(!isProse(next), "\(type): \(line)")
            }
        }
    }

    /// A continued line of the source brings its indentation along.
    @Test func proseHasNoDoubledBlanks() {
        for (type, words) in Self.overviews {
            let codes = words.firstRange(of: "EXIT CODES").map { words[$0.upperBound...] } ?? ""
            let ends = codes.firstRange(of: "\n\n")?.lowerBound ?? codes.endIndex
            let prose =
                words.split(separator: "\n").filter { !$0.hasPrefix("  ") } + codes[..<ends].split(separator: "\n")
            for line in prose {
                // A table has a word at its left.
                let text = line.trimmingPrefix("  ").trimmingPrefix(#/[a-z-]+ {2,}/#)
                #expect(!text.contains("  "), "\(type): \(line)")
            }
        }
    }

    /// The first part of each command's help, with lines as long as they are: it takes seconds to make.
    private static let overviews = all(RootCommand.self).map { type in
        let help = RootCommand.helpMessage(for: type, columns: 10_000)
        return ("\(type)", help.prefix(upTo: help.firstRange(of: "\nUSAGE")?.lowerBound ?? help.endIndex))
    }

    private static func all(_ type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [type] + type.configuration.subcommands.flatMap(all)
    }

    private static func command(_ command: [String]) -> (any ParsableCommand.Type)? {
        command.reduce(RootCommand.self as (any ParsableCommand.Type)?) { type, name in
            type?.configuration.subcommands.first { $0._commandName == name }
        }
    }

    private static func message(_ root: any ParsableCommand.Type, _ arguments: [String]) -> String {
        do {
            return "\(type(of: try root.parseAsRoot(arguments)))"
        } catch {
            return RootCommand.fullMessage(for: error)
        }
    }
}
