import ProbeKit

/// A rule that a path breaks. Its message is written only if the path is the reported one: a hostile set of
/// certificates has thousands of paths, and names that take longer to print than to compare.
struct PathProblem {
    let cause: TrustCause
    let depth: Int?
    private let fix: String?
    private let message: () -> String

    init(_ cause: TrustCause, _ message: @autoclosure @escaping () -> String, depth: Int? = nil, fix: String? = nil) {
        self.cause = cause
        self.depth = depth
        self.fix = fix
        self.message = message
    }

    /// Creates a problem whose message is written already.
    init(_ problem: TrustReading.Problem) {
        self.init(problem.cause, problem.message, depth: problem.depth, fix: problem.fix)
    }

    /// The problem with its message.
    var reported: TrustReading.Problem { .init(cause, message(), depth: depth, fix: fix) }
}

extension TrustReading {
    /// More than anyone reads.
    private static let maximumProblems = 32

    /// Returns the answer "refused", for the most severe of a path's problems.
    static func refused(path problems: [PathProblem]) -> TrustReading {
        .refused(problems.sorted { $0.cause < $1.cause }.prefix(maximumProblems).map(\.reported))
    }
}
