import CoreFoundation
import Dispatch
import Foundation

/// Eight threads for each processor, which work and then stay until they are sent home.
public final class Crowd: Sendable {
    private let size = 8 * ProcessInfo.processInfo.activeProcessorCount
    private let leave = DispatchSemaphore(value: 0)
    private let (ends, end) = AsyncStream.makeStream(of: Void.self)

    /// Creates a crowd that has not come yet.
    public init() {}

    /// Has each of the threads work for so much processor time, and returns at once.
    public func come(toWorkFor time: Duration) {
        for _ in 0..<size {
            Thread.detachNewThread { [leave, end] in
                Self.work(for: time)
                end.yield()
                leave.wait()
            }
        }
    }

    /// Waits until all have worked.
    public func isDone() async {
        var left = size
        for await _ in ends {
            left -= 1
            if left == 0 { break }
        }
    }

    /// Lets the threads end.
    public func goHome() {
        for _ in 0..<size { leave.signal() }
    }

    /// Keeps a processor busy until the calling thread has had so much of one.
    public static func work(for time: Duration) {
        let end = processorTime + time
        while processorTime < end {}
    }

    private static var processorTime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
