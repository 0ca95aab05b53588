import ArgumentParser
import ProbeKit

/// Options that are given more than once. For a single-valued option the parser would keep the last value and silently
/// ignore the others.
struct RepeatedOptions {
    /// Names with their dashes, as they were given.
    private let names: [String]

    init(_ arguments: [String]) {
        names = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0 != "-" }
            .map { String($0.prefix { $0 != "=" }) }
    }

    /// True if some option may be there twice: by one name, or by its short name and its long one.
    private var mayRepeat: Bool {
        Set(names).count < names.count || names.contains { !$0.hasPrefix("--") }
    }

    /// - Throws: ``InputError`` naming an option of the command that takes one value and has several.
    func refuse(in command: any ParsableCommand.Type) throws {
        // Asking the parser about a command takes a while.
        guard mayRepeat else { return }
        let single = try CommandOptions(command).options.filter { $0.takesValue && !$0.isRepeating }
        var seen: Set<String> = []
        for name in names {
            guard let option = single.first(where: { $0.names.contains(name) }),
                !seen.insert(option.name).inserted
            else { continue }
            throw InputError("\(option.name) is given twice, and only one can count", remedy: "give it once")
        }
    }
}
