import ProbePlatform

/// A request that a program has not answered yet.
struct PendingRequest {
    let type: String
    /// Nil once the caller no longer waits.
    var answer: CheckedContinuation<ProgramAnswer, Never>?
    /// Nil once it has been asked.
    var approve: (@Sendable (Data) async throws -> Bool)?
    /// The answer that the program had to its question for an approval; nil before one.
    var approval: Bool?
    /// Finds out that answer. Nobody waits for it once the request has ended.
    var approving: Task<Void, Never>?
    /// Ends the wait. It holds the run, so that it ends with the request.
    let expiry: Task<Void, any Error>

    /// Ends what goes on for the request, and answers it.
    func end(_ answer: ProgramAnswer) {
        expiry.cancel()
        approving?.cancel()
        self.answer?.resume(returning: answer)
    }
}
