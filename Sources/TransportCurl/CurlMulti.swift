import CProbeCurl
import Glibc
import ProbeKit
import Synchronization
import TransportOpenSSL

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

/// A handshake that someone waits for.
struct CurlJob: Sendable {
    let request: HandshakeRequest
    let pin: PinDigest?
    let ticket: CurlTicket
    let continuation: CheckedContinuation<CurlHandshake.Outcome, Never>
}

/// Tells a handshake from others, and whether it is still wanted: the cancellation may come before the start.
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
