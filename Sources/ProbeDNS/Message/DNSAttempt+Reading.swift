public import ProbeKit

extension DNSAttempt {
    /// The reply as the strict reader reads it, or why it is not a message; nil where there is no reply.
    package var parsed: Result<DNSMessage, ReplyFault>? {
        message
            ?? reply.map { bytes in
                Result { () throws(ReplyFault) in try DNSMessage(bytes) }
            }
    }

    /// The extended errors in the reply, in order; empty if there is no reply or it is malformed.
    public var extendedErrors: [ExtendedDNSError] { (try? parsed?.get())?.options?.extendedErrors ?? [] }
}

extension DNSReport {
    /// The same with every reply read, so that nobody after this reads one again.
    package var read: DNSReport {
        DNSReport(
            attempts: attempts.map { attempt in
                var attempt = attempt
                attempt.message = attempt.parsed
                return attempt
            })
    }
}
