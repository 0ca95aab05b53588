import ProbeDNS
package import ProbeKit

/// The result of one try at one server, as far as it matters to the walk over the servers.
package enum DNSConclusion: Sendable {
    /// The server has answered; the strict reader decides what the answer is worth.
    case settled
    /// The same server may answer the next time.
    case undecided
    /// The server will not answer this query.
    case hopeless

    /// Creates the conclusion of an attempt.
    package init(of attempt: DNSAttempt) {
        guard let reply = attempt.received, let header = reply.header else {
            self = attempt.failure?.code == .badQuery ? .hopeless : .undecided
            return
        }
        // The upper bits of the code are the OPT record's: BADVERS would be NOERROR without them.
        switch (try? reply.message.get())?.responseCode ?? UInt16(header.responseCode) {
        case 0, 3: self = .settled
        case 2: self = .undecided
        default: self = .hopeless
        }
    }

    /// Returns true if the reply comes from a server that does not support EDNS: FORMERR or NOTIMP without an OPT record
    /// (RFC 6891 section 7), or without any record.
    package static func refusesEDNS(_ attempt: DNSAttempt) -> Bool {
        guard let reply = attempt.received, [1, 4].contains(reply.header?.responseCode) else { return false }
        if reply.bytes.count == DNSHeader.size { return true }
        guard let message = try? reply.message.get() else { return false }
        return message.options == nil
    }
}
