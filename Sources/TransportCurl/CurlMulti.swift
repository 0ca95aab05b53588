import CProbeCurl
import Glibc
import ProbeKit

/// Hands handshakes to the one thread that runs libcurl's multi interface, and waits for what comes of them.
///
/// The thread ends when the last reference to this goes; no handshake is under way then, since each holds one.
final class CurlMulti: Sendable {
    private let handle: CurlMultiHandle
    private let inbox = CurlInbox()

    init() throws(HandshakeFailure) {
        do throws(CurlError) {
            handle = try CurlMultiHandle()
        } catch {
            throw error.backendFailure
        }
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
            throw HandshakeFailure(.backendError, "there is no thread for libcurl", nativeCode: "errno \(status)")
        }
        pthread_detach(thread)
    }

    deinit {
        inbox.post(.stop)
        handle.wake()
    }

    /// Runs one handshake. It returns by the request's deadline, and at once when the task is cancelled.
    func run(_ request: HandshakeRequest, confirming pin: PinDigest?) async -> CurlHandshake.Outcome {
        let ticket = CurlTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                post(.start(CurlJob(request: request, pin: pin, ticket: ticket, continuation: continuation)))
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
