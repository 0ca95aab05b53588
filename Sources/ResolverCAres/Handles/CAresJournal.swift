import ProbeDNS
import ProbeKit
import ProbeNet

/// The actions of c-ares on its sockets, as attempts.
///
/// c-ares itself reports only how a query ended. Its next action shows what it did with a message: if it opens a
/// socket, sends, or ends the query, it accepted the message as the reply; if it reads on, it dropped it.
struct CAresJournal {
    private struct Attempt {
        let channel: DNSAttempt.Channel
        var ednsSize: UInt16?
        var id: UInt16
        let start = ContinuousClock.now
        var end: ContinuousClock.Instant?
        var reply: [UInt8]?
        var dropped = DroppedReplies()
        var failure: DNSFailure?

        var isOpen: Bool { reply == nil && failure == nil }
    }

    /// One socket.
    private struct Line {
        let channel: DNSAttempt.Channel
        /// The index of the attempt in progress on it.
        var attempt: Int?
        var hasSent = false
        var outgoing = DNSStream()
        var incoming = DNSStream()
    }

    private let name: DNSName
    private let server: String
    private var id: UInt16
    private var ednsSize: UInt16?
    private var attempts: [Attempt] = []
    private var lines: [Int32: Line] = [:]
    /// A message that c-ares has received, and has not reacted to yet.
    private var pending: (attempt: Int, message: [UInt8])?
    /// The index of the attempt whose reply c-ares delivered.
    private var answered: Int?

    init(_ order: CAresOrder) {
        name = order.name
        server = order.server.description
        id = order.id
        ednsSize = order.ednsSize
    }

    // MARK: The actions of c-ares

    mutating func open(_ descriptor: Int32, _ channel: DNSAttempt.Channel) {
        acceptPending()
        lines[descriptor] = Line(channel: channel)
    }

    mutating func connect(_ descriptor: Int32) {
        begin(on: descriptor)
    }

    mutating func send(_ descriptor: Int32, _ bytes: [UInt8]) {
        acceptPending()
        if lines[descriptor]?.hasSent == true { begin(on: descriptor) }
        guard var line = lines[descriptor], let attempt = line.attempt else { return }
        if let query = line.channel == .udp ? bytes : Self.query(in: bytes, after: &line.outgoing) {
            line.outgoing = DNSStream()
            line.hasSent = true
            note(query, attempt)
        }
        lines[descriptor] = line
    }

    mutating func receive(_ descriptor: Int32, _ bytes: [UInt8]) {
        guard var line = lines[descriptor], let attempt = line.attempt else { return }
        defer { lines[descriptor] = line }
        guard line.channel == .tcp else {
            pending = (attempt, bytes)
            return
        }
        line.incoming.append(bytes)
        do throws(DNSFailure) {
            while let message = try line.incoming.next() {
                dropPending()
                pending = (attempt, message)
            }
        } catch {
            dropPending()
            fail(descriptor, error)
        }
    }

    /// Records that c-ares reads on: it did not accept the last message as the reply.
    mutating func dropPending() {
        guard let (attempt, message) = pending else { return }
        pending = nil
        let filter = ReplyFilter(id: attempts[attempt].id, name: name)
        attempts[attempt].dropped.append(
            filter.reasonToDrop(DNSReply(message)) ?? "c-ares does not take it for the reply")
    }

    /// Records that the socket failed.
    mutating func fail(_ descriptor: Int32, _ failure: DNSFailure) {
        guard let attempt = lines[descriptor]?.attempt, attempts[attempt].isOpen else { return }
        attempts[attempt].failure = failure
        attempts[attempt].end = .now
    }

    /// Records that the server closed the connection.
    mutating func close(_ descriptor: Int32) {
        fail(descriptor, (lines[descriptor]?.incoming ?? DNSStream()).closed)
    }

    /// Records that c-ares delivered the reply.
    mutating func end(with reply: [UInt8]) {
        answered = pending?.attempt ?? attempts.indices.last
        pending = nil
        if let answered { conclude(answered, with: reply) }
    }

    // MARK: The report

    /// Returns the attempts, those that are still open with `failure`; never none. The one whose reply c-ares handed
    /// over comes last.
    consuming func attempts(_ failure: DNSFailure) -> [DNSAttempt] {
        if attempts.isEmpty { attempts = [Attempt(channel: .udp, ednsSize: ednsSize, id: id)] }
        // A reply over UDP may come while c-ares is asking over TCP already.
        let isLate = answered.map { $0 < attempts.count - 1 } ?? false
        for index in attempts.indices where attempts[index].isOpen {
            attempts[index].failure = isLate ? .overtaken : failure
        }
        if isLate, let answered { attempts.append(attempts.remove(at: answered)) }
        return attempts.map(report)
    }

    private func report(_ attempt: Attempt) -> DNSAttempt {
        DNSAttempt(
            server: server, channel: attempt.channel, ednsSize: attempt.ednsSize, id: attempt.id,
            reply: attempt.reply, dropped: attempt.dropped.reasons, native: attempt.reply.map(CAresText.read),
            failure: attempt.failure, duration: attempt.start.duration(to: attempt.end ?? .now))
    }

    // MARK: Parts

    private mutating func begin(on descriptor: Int32) {
        guard let line = lines[descriptor] else { return }
        if let last = attempts.indices.last, attempts[last].isOpen { attempts[last].end = .now }
        attempts.append(Attempt(channel: line.channel, ednsSize: ednsSize, id: id))
        lines[descriptor]?.attempt = attempts.count - 1
        lines[descriptor]?.hasSent = false
    }

    /// Reads id and EDNS size from the sent query; c-ares may choose both.
    private mutating func note(_ query: [UInt8], _ attempt: Int) {
        guard let message = try? DNSMessage(query) else { return }
        id = message.header.id
        ednsSize = message.options?.size
        attempts[attempt].id = id
        attempts[attempt].ednsSize = ednsSize
    }

    /// Records that c-ares acts on the last message, if there was one.
    private mutating func acceptPending() {
        guard let (attempt, message) = pending else { return }
        pending = nil
        conclude(attempt, with: message)
    }

    private mutating func conclude(_ attempt: Int, with reply: [UInt8]) {
        attempts[attempt].reply = reply
        attempts[attempt].failure = nil
        attempts[attempt].end = .now
    }

    /// Returns the query that `bytes` complete; nil if it goes on.
    private static func query(in bytes: [UInt8], after sent: inout DNSStream) -> [UInt8]? {
        sent.append(bytes)
        return try? sent.next()
    }
}
