public import ProbeKit

/// The answer of one implementation to an example.
public struct ExploredAnswer: Hashable, Sendable {
    /// The answer that is compared, like `accepted` or `refused`.
    public let answer: String
    /// Our name for its reason; nil if it gives none.
    public let cause: String?
    /// The implementation's own code.
    public let nativeCode: String?
    /// The reason for a missing answer; nil with an answer, or where the reason is unknown.
    public let message: String?

    /// Creates an answer.
    public init(_ answer: String, cause: String? = nil, nativeCode: String? = nil) {
        self.init(answer, cause: cause, nativeCode: nativeCode, message: nil)
    }

    private init(_ answer: String, cause: String?, nativeCode: String?, message: String?) {
        self.answer = answer
        self.cause = cause
        self.nativeCode = nativeCode
        self.message = message
    }

    /// No answer in the time that is given.
    public static let hung = ExploredAnswer("hung")
    /// The end of the process in which it was asked.
    public static let crashed = ExploredAnswer("crashed")

    /// Returns the same fault with the code and the sentence that are known of it.
    public func because(_ nativeCode: String?, _ message: String?) -> ExploredAnswer {
        ExploredAnswer(answer, cause: cause, nativeCode: nativeCode, message: message)
    }

    /// True if there is no answer.
    public var isFault: Bool { answer == Self.hung.answer || answer == Self.crashed.answer }
}

extension ExploredAnswer {
    /// Creates the answer that a trust result is.
    public init(_ reading: TrustReading) {
        guard reading.isAnswered else {
            let problem = reading.problems.first
            let isLate = reading.silence == .programHung || reading.silence == .programBusy
            let fault = isLate ? Self.hung : .crashed
            self = fault.because(problem?.nativeCode, problem?.message)
            return
        }
        self.init(
            accepted: reading.isAccepted, cause: reading.cause, nativeCode: reading.problems.first?.nativeCode)
    }

    /// Creates the answer of a verifier.
    public init(accepted: Bool, cause: TrustCause?, nativeCode: String?) {
        self.init(accepted ? "accepted" : "refused", cause: cause?.rawValue, nativeCode: nativeCode)
    }
}

/// The answers of all implementations to an example.
public struct ExploredAnswers: Sendable {
    /// The reference's.
    public let reference: ExploredAnswer
    /// The backends' in their order; nil for one that does not support the question.
    public let backends: [(name: String, answer: ExploredAnswer?)]

    /// Creates answers.
    public init(reference: ExploredAnswer, backends: [(name: String, answer: ExploredAnswer?)]) {
        self.reference = reference
        self.backends = backends
    }

    /// The backends that answer otherwise than the reference.
    public var differences: Set<ExploredDifference> {
        Set(
            backends.compactMap { name, answer in
                guard let answer, answer.answer != reference.answer else { return nil }
                return ExploredDifference(
                    backend: name, answer: answer.answer,
                    cause: answer.isFault ? nil : answer.cause ?? reference.cause)
            })
    }
}

/// A backend that answers otherwise than the reference.
public struct ExploredDifference: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The backend.
    public let backend: String
    /// Its answer.
    public let answer: String
    /// The cause that one of the two gives; nil for a fault, which says nothing about the example.
    public let cause: String?

    /// Creates a difference.
    public init(backend: String, answer: String, cause: String?) {
        self.backend = backend
        self.answer = answer
        self.cause = cause
    }

    /// A line like `gnutls refused (expired)`, or `gnutls accepted` whatever the reference refused it for.
    public var description: String {
        answer == "accepted" ? "\(backend) accepted" : "\(backend) \(answer)" + (cause.map { " (\($0))" } ?? "")
    }

    /// The order of the backends' names.
    public static func < (left: ExploredDifference, right: ExploredDifference) -> Bool {
        (left.backend, left.answer, left.cause ?? "") < (right.backend, right.answer, right.cause ?? "")
    }
}
