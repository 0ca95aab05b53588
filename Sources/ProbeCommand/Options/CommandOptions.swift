import ArgumentParser
import Foundation

/// The options of a command, as the argument parser describes them to tools.
struct CommandOptions: Decodable {
    /// One option or flag.
    struct Option: Decodable {
        private struct Name: Decodable {
            let kind: String
            let name: String

            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        /// Every name, with its dashes.
        let names: [String]
        /// The name that help shows.
        let name: String
        /// True if it can be given several times, and all values count.
        let isRepeating: Bool
        /// True if a value follows; a flag has none.
        let takesValue: Bool
        /// True if it is an option or a flag and not a positional argument.
        let isOption: Bool

        private enum CodingKeys: CodingKey { case kind, names, preferredName, isRepeating }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let kind = try container.decode(String.self, forKey: .kind)
            names = try (container.decodeIfPresent([Name].self, forKey: .names) ?? []).map(\.text)
            name = try container.decodeIfPresent(Name.self, forKey: .preferredName)?.text ?? ""
            isRepeating = try container.decode(Bool.self, forKey: .isRepeating)
            takesValue = kind == "option"
            isOption = kind != "positional"
        }
    }

    private struct Command: Decodable {
        let arguments: [Option]?
    }

    let options: [Option]

    init(_ command: any ParsableCommand.Type) throws {
        self = try JSONDecoder().decode(CommandOptions.self, from: Data(command._dumpHelp().utf8))
    }

    private enum CodingKeys: CodingKey { case command }

    init(from decoder: any Decoder) throws {
        let command = try decoder.container(keyedBy: CodingKeys.self).decode(Command.self, forKey: .command)
        options = (command.arguments ?? []).filter(\.isOption)
    }
}
