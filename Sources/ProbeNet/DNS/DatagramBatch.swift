import Dispatch
import NIOCore
import ProbeKit
import ProbePlatform

/// Many queries to one server over one UDP socket, connected like every other, so that the kernel drops what others send.
///
/// It saves what a socket for each query costs. The source port is the same for the queries of one batch, so that each has
/// an id of its own that can't be predicted, and a batch is small.
struct DatagramBatch: Sendable {
    /// One query as it is sent, and the filter for its reply.
    struct Query: Sendable {
        let id: UInt16
        let bytes: [UInt8]
        let filter: ReplyFilter
    }

    let server: SocketAddress
    let queries: [Query]
    /// The time to wait for the replies to all of them.
    let patience: Duration

    /// Blocking work, on threads of its own.
    private static let queue = DispatchQueue(label: "probe.datagrams", attributes: .concurrent)
    /// A UDP message's greatest size.
    private static let datagramSize = 65_535

    /// Returns what came for each query, and how long it took, in their order.
    func run() async -> [(collected: Collected, duration: Duration)] {
        await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: exchange()) }
        }
    }

    private func exchange() -> [(collected: Collected, duration: Duration)] {
        let start = ContinuousClock.now
        let end = start + patience
        var places: [UInt16: Int] = [:]
        places.reserveCapacity(queries.count)
        for (index, query) in queries.enumerated() { places[query.id] = index }
        var waits = [Wait](repeating: Wait(), count: queries.count)
        var failure = DNSFailure.late
        do throws(DNSFailure) {
            let socket = try DatagramSocket.connected(to: server)
            var room = [UInt8](repeating: 0, count: Self.datagramSize)
            var open = queries.count
            for (index, query) in queries.enumerated() {
                try socket.send(query.bytes, until: end)
                // A reply that is there already makes room for others.
                if index & 15 == 15 { open -= try receive(from: socket, &room, places, &waits, start) }
            }
            while open > 0, try socket.waitForReply(until: end) {
                open -= try receive(from: socket, &room, places, &waits, start)
            }
        } catch {
            failure = error
        }
        let duration = start.duration(to: .now)
        return waits.map { wait in
            (
                Collected(reply: wait.reply, dropped: wait.dropped.reasons, failure: wait.reply == nil ? failure : nil),
                wait.duration ?? duration
            )
        }
    }

    /// The most messages that are taken in before the time is looked at again: a server may send without end.
    private static let messagesAtOnce = 256

    /// Takes in what has come, and returns the number of queries that it answers.
    private func receive(
        from socket: borrowing DatagramSocket, _ room: inout [UInt8], _ places: [UInt16: Int], _ waits: inout [Wait],
        _ start: ContinuousClock.Instant
    ) throws(DNSFailure) -> Int {
        var answered = 0
        for _ in 0..<Self.messagesAtOnce {
            guard let message = try socket.receive(&room) else { break }
            let reply = DNSReply(message)
            // A reply without a known id could be to any of them, and is to none.
            guard let id = reply.header?.id, let index = places[id], waits[index].reply == nil else { continue }
            if let reason = queries[index].filter.reasonToDrop(reply) {
                waits[index].dropped.append(reason)
                continue
            }
            waits[index].reply = reply
            waits[index].duration = start.duration(to: .now)
            answered += 1
        }
        return answered
    }

    /// The replies to one query so far.
    private struct Wait {
        var reply: DNSReply?
        var duration: Duration?
        var dropped = DroppedReplies()
    }
}

/// Sole owner of a connected UDP socket that does not block.
struct DatagramSocket: ~Copyable {
    private let descriptor: CInt

    private init(owning descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Returns a socket that is connected to a server.
    static func connected(to server: SocketAddress) throws(DNSFailure) -> DatagramSocket {
        let opened = socket(CInt(server.protocol.rawValue), Platform.datagram, 0)
        guard opened >= 0 else { throw DNSFailure(errorNumber: errno) }
        let owner = DatagramSocket(owning: opened)
        let result = unsafe server.withSockAddr { address, count in
            unsafe connect(opened, address, socklen_t(count))
        }
        guard result == 0, fcntl(opened, F_SETFD, FD_CLOEXEC) == 0, fcntl(opened, F_SETFL, O_NONBLOCK) == 0 else {
            throw DNSFailure(errorNumber: errno)
        }
        return owner
    }

    deinit { close(descriptor) }

    /// Sends one message; waits for the kernel's room for it.
    func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(DNSFailure) {
        while true {
            let sent = unsafe ProbePlatform.send(descriptor, bytes, bytes.count, 0)
            if sent == bytes.count { return }
            guard [EAGAIN, ENOBUFS, EINTR].contains(errno) else { throw DNSFailure(errorNumber: errno) }
            guard try wait(for: POLLOUT, until: end) else { throw .late }
        }
    }

    /// Waits for a message; false when the time is over.
    func waitForReply(until end: ContinuousClock.Instant) throws(DNSFailure) -> Bool {
        try wait(for: POLLIN, until: end)
    }

    /// Returns the next message; nil if there is none now.
    func receive(_ room: inout [UInt8]) throws(DNSFailure) -> [UInt8]? {
        let count = unsafe recv(descriptor, &room, room.count, 0)
        guard count < 0 else { return Array(room[..<count]) }
        guard [EAGAIN, EINTR].contains(errno) else { throw DNSFailure(errorNumber: errno) }
        return nil
    }

    private func wait(for events: CInt, until end: ContinuousClock.Instant) throws(DNSFailure) -> Bool {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return false }
        var place = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let count = unsafe poll(&place, 1, CInt(min(left.millisecondsRoundedUp, 60_000)))
        guard count >= 0 || errno == EINTR else { throw DNSFailure(errorNumber: errno) }
        return count != 0 || ContinuousClock.now < end
    }
}
