import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A source file with its mutants written in, each behind its switch.
public struct MutatedSource: Sendable {
    /// The new text of the file.
    public let text: String
    /// The mutants that it has, by their numbers.
    public let mutants: [Mutant]
    /// The number after the last that was given, to mutants that were left out too.
    public let next: Int

    /// Writes every mutant of a source.
    ///
    /// - Parameters:
    ///   - source: the text of the file.
    ///   - file: its name in the mutants.
    ///   - first: the first mutant's number.
    ///   - excluded: mutants that don't compile. They keep their numbers, and are not written.
    public init(_ source: String, file: String, first: Int = 1, excluding excluded: Set<Mutant.Name> = []) {
        let parsed = Parser.parse(source: source)
        let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        let tree = folded.as(SourceFileSyntax.self) ?? parsed
        let writer = MutantWriter(tree, file: file, first: first, excluding: excluded)
        text = writer.rewrite(tree).description
        mutants = writer.mutants.sorted { $0.id < $1.id }
        next = writer.next
    }

    /// Returns the numbers of the mutants to leave out, so that an error of the compiler goes away.
    ///
    /// - Parameters:
    ///   - line: the line of the error in the mutated text, from 1.
    ///   - column: its column in UTF-8, from 1.
    ///   - text: the mutated text.
    public static func culprits(line: Int, column: Int, in text: String) -> Set<Int> {
        let tree = Parser.parse(source: text)
        let converter = SourceLocationConverter(fileName: "", tree: tree)
        let position = converter.position(ofLine: line, column: column)
        guard let token = tree.token(at: position) else { return [] }
        var node = Syntax(token).parent
        while let current = node {
            // A switch around the error is the nearest; otherwise it is any in the same statement or declaration.
            if current.is(TupleExprSyntax.self) || current.is(IfExprSyntax.self),
                let own = number(at: current.trimmedDescription)
            {
                return [own]
            }
            if current.is(CodeBlockItemSyntax.self) || current.is(MemberBlockItemSyntax.self) {
                let all = current.description.matches(of: #/ProbeMutant\.on\((\d+)\)/#).compactMap { Int($0.1) }
                if !all.isEmpty { return Set(all) }
            }
            node = current.parent
        }
        return []
    }

    /// The number of the switch that a text begins with.
    private static func number(at text: String) -> Int? {
        text.prefixMatch(of: #/(?:\(|if )ProbeMutant\.on\((\d+)\)/#).flatMap { Int($0.1) }
    }
}
