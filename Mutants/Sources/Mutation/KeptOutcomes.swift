import Foundation

/// The answers of the tests, kept in a file as they come: a run that was ended goes on where it was, and tests that were added
/// are run on what the others did not notice.
public struct KeptOutcomes {
    private struct Row: Codable {
        let mutant: Mutant.Name
        let outcome: MutantOutcome
    }

    private let file: URL
    private var outcomes: [Mutant.Name: MutantOutcome] = [:]

    /// The answers in a file; none if it does not exist.
    public init(_ file: URL) throws {
        self.file = file
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return }
        for line in text.split(separator: "\n") {
            let row = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
            outcomes[row.mutant] = row.outcome
        }
    }

    /// The last answer to a mutant.
    public subscript(mutant: Mutant) -> MutantOutcome? { outcomes[mutant.name] }

    /// Adds an answer, at once in the file too.
    public mutating func add(_ outcome: MutantOutcome, to mutant: Mutant) throws {
        outcomes[mutant.name] = outcome
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: JSONEncoder().encode(Row(mutant: mutant.name, outcome: outcome)) + Data("\n".utf8))
        try handle.close()
    }
}
