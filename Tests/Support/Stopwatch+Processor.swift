import CoreFoundation
import Dispatch
import Synchronization

/// Bounds for code that computes: what else the machine runs does not count.
extension Stopwatch {
    /// Returns the processor time that this thread needs for a body.
    public static func processorTime(_ body: () throws -> Void) rethrows -> Duration {
        let start = thread
        try body()
        return thread - start
    }

    /// Returns the processor time that a body needs, on whatever threads it goes on after it waited. What it starts with
    /// `Task {}` is left out.
    public static func processorTimeOfTask(_ body: @concurrent () async throws -> Void) async rethrows -> Duration {
        let executor = MeasuringExecutor()
        try await withTaskExecutorPreference(executor) { try await body() }
        return executor.used
    }

    fileprivate static var thread: Duration {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 else { return .zero }
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }
}

/// Runs the parts of a task one after the other, and adds up their processor time.
private final class MeasuringExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "probe.test.stopwatch")
    private let total = Mutex(Duration.zero)

    /// The processor time of all parts that were begun.
    var used: Duration { queue.sync { total.withLock(\.self) } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            let start = Stopwatch.thread
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            let end = Stopwatch.thread
            total.withLock { $0 += end - start }
        }
    }
}
