import Dispatch
import ProbeKit
import ProbeNet
import ProbePlatform
import Synchronization

/// Drives c-ares for one resolver: all exchanges on one thread, which exists while there are any.
///
/// Channels are not thread-safe, so they are made, used and destroyed on that thread alone.
final class CAresLoop: Sendable {
    private struct Job {
        let order: CAresOrder
        let isCancelled: CancelMark
        let continuation: CheckedContinuation<[DNSAttempt], Never>
    }

    private struct State {
        var arriving: [Job] = []
        var isRunning = false
    }

    /// Set by the task, read by the loop.
    private final class CancelMark: Sendable {
        let isSet = Atomic(false)
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "probe.resolver.cares")
    private let event = EventDescriptor()

    /// Asks, and returns the attempts in order, never none. When it returns, every socket is closed; that is at the deadline at the latest, or when the task is cancelled.
    func run(_ order: CAresOrder) async -> [DNSAttempt] {
        let mark = CancelMark()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { submit(Job(order: order, isCancelled: mark, continuation: $0)) }
        } onCancel: {
            mark.isSet.store(true, ordering: .relaxed)
            event.ring()
        }
    }

    private func submit(_ job: Job) {
        let isRunning = state.withLock { state in
            state.arriving.append(job)
            defer { state.isRunning = true }
            return state.isRunning
        }
        if isRunning { event.ring() } else { queue.async { self.run() } }
    }

    /// Runs the thread until there are no jobs left.
    private func run() {
        var active: [(job: Job, exchange: CAresExchange)] = []
        while let arrived = arrivals(hasWork: !active.isEmpty) {
            active += arrived.map { ($0, CAresExchange($0.order)) }
            active.removeAll { Self.conclude($0.job, $0.exchange) }
            guard !active.isEmpty else { continue }
            wait(for: active.map(\.exchange))
        }
    }

    /// Returns the jobs that have arrived; nil ends the thread.
    private func arrivals(hasWork: Bool) -> [Job]? {
        state.withLock { state in
            guard hasWork || !state.arriving.isEmpty else {
                state.isRunning = false
                return nil
            }
            defer { state.arriving = [] }
            return state.arriving
        }
    }

    /// Delivers the attempts of a finished exchange, and returns true if it is finished.
    private static func conclude(_ job: Job, _ exchange: CAresExchange) -> Bool {
        if job.isCancelled.isSet.load(ordering: .relaxed) {
            job.continuation.resume(returning: exchange.end(.cancelled))
            return true
        }
        guard exchange.isDone else { return false }
        job.continuation.resume(returning: exchange.end())
        return true
    }

    private func wait(for exchanges: [CAresExchange]) {
        var events = [pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)]
        var owners: [CAresExchange] = []
        for exchange in exchanges {
            for (descriptor, interest) in exchange.interests {
                let wanted = (interest.isReading ? POLLIN : 0) | (interest.isWriting ? POLLOUT : 0)
                events.append(pollfd(fd: descriptor, events: Int16(wanted), revents: 0))
                owners.append(exchange)
            }
        }
        let patience = exchanges.map(\.timeout).min() ?? .zero
        let limit = Int32(clamping: patience.millisecondsRoundedUp)
        let count = unsafe poll(&events, nfds_t(events.count), min(limit, event.blindness ?? limit))
        if count > 0 {
            if events[0].revents != 0 { event.silence() }
            for (event, exchange) in zip(events.dropFirst(), owners) where event.revents != 0 {
                let failed = Int32(event.revents) & (POLLERR | POLLHUP) != 0
                exchange.process(
                    event.fd, isReadable: failed || Int32(event.revents) & POLLIN != 0,
                    isWritable: failed || Int32(event.revents) & POLLOUT != 0)
            }
        }
        for exchange in exchanges { exchange.process() }
    }
}

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
        let failure = reason ?? failure ?? sockets.opening ?? Self.failure(sockets.status ?? .timeout, order)
        let journal = sockets.journal
        channel = nil
        return journal.attempts(failure)
    }

    private static func failure(_ status: CAresStatus, _ order: CAresOrder) -> DNSFailure {
        switch status {
        case .timeout, .success: .late
        case .badName, .badQuery, .notFound:
            DNSFailure(.badQuery, "c-ares does not ask for \(order.name): \(status)", cause: .unaskedName)
        default: DNSFailure(.backendError, "c-ares gave up: \(status)")
        }
    }
}
