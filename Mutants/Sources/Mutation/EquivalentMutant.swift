/// A mutant that no test can notice, with the reason.
///
/// It is found again by its text, so that lines may move.
public struct EquivalentMutant: Codable, Hashable, Sendable {
    let file: String
    let original: String
    let mutated: String
    /// The line that it begins in, where its own text is found elsewhere too.
    let context: String?
    /// Why the mutated code does the same.
    public let reason: String

    /// Whether a mutant is this one.
    public func matches(_ mutant: Mutant.Name) -> Bool {
        mutant.file.hasSuffix(file) && mutant.original == original && mutant.mutated == mutated
            && (context ?? mutant.context) == mutant.context
    }
}
