import ArgumentParser
import Foundation

@testable import ProbeCommand

/// The program's own description of its commands, as tools read it: what help and completions are made of.
struct DumpedHelp: Decodable {
    /// An argument, option or flag.
    struct Argument: Decodable, Sendable {
        fileprivate struct Name: Decodable {
            let kind: String
            let name: String
        }

        /// The kinds of completions, each as the key that the description has.
        private struct Completion: Decodable {
            struct Words: Decodable {
                let values: [String]
            }
            struct Present: Decodable {}

            let list: Words?
            let file: Present?
            let directory: Present?
        }

        /// True for a flag, which has no value.
        let isFlag: Bool
        /// The option's name with its dashes, or the argument's value in brackets.
        let name: String
        /// The long names without dashes.
        let longNames: [String]
        /// The value's name in help.
        let valueName: String
        /// True if help and completions show it.
        let isShown: Bool
        /// The kind of the completion.
        let completion: Completes
        /// The words that are completed.
        let words: [String]

        private enum CodingKeys: CodingKey { case kind, names, preferredName, valueName, shouldDisplay, completionKind }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            isFlag = try container.decode(String.self, forKey: .kind) == "flag"
            valueName = try container.decodeIfPresent(String.self, forKey: .valueName) ?? ""
            isShown = try container.decode(Bool.self, forKey: .shouldDisplay)
            let preferred = try container.decodeIfPresent(Name.self, forKey: .preferredName)
            name = preferred.map { ($0.kind == "long" ? "--" : "-") + $0.name } ?? "<\(valueName)>"
            longNames = (try container.decodeIfPresent([Name].self, forKey: .names) ?? [])
                .filter { $0.kind == "long" }.map(\.name)
            let kind = try container.decodeIfPresent(Completion.self, forKey: .completionKind)
            words = kind?.list?.values ?? []
            completion =
                kind?.file != nil ? .files : kind?.directory != nil ? .folders : kind?.list != nil ? .words : .nothing
        }
    }

    /// The kind of a completion.
    enum Completes { case files, folders, words, nothing }

    private struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// The commands at and below this one, each with the names that lead to it.
        func all(below path: [String]) -> [(path: String, arguments: [Argument])] {
            [(path.joined(separator: " "), arguments ?? [])]
                + (subcommands ?? []).filter { $0.commandName != "help" }
                .flatMap { $0.all(below: path + [$0.commandName]) }
        }
    }

    private let command: Command

    /// Returns the commands, each with the names that lead to it.
    static func commands() throws -> [(path: String, arguments: [Argument])] {
        try JSONDecoder().decode(DumpedHelp.self, from: Data(RootCommand._dumpHelp().utf8)).command.all(below: [])
    }
}
