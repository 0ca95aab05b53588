import CoreFoundation
import ProbePlatform

/// A thread for blocking work; it ends with its work.
enum DetachedThread {
    private final class Work {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }

        /// Does the work that was retained for the thread.
        static func run(_ work: UnsafeMutableRawPointer?) {
            if let work = unsafe work { unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
        }
    }

    /// Enough for getaddrinfo with any of its modules, and a sixteenth of a thread's default.
    private static let stackBytes = 512 << 10

    /// Starts a thread.
    ///
    /// - Returns: true if it was started; the system may be out of threads.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        let work = unsafe Unmanaged.passRetained(Work(run))
        var thread = Platform.thread
        let status = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                unsafe Work.run(argument)
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            unsafe work.release()
            return false
        }
        return true
    }
}
