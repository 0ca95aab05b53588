import Glibc
import Synchronization

/// Hands transfers to the one thread that runs libcurl's multi interface, and waits for what comes of them.
///
/// The thread ends when the last reference to this goes; no transfer is under way then, since each holds one.
package final class CurlMulti: Sendable {
    private let handle: CurlMultiHandle
    private let inbox = CurlInbox()

    package init() throws(CurlError) {
        handle = try CurlMultiHandle()
        let loop = unsafe Unmanaged.passRetained(CurlLoop(handle, inbox))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
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
        inbox.post(.stop)
        handle.wake()
    }

    /// Runs one transfer. It returns when libcurl is done with it, and at once when the task is cancelled.
    ///
    /// - Parameter begin: sets the transfer up; called once, on the thread, even where the task is cancelled already.
    package func run<Transfer: CurlTransfer>(
        _ begin: @escaping @Sendable () -> CurlStart<Transfer>
    ) async -> Transfer.Outcome {
        let ticket = CurlTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                post(
                    .start(
                        CurlJob(ticket: ticket) {
                            switch begin() {
                            case .over(let outcome):
                                continuation.resume(returning: outcome)
                                return nil
                            case .begun(let transfer):
                                return CurlActive(ticket: ticket, easy: transfer.easy) { end in
                                    let outcome = transfer.finish(end)
                                    return { continuation.resume(returning: outcome) }
                                }
                            }
                        }))
            }
        } onCancel: {
            ticket.cancel()
            post(.cancel(ticket))
        }
    }

    private func post(_ command: CurlInbox.Command) {
        inbox.post(command)
        handle.wake()
    }
}

/// A transfer that someone waits for, not yet set up.
struct CurlJob: Sendable {
    let ticket: CurlTicket
    /// Sets it up; nil where it is over before it began.
    let begin: @Sendable () -> CurlActive?
}

/// A transfer that is set up, whatever its kind.
struct CurlActive {
    let ticket: CurlTicket
    let easy: CurlEasy
    /// Takes what came of it; what is returned lets whoever waits for it go on.
    let conclude: (CurlEnd) -> () -> Void
}

/// Tells a transfer from others, and whether it is still wanted: the cancellation may come before the start.
final class CurlTicket: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() {
        cancelled.store(true, ordering: .releasing)
    }
}

/// What the thread is asked to do, in order.
final class CurlInbox: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlTicket)
        case stop
    }

    private let commands = Mutex<[Command]>([])

    func post(_ command: Command) {
        commands.withLock { $0.append(command) }
    }

    func take() -> [Command] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}
