import CProbeUnbound

/// The destination of libunbound's answer to one query.
final class UnboundMailbox {
    private(set) var answer: Result<UnboundAnswer, UnboundError>?

    /// The callback of `ub_resolve_async`; it runs within `ub_process`, and its first argument is a mailbox.
    static let deliver: ub_callback_type = { mailbox, code, result in
        guard let mailbox = unsafe mailbox else { return }
        let answer: Result<UnboundAnswer, UnboundError>
        if let result = unsafe result {
            answer = .success(unsafe UnboundResult(result).answer)
        } else {
            answer = .failure(UnboundError(code: code, call: "resolve"))
        }
        unsafe Unmanaged<UnboundMailbox>.fromOpaque(mailbox).takeUnretainedValue().answer = answer
    }
}
