import CProbeCurl
import Glibc

/// Passes transfers to the one thread that runs libcurl's multi interface, and waits for their results.
///
/// The thread ends when the last reference to this object is released; no transfer is in progress then, since each has
/// one.
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
        inbox.post(.stop)
        handle.wake()
    }

    /// Runs one transfer. Returns when libcurl has finished it, or immediately when the task is cancelled.
    ///
    /// - Parameter begin: sets the transfer up; called once, on the thread, even if the task is cancelled already.
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
                                return CurlActive(
                                    ticket: ticket, easy: transfer.easy, patience: transfer.patience,
                                    hear: transfer.hear
                                ) { end in
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
