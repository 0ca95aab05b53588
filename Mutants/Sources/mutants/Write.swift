import ArgumentParser
import Foundation
import Mutation

/// `mutants write`: the sources of a checkout with their mutants, into its copy.
struct Write: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write the mutants of folders into the copy.")

    @OptionGroup var scratch: Scratch
    @Option(help: "The checkout that the copy was made of.") var checkout: String
    @Option(help: "A diff without context: only files that it changes have mutants.") var changed: String?
    @Argument(help: "Folders and files of sources, relative to the checkout.") var folders: [String]

    func run() throws {
        let root = URL(filePath: checkout, directoryHint: .isDirectory)
        let excluded = try scratch.excluded()
        let lines = try changed.map { ChangedLines(diff: try String(contentsOfFile: $0, encoding: .utf8)) }
        var mutants: [Mutant] = []
        var modules: Set<String> = []
        var next = 1
        for folder in folders {
            for file in try files(in: folder, of: root) {
                let source = try String(contentsOf: root.appending(path: file), encoding: .utf8)
                guard lines?.touch(file) ?? true else {
                    try write(source, to: file)
                    continue
                }
                let mutated = MutatedSource(source, file: file, first: next, excluding: excluded)
                next = mutated.next
                mutants += mutated.mutants
                try write(mutated.text, to: file)
                modules.insert(file.split(separator: "/").prefix(2).joined(separator: "/"))
            }
        }
        for module in Set(folders.map { $0.split(separator: "/").prefix(2).joined(separator: "/") })
        where !modules.contains(module) {
            try? FileManager.default.removeItem(at: scratch.root.appending(path: "\(module)/ProbeMutant.swift"))
        }
        for module in modules { try write(Switch.source(count: next), to: "\(module)/ProbeMutant.swift") }
        try scratch.keep(mutants)
        print("\(mutants.count) mutants are written, \(excluded.count) left out")
    }

    /// A single file stands for itself.
    private func files(in folder: String, of root: URL) throws -> [String] {
        if folder.hasSuffix(".swift") { return [folder] }
        return try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).sorted()
            .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }

    /// A file that is as it was is not built again.
    private func write(_ text: String, to file: String) throws {
        let place = scratch.root.appending(path: file)
        if let old = try? String(contentsOf: place, encoding: .utf8), old == text { return }
        try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: place, atomically: true, encoding: .utf8)
    }
}
