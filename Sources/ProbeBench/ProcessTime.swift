import CoreFoundation
import ProbePlatform

/// The processor time of the whole process: a probe's work is done on several threads.
enum ProcessTime {
    /// Nanoseconds since the process began.
    static var nanoseconds: Int {
        var now = timespec()
        let result = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
        precondition(result == 0, "this system has no clock of a process's time")
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}
