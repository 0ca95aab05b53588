import CProbeCurl
package import ProbeKit
import ProbePlatform
import Synchronization

/// Passes transfers to a thread that runs libcurl's multi interface, and waits for their results.
///
/// All share one thread. One that does not return from libcurl is left behind and replaced: its transfers are reported as
/// overdue, and later ones have a thread that works. The thread ends when the last reference to this object is released; no
/// transfer is in progress then, since each has one.
package final class CurlMulti: Sendable {
    private let thread: Mutex<CurlThread>
    private let grace: Duration

    /// Starts the thread.
    ///
    /// - Parameter grace: how long the thread may take beyond a deadline, which libcurl itself keeps, before it is asked
    ///   whether it still works, and then for its answer.
    package init(grace: Duration = .seconds(2)) throws(CurlError) {
        try CurlLibrary.prepare()
        thread = Mutex(try CurlThread())
        self.grace = grace
    }

    /// Runs one transfer. Returns when libcurl has finished it, or immediately when the task is cancelled.
    ///
    /// - Parameters:
    ///   - deadline: when libcurl gives up by itself.
    ///   - overdue: the outcome if the thread did not return by then.
    ///   - begin: sets the transfer up; called once at most, on the thread, even if the task is cancelled already.
    package func run<Transfer: CurlTransfer>(
        by deadline: Deadline, overdue: @escaping @Sendable () -> Transfer.Outcome,
        _ begin: @escaping @Sendable () -> CurlStart<Transfer>
    ) async -> Transfer.Outcome {
        let (ticket, reply) = (CurlTicket(), CurlReply<Transfer.Outcome>())
        let thread = thread.withLock { $0 }
        let watchdog = Task {
            guard await isStuck(thread, after: deadline) else { return }
            ticket.cancel()
            if reply.give(overdue()) { replace(thread) }
        }
        defer { watchdog.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reply.await(continuation)
                thread.post(.start(Self.job(ticket, reply, begin)))
            }
        } onCancel: {
            ticket.cancel()
            thread.post(.cancel(ticket))
        }
    }

    /// The time for which transfers waited behind others so far.
    package var lost: Duration { thread.withLock { $0 }.lost }

    private static func job<Transfer: CurlTransfer>(
        _ ticket: CurlTicket, _ reply: CurlReply<Transfer.Outcome>,
        _ begin: @escaping @Sendable () -> CurlStart<Transfer>
    ) -> CurlJob {
        CurlJob(ticket: ticket) {
            switch begin() {
            case .over(let outcome):
                reply.give(outcome)
                return nil
            case .begun(let transfer):
                return CurlActive(
                    ticket: ticket, easy: transfer.easy, patience: transfer.patience,
                    readFromPeer: transfer.readFromPeer
                ) { end in
                    let outcome = transfer.finish(end)
                    return { reply.give(outcome) }
                }
            }
        }
    }

    /// Waits until the thread has answered nothing within the grace, after the deadline and the same again; false when the
    /// task is cancelled, which the end of its transfer does.
    ///
    /// The grace is the thread's own time: a thread that waits for a processor is not stuck.
    private func isStuck(_ thread: CurlThread, after deadline: Deadline) async -> Bool {
        guard (try? await Task.sleep(until: deadline.instant + grace)) != nil else { return false }
        var asked = thread.ask()
        while (try? await Task.sleep(for: grace)) != nil {
            if thread.isResponsive {
                asked = thread.ask()
            } else if thread.time.own(since: asked) >= grace {
                return true
            }
        }
        return false
    }

    private func replace(_ stuck: CurlThread) {
        thread.withLock { thread in
            // Without another there is still this one, which may come back.
            if thread === stuck, let other = try? CurlThread() { thread = other }
        }
    }
}

/// The outcome of a transfer, given once: by libcurl's thread, or by whoever waited for it in vain.
private final class CurlReply<Outcome: Sendable>: Sendable {
    private let continuation = Mutex<CheckedContinuation<Outcome, Never>?>(nil)

    func await(_ continuation: CheckedContinuation<Outcome, Never>) {
        self.continuation.withLock { $0 = continuation }
    }

    /// Returns true if it was waited for.
    @discardableResult func give(_ outcome: Outcome) -> Bool {
        guard let continuation = continuation.withLock({ $0.take() }) else { return false }
        continuation.resume(returning: outcome)
        return true
    }
}

/// The one thread that runs a multi handle of libcurl's, and the way to it. It ends when the last reference to this goes.
final class CurlThread: Sendable {
    private let handle: CurlMultiHandle
    private let inbox = CurlInbox()
    private let lateness = CurlLateness()

    init() throws(CurlError) {
        handle = try CurlMultiHandle()
        let loop = unsafe Unmanaged.passRetained(CurlLoop(handle, inbox, lateness))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                unsafe cprobe_name_thread("probe-curl")
                // The thread takes over the reference that was retained for it.
                if let argument = unsafe argument {
                    unsafe Unmanaged<CurlLoop>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, loop.toOpaque())
        guard status == 0 else {
            unsafe loop.release()
            throw CurlError.withoutThread(status)
        }
        pthread_detach(thread)
    }

    deinit {
        post(.stop)
    }

    /// The time for which sockets and timers waited behind others' work so far.
    var lost: Duration { lateness.lost }

    /// Has the thread do something, at once if it waits for sockets.
    func post(_ command: CurlInbox.Command) {
        inbox.post(command)
        handle.wake()
    }

    /// True if everything posted so far was taken up. A thread that stays inside libcurl takes nothing.
    var isResponsive: Bool { inbox.isEmpty }

    /// Asks whether it still works, and returns its time when it was asked.
    func ask() -> ThreadTime {
        post(.answer)
        return time
    }

    /// Its time so far.
    var time: ThreadTime { lateness.time }
}
