import ProbePlatform

/// A request that a program has not answered yet.
struct PendingRequest {
    let type: String
    /// Nil once the caller no longer waits.
    var answer: CheckedContinuation<ProgramAnswer, Never>?
    /// Nil once it has been asked.
    var approve: (@Sendable (Data) async throws -> Bool)?
    var isApproved = false
    /// Ends the wait. It holds the run, so that it ends with the request.
    let expiry: Task<Void, any Error>
}
