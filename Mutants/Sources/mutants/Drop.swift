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
        let files = Set(try scratch.mutants().map(\.file))
        var culprits: Set<Int> = []
        for match in text.matches(of: #/(?m)^(\S+?\.swift):(\d+):(\d+): error:/#) {
            guard let file = files.first(where: { match.1.hasSuffix("/" + $0) }), let line = Int(match.2),
                let column = Int(match.3)
            else { continue }
            let source = try String(contentsOf: scratch.root.appending(path: file), encoding: .utf8)
            culprits.formUnion(MutatedSource.culprits(line: line, column: column, in: source))
        }
        guard !culprits.isEmpty else { throw ValidationError("no error in \(log) is at a mutant") }
        try scratch.exclude(try scratch.excluded().union(culprits))
        print("\(culprits.count) mutants do not compile")
    }
}
