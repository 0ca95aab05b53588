import CoreFoundation
import ProbePlatform

/// The processor time of the calling thread, independent of other work on the machine.
enum ThreadTime {
    /// Nanoseconds since the thread began.
    static var nanoseconds: Int {
        var now = timespec()
        let result = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        precondition(result == 0, "this system has no clock of a thread's time")
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
