import ProbeDNS
package import ProbeKit

/// Distinguishes a reply to our query from everything else that may arrive at its socket (RFC 5452 section 9.1). The
/// source needs no check here: the socket is connected, so the kernel drops packets from other sources.
package struct ReplyFilter: Sendable {
    let id: UInt16
    let name: DNSName

    /// Creates a filter for the reply to a query for a name's TXT records.
    package init(id: UInt16, name: DNSName) {
        self.id = id
        self.name = name
    }

    /// FORMERR, SERVFAIL, NOTIMP and REFUSED may come without a question, from servers that could not read the query.
    private static let bareErrors: Set<UInt8> = [1, 2, 4, 5]

    /// Returns the reason why a message is not the reply; nil if it is.
    package func reasonToDrop(_ reply: DNSReply) -> String? {
        guard let header = reply.header else { return "\(reply.bytes.count) bytes are no message" }
        guard header.isReply else { return "a query, not a reply" }
        guard header.id == id else { return "wrong id" }
        if reply.bytes.count == DNSHeader.size, Self.bareErrors.contains(header.responseCode) { return nil }
        do throws(ReplyFault) {
            guard let question = try reply.opening.get().question else {
                return "unreadable question: the message has 0 questions"
            }
            return question == .txt(name) ? nil : "wrong question"
        } catch {
            return "unreadable question: \(error.message)"
        }
    }
}
