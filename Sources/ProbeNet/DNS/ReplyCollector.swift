import NIOCore
import ProbeKit

/// The result of one socket.
struct Collected: Sendable {
    let reply: DNSReply?
    let dropped: [String]
    let failure: DNSFailure?
}

/// Waits on one socket for the reply, and drops other messages. Lives on the socket's event loop.
final class ReplyCollector {
    private let filter: ReplyFilter
    private let promise: EventLoopPromise<Collected>
    private var dropped: [String] = []
    private var isDone = false
    private(set) var isConnected = false

    /// The maximum number of recorded drops, so that a flood takes no memory.
    private static let maximumDropped = 32

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
        if dropped.count < Self.maximumDropped { dropped.append(reason) }
    }

    func fail(_ failure: DNSFailure) {
        finish(nil, failure)
    }

    private func finish(_ reply: DNSReply?, _ failure: DNSFailure?) {
        guard !isDone else { return }
        isDone = true
        promise.succeed(Collected(reply: reply, dropped: dropped, failure: failure))
    }
}
