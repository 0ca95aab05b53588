import Dispatch
import ProbeKit
import Synchronization

/// The connection between libcurl's thread, which asks whether a request may be sent and blocks meanwhile, and the task
/// that decides.
final class CurlGate: Sendable {
    /// The question: one report at most.
    let questions: AsyncStream<HandshakeReport>
    private let question: AsyncStream<HandshakeReport>.Continuation
    private let deadline: Deadline
    private let isApproved = Mutex<Bool?>(nil)
    private let answered = DispatchSemaphore(value: 0)

    /// Creates a gate that stays closed if there is no answer by the deadline.
    init(until deadline: Deadline) {
        self.deadline = deadline
        (questions, question) = AsyncStream.makeStream()
    }

    /// Asks, and waits for the answer. Must never be called on a shared thread.
    func ask(_ report: HandshakeReport) -> Bool {
        question.yield(report)
        question.finish()
        guard answered.wait(timeout: .now() + .nanoseconds(deadline.remaining.nanoseconds)) == .success else {
            return false
        }
        return isApproved.withLock { $0 ?? false }
    }

    /// True if there is an answer, even before the question: that of a caller who does not wait any more.
    var isAnswered: Bool { isApproved.withLock { $0 != nil } }

    /// Answers; only the first answer counts.
    func answer(_ isApproved: Bool) {
        self.isApproved.withLock { $0 = $0 ?? isApproved }
        answered.signal()
    }

    /// Marks the end of the questions.
    func close() { question.finish() }
}
