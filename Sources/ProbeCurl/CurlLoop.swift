import CProbeCurl
import ProbeKit
import ProbePlatform
import Synchronization

/// The thread's side of ``CurlMulti``: everything here runs on that thread, and every libcurl call but the wake-up is here.
final class CurlLoop {
    private let handle: CurlMultiHandle
    private let inbox: CurlInbox
    private let lateness: CurlLateness
    /// The running transfers, by the address of their easy handles.
    private var active: [UInt: CurlActive] = [:]
    /// The transfers that libcurl has finished and that still read from their peers, by the same address.
    private var listening: [UInt: Listening] = [:]

    private struct Listening {
        let socket: CInt
        let code: CURLcode
        let end: ContinuousClock.Instant
    }

    init(_ handle: CurlMultiHandle, _ inbox: CurlInbox, _ lateness: CurlLateness) {
        self.handle = handle
        self.inbox = inbox
        self.lateness = lateness
    }

    /// Works until it is stopped.
    func run() {
        var isStopped = false
        lateness.attach()
        while !isStopped {
            lateness.beginTurn()
            for command in inbox.take() {
                switch command {
                case .start(let job): start(job)
                case .cancel(let ticket): cancel(ticket)
                case .answer: break
                case .stop: isStopped = true
                }
            }
            let status = handle.advance()
            if status != CURLM_OK { for key in active.keys { end(key, .broken(CurlMultiError(code: status))) } }
            while let (easy, code) = unsafe handle.nextDone() {
                conclude(unsafe Self.key(easy), code)
            }
            listen()
            lateness.endTurn()
            // libcurl's own timers and the wake-up end the wait; the limit is for a clock that jumps.
            if !isStopped { handle.wait(milliseconds: patience, reading: listening.values.map(\.socket)) }
        }
        for key in active.keys { end(key, .cancelled) }
    }

    private func start(_ job: CurlJob) {
        guard let transfer = job.begin() else { return }
        guard !job.ticket.isCancelled else { return transfer.conclude(.cancelled)() }
        let status = handle.add(transfer.easy)
        guard status == CURLM_OK else { return transfer.conclude(.broken(CurlMultiError(code: status)))() }
        active[unsafe Self.key(transfer.easy.pointer)] = transfer
    }

    private func cancel(_ ticket: CurlTicket) {
        guard let key = active.first(where: { $0.value.ticket === ticket })?.key else { return }
        end(key, .cancelled)
    }

    /// Ends a transfer that libcurl has finished, unless it still reads from its peer.
    private func conclude(_ key: UInt, _ code: CURLcode) {
        guard let transfer = active[key], let patience = transfer.patience(code), let socket = transfer.easy.openSocket
        else { return end(key, .done(code)) }
        listening[key] = Listening(socket: socket, code: code, end: .now + patience)
    }

    private func listen() {
        for (key, listener) in listening where active[key]?.readFromPeer() ?? true || listener.end <= .now {
            end(key, .done(listener.code))
        }
    }

    /// The milliseconds until the first one has listened long enough.
    private var patience: CInt {
        let limit = CInt(10_000)
        guard let end = listening.values.map(\.end).min() else { return limit }
        return min(max(CInt(clamping: (end - .now).millisecondsRoundedUp), 0), limit)
    }

    /// Ends one transfer: takes its outcome, closes its connection, and resumes its caller.
    private func end(_ key: UInt, _ end: CurlEnd) {
        listening[key] = nil
        guard let transfer = active.removeValue(forKey: key) else { return }
        let resume = transfer.conclude(end)
        handle.remove(transfer.easy)
        resume()
    }

    private static func key(_ easy: UnsafeMutableRawPointer) -> UInt { UInt(bitPattern: easy) }
}

/// The jobs of the thread, in order.
final class CurlInbox: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlTicket)
        /// Nothing, but to be taken up.
        case answer
        case stop
    }

    private let commands = Mutex<[Command]>([])

    func post(_ command: Command) {
        commands.withLock { $0.append(command) }
    }

    var isEmpty: Bool { commands.withLock(\.isEmpty) }

    func take() -> [Command] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}

/// The lateness of libcurl's thread: the time for which transfers waited behind others, and the thread's own.
final class CurlLateness: Sendable {
    private let state = Mutex((lost: Duration.zero, began: ContinuousClock.Instant?.none))
    /// The time a turn may take without anybody being slow.
    private static let tolerance = Duration.milliseconds(10)
    /// The kernel's number of the thread, once it runs.
    private let thread = Mutex(Int?.none)

    /// Called on the thread before its first turn.
    func attach() {
        thread.withLock { $0 = cprobe_thread_number() }
    }

    /// The thread's time so far. One that has not begun yet waits for a processor.
    var time: ThreadTime {
        thread.withLock { $0 }.map { ThreadTime.now(ofThread: $0) }
            ?? ThreadTime(at: .now, worked: .zero, waited: .zero, isRunnable: true)
    }

    /// The time lost so far, in the turn under way too.
    var lost: Duration {
        state.withLock { $0.lost + Self.lost(since: $0.began) }
    }

    func beginTurn() { state.withLock { $0.began = .now } }

    func endTurn() {
        state.withLock { state in
            state.lost += Self.lost(since: state.began)
            state.began = nil
        }
    }

    private static func lost(since began: ContinuousClock.Instant?) -> Duration {
        began.map { max(.zero, $0.duration(to: .now) - tolerance) } ?? .zero
    }
}
