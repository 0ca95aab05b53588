import CProbeCurl
import ProbePlatform

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

    /// Whether everything posted so far was taken up. A thread that stays inside libcurl takes nothing.
    var isResponsive: Bool { inbox.isEmpty }
}
