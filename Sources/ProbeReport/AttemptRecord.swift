import ProbeKit

/// One target that was tried, as reports show it.
struct AttemptRecord: Encodable, Sendable {
    struct Failure: Encodable, Sendable {
        let code: HandshakeFailure.Code
        let message: String
    }

    let target: String
    /// The reason why there was no answer; null for the target that answered.
    @Always var failure: Failure?

    init(_ attempt: ConnectionAttempt) {
        target = attempt.target.description
        failure = attempt.failure.map { Failure(code: $0.code, message: PrintableText.escape($0.message)) }
    }
}
