/// A mutant that no test can notice, with the reason.
///
/// It is found again by its text, so that lines may move.
public struct EquivalentMutant: Codable, Hashable, Sendable {
    let file: String
    let original: String
    let mutated: String
    /// Why the mutated code does the same.
    public let reason: String

    /// Whether a mutant is this one.
    public func matches(_ mutant: Mutant) -> Bool {
        mutant.file.hasSuffix(file) && mutant.original == original && mutant.mutated == mutated
    }
}
