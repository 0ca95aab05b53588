import ArgumentParser
import Foundation
import Mutation

/// `mutants drop`: leaves out the mutants that the compiler refuses.
struct Drop: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Leave out the mutants that don't compile, as the build's log names them.")

    @OptionGroup var scratch: Scratch
    @Option(help: "What the build printed.") var log: String

    func run() throws {
        let text = try String(contentsOfFile: log, encoding: .utf8)
        let mutants = try scratch.mutants()
        let files = Set(mutants.map(\.name.file))
        var culprits: Set<Int> = []
        // A compiler that compiles a module in parts reports an error in several of them.
        let places = Set(text.matches(of: #/(?m)^\S+?\.swift:\d+:\d+: error:/#).map { String($0.output) })
        for place in places {
            guard let match = place.wholeMatch(of: #/(.+):(\d+):(\d+): error:/#),
                let file = files.first(where: { match.1.hasSuffix("/" + $0) }), let line = Int(match.2),
                let column = Int(match.3)
            else { continue }
            let source = try String(contentsOf: scratch.root.appending(path: file), encoding: .utf8)
            culprits.formUnion(MutatedSource.culprits(line: line, column: column, in: source))
        }
        guard !culprits.isEmpty else { throw ValidationError("no error in \(log) is at a mutant") }
        let names = mutants.filter { culprits.contains($0.id) }.map(\.name)
        try scratch.exclude(try scratch.excluded().union(names))
        print("\(culprits.count) mutants do not compile")
    }
}
