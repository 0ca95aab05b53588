/// A bench whose work gave a wrong answer: its times mean nothing.
public struct BenchError: Error, Sendable, CustomStringConvertible {
    /// The error message.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
