import ProbeKit

/// The reason why a request has no reply. The program is restarted, except after ``Code/refused`` and ``Code/notAsked``.
public struct ProgramFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed set of faults. The raw value is the native code of a failure and never changes meaning.
    public enum Code: String, Sendable, CaseIterable {
        /// It could not be started.
        case notStarted = "program-not-started"
        /// It ended.
        case ended = "program-ended"
        /// It did not answer by the deadline and half a second of its own time.
        case hung = "program-hung"
        /// The request waited for the program until its time was over, and was not put to it.
        case notAsked = "program-not-asked"
        /// It wrote a line that is not a JSON object, or does not have the fields of its type.
        case garbled = "program-garbled"
        /// It wrote a line of more than 8 MiB.
        case lineTooLong = "program-line-too-long"
        /// It uses another version of the protocol.
        case wrongVersion = "program-wrong-version"
        /// It answered a question that was not asked.
        case unaskedReply = "program-unasked-reply"
        /// It reported that it can't answer this; the program continues.
        case refused = "program-refused"
    }

    /// The fault.
    public let code: Code
    /// A one-sentence message, with the end of the program's standard error.
    public let message: String
    /// True if the program turned out not to have the capabilities for the request, which was not sent.
    let isLack: Bool

    init(_ code: Code, _ message: String, isLack: Bool = false) {
        self.code = code
        self.message = PrintableText.escape(message)
        self.isLack = isLack
    }

    /// The result of a request for what a program does not declare.
    static func lacking(_ capabilities: Set<String>, _ path: String) -> ProgramFault {
        ProgramFault(
            .refused, "\(path) can't do \(capabilities.sorted().joined(separator: ", ")), so nothing was sent",
            isLack: true)
    }

    /// The result of a request whose task was cancelled.
    static let cancelled = ProgramFault(.refused, HandshakeFailure.cancelled.message)

    /// The result of a request that was to be sent to a program when it was stopped.
    static func stopped(_ path: String) -> ProgramFault {
        ProgramFault(.ended, "\(path) was stopped before it was asked")
    }

    /// The code and the sentence.
    public var description: String { isLack ? message : "\(code.rawValue): \(message)" }

    /// The failure of what the program was asked for.
    var handshakeFailure: HandshakeFailure {
        isLack
            ? HandshakeFailure(.unsupported, message)
            : HandshakeFailure(
                .backendError, message, nativeCode: code.rawValue, cause: HandshakeFailure.Cause(silence))
    }

    /// The failure of a query.
    var dnsFailure: DNSFailure { DNSFailure(isLack ? .badQuery : .backendError, description) }

    /// The missing answer to a question about trust.
    var unansweredTrust: TrustReading {
        isLack ? .unanswered(message) : .unanswered(message, nativeCode: code.rawValue, silence: silence)
    }

    /// The fault as the reason for a missing answer.
    var silence: TrustReading.Silence {
        switch code {
        case .hung: .programHung
        case .notAsked: .programBusy
        default: .programFault
        }
    }

    /// The fault of a request that was lost with another one, and could not be repeated.
    var withoutTimeToRepeat: ProgramFault {
        ProgramFault(
            code, "the request was lost with another one, and there was no time left to repeat it: \(message)")
    }

    /// Returns the same with the end of the program's standard error.
    func with(errors tail: String) -> ProgramFault {
        tail.isEmpty ? self : ProgramFault(code, "\(message); it wrote: \(tail)")
    }
}
