public import ProbeKit
public import Testing

/// A problem of a chain as the tables of tests write it: cause, native code, depth.
public struct ExpectedProblem: Hashable, Sendable, CustomTestStringConvertible {
    private let cause: TrustCause
    private let code: String
    private let depth: Int?

    /// Creates an entry of a table.
    public init(_ cause: TrustCause, _ code: String, _ depth: Int?) {
        self.cause = cause
        self.code = code
        self.depth = depth
    }

    /// Creates the entry for a problem.
    ///
    /// - Parameter prefix: what all codes of the stack begin with, and the tables leave out.
    public init(_ problem: TrustReading.Problem, trimming prefix: String) {
        self.init(problem.cause, String((problem.nativeCode ?? "").trimmingPrefix(prefix)), problem.depth)
    }

    /// The entry in one line.
    public var testDescription: String { "\(cause) \(code) \(depth.map(String.init) ?? "-")" }
}
