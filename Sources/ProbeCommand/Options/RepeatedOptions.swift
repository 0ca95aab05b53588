import ArgumentParser
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
