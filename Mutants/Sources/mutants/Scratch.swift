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

    /// The numbers of those that do not compile.
    func excluded() throws -> Set<Int> {
        guard let data = try? Data(contentsOf: excludedFile) else { return [] }
        return try JSONDecoder().decode(Set<Int>.self, from: data)
    }

    func exclude(_ numbers: Set<Int>) throws { try JSONEncoder().encode(numbers.sorted()).write(to: excludedFile) }
}
