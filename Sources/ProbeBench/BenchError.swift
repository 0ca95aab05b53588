/// A bench whose work gave a wrong answer: its times mean nothing.
public struct BenchError: Error, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
