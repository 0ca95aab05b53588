/// The answer of the tests to a mutant.
public enum MutantOutcome: Codable, Hashable, Sendable {
    /// A test failed, or the process did.
    case killed(by: String)
    /// Every test passed, of so many suites that reach the code.
    case survived(suites: Int)
    /// No test reaches the code.
    case unreached

    /// Whether a test noticed it.
    public var isKilled: Bool { if case .killed = self { true } else { false } }
}
