import ArgumentParser
import Foundation
import Mutation

/// The copy of the checkout that has the mutants, and what is kept beside them.
struct Scratch: ParsableArguments {
    @Option(name: .customLong("scratch"), help: "The copy of the checkout.") var path: String

    var root: URL { URL(filePath: path, directoryHint: .isDirectory) }
    private var listFile: URL { root.appending(path: "mutants.json") }
    private var excludedFile: URL { root.appending(path: "mutants-excluded.json") }

    func mutants() throws -> [Mutant] { try JSONDecoder().decode([Mutant].self, from: Data(contentsOf: listFile)) }

    func keep(_ mutants: [Mutant]) throws { try JSONEncoder().encode(mutants).write(to: listFile) }

    /// Those that do not compile. They are kept for the next run, which may have other numbers.
    func excluded() throws -> Set<Mutant.Name> {
        guard let data = try? Data(contentsOf: excludedFile) else { return [] }
        return try JSONDecoder().decode(Set<Mutant.Name>.self, from: data)
    }

    func exclude(_ names: Set<Mutant.Name>) throws { try JSONEncoder().encode(names).write(to: excludedFile) }
}
