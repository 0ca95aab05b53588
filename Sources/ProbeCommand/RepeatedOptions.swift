import ArgumentParser
import Foundation
import ProbeKit

/// Options that are given more than once. For a single-valued option the parser would keep the last value and silently
/// ignore the others.
struct RepeatedOptions {
    /// Names with their dashes, in the order of their second occurrence.
    private let names: [String]

    init(_ arguments: [String]) {
        var seen: Set<Substring> = []
        var names: [String] = []
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("-") {
            let name = argument.prefix { $0 != "=" }
            if !seen.insert(name).inserted { names.append(String(name)) }
        }
        self.names = names
    }

    /// - Throws: ``InputError`` naming an option of the command that takes one value and has several.
    func refuse(in command: any ParsableCommand.Type) throws {
        // Asking the parser about a command takes a while.
        guard !names.isEmpty else { return }
        let single = try CommandOptions(command).options.filter { $0.takesValue && !$0.isRepeating }
        for name in names {
            guard let option = single.first(where: { $0.names.contains(name) }) else { continue }
            throw InputError("\(option.name) is given twice, and only one can count", remedy: "give it once")
        }
    }
}

/// Numbers below zero, which the argument parser takes for options.
enum NegativeNumbers {
    /// Returns arguments in which each such number is one word with the option before it, so that its reader can refuse it.
    static func joined(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        for argument in arguments {
            if isNumber(argument), let option = joined.last, option.hasPrefix("--"), option.utf8.count > 2,
                !option.contains("="), !joined.contains("--")
            {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined
    }

    private static func isNumber(_ argument: String) -> Bool {
        argument.hasPrefix("-") && argument.dropFirst().first?.isWholeNumber == true
    }
}

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
