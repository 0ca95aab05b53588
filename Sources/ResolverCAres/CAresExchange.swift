import ProbeKit
import ProbeNet

/// One channel's exchange with its server, from the first query to the last. It belongs to one thread.
final class CAresExchange {
    private let order: CAresOrder
    private let sockets: CAresSockets
    private var channel: CAresChannel?
    /// The reason why it could not begin.
    private var failure: DNSFailure?

    /// Sends the first query.
    init(_ order: CAresOrder) {
        self.order = order
        sockets = CAresSockets(order)
        do throws(CAresStatus) {
            channel = try CAresChannel(order, sockets)
        } catch {
            failure = Self.failure(error, order)
        }
    }

    /// True if there is nothing to wait for any more.
    var isDone: Bool { failure != nil || sockets.status != nil || order.deadline.remaining == .zero }

    /// The maximum time to wait for the sockets.
    var timeout: Duration { min(channel?.timeout ?? .zero, order.deadline.remaining) }

    /// The sockets and events to wait for.
    var interests: [Int32: CAresSockets.Interest] { sockets.interests }

    /// Sees to timeouts.
    func process() {
        channel?.process()
    }

    /// Reads from and writes to a ready socket. Sockets that no longer belong to this exchange are ignored.
    func process(_ descriptor: Int32, isReadable: Bool, isWritable: Bool) {
        guard let interest = sockets.interests[descriptor] else { return }
        if isWritable, interest.isWriting { channel?.process(writing: descriptor) }
        if isReadable, sockets.interests[descriptor]?.isReading == true { channel?.process(reading: descriptor) }
    }

    /// Closes the sockets, and returns the attempts made on them.
    func end(_ reason: DNSFailure? = nil) -> [DNSAttempt] {
        let failure = reason ?? failure ?? Self.failure(sockets.status ?? .timeout, order)
        let journal = sockets.journal
        channel = nil
        return journal.attempts(failure)
    }

    private static func failure(_ status: CAresStatus, _ order: CAresOrder) -> DNSFailure {
        switch status {
        case .timeout, .success: .late
        case .badName, .badQuery, .notFound: DNSFailure(.badQuery, "c-ares does not ask for \(order.name): \(status)")
        default: DNSFailure(.backendError, "c-ares gave up: \(status)")
        }
    }
}
