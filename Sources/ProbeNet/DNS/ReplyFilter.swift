import NIOCore
import ProbeDNS
package import ProbeKit

/// Distinguishes a reply to our query from everything else that may arrive at its socket (RFC 5452 section 9.1). The
/// source needs no check here: the socket is connected, so the kernel drops packets from other sources.
package struct ReplyFilter: Sendable {
    let id: UInt16
    let question: DNSMessage.Question

    /// Creates a filter for the reply to a query for a name's TXT records.
    package init(id: UInt16, name: DNSName) {
        self.init(id: id, question: .txt(name))
    }

    /// Creates a filter for the reply to a question.
    package init(id: UInt16, question: DNSMessage.Question) {
        self.id = id
        self.question = question
    }

    /// FORMERR, SERVFAIL, NOTIMP and REFUSED may come without a question, from servers that could not read the query.
    private static let bareErrors: Set<DNSAttempt.ResponseCode> = [
        .formatError, .serverFailure, .notImplemented, .refused,
    ]

    /// Returns the reason why a message is not the reply; nil if it is.
    package func reasonToDrop(_ reply: DNSReply) -> String? {
        guard let header = reply.header else { return DNSHeader.fault(of: reply.bytes) }
        guard header.isReply else { return "a query, not a reply" }
        guard header.id == id else { return "wrong id" }
        if Self.isBareError(reply, header) { return nil }
        do throws(ReplyFault) {
            guard let asked = try reply.opening.get().question else {
                return "unreadable question: the message has 0 questions"
            }
            return asked == question ? nil : "wrong question"
        } catch {
            return "unreadable question: \(error.message)"
        }
    }

    /// Returns true for an error that is a header alone, or with nothing but an OPT record.
    private static func isBareError(_ reply: DNSReply, _ header: DNSHeader) -> Bool {
        guard bareErrors.contains(header.responseCode) else { return false }
        if reply.bytes.count == DNSHeader.size { return true }
        guard header.counts == [0, 0, 0, 1], let message = try? reply.message.get() else { return false }
        return message.options != nil && bareErrors.contains(message.responseCode)
    }
}

/// The result of one socket.
struct Collected: Sendable {
    let reply: DNSReply?
    let dropped: [String]
    /// The certificates of a server that was asked over TLS, as it presented them.
    var serverChain: [[UInt8]] = []
    let failure: DNSFailure?
}

/// Waits on one socket for the reply, and drops other messages. Lives on the socket's event loop.
final class ReplyCollector {
    private let filter: ReplyFilter
    private let promise: EventLoopPromise<Collected>
    private var dropped = DroppedReplies()
    private var isDone = false
    private(set) var isConnected = false
    /// The certificates that the server presented, if it was asked over TLS.
    var serverChain: [[UInt8]] = []

    init(_ filter: ReplyFilter, _ promise: EventLoopPromise<Collected>) {
        self.filter = filter
        self.promise = promise
    }

    /// Called when the socket is open.
    func connected() {
        isConnected = true
    }

    func offer(_ message: [UInt8]) {
        let reply = DNSReply(message)
        guard let reason = filter.reasonToDrop(reply) else { return finish(reply, nil) }
        dropped.append(reason)
    }

    func fail(_ failure: DNSFailure) {
        finish(nil, failure)
    }

    private func finish(_ reply: DNSReply?, _ failure: DNSFailure?) {
        guard !isDone else { return }
        isDone = true
        promise.succeed(Collected(reply: reply, dropped: dropped.reasons, serverChain: serverChain, failure: failure))
    }
}
