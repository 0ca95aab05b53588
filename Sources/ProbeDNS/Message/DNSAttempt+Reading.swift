public import ProbeKit

extension DNSAttempt {
    /// The reply as the strict reader reads it, or why it is not a message; nil where there is no reply.
    package var parsed: Result<DNSMessage, ReplyFault>? { received?.message }

    /// The extended errors in the reply, in order; empty if there is no reply or it is malformed.
    public var extendedErrors: [ExtendedDNSError] { (try? parsed?.get())?.options?.extendedErrors ?? [] }
}
