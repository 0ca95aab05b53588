/// The time for which each thread of this process has waited for a processor so far, as Linux counts it (`schedstat` in its
/// documentation of the scheduler). None are known elsewhere, and where the kernel does not count.
package struct ThreadWaits: Sendable {
    static let folder = "/proc/self/task"
    private let waits: [String: Duration]

    package static var now: ThreadWaits {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let waits = threads.map { ($0, times(ofThread: $0)?.waited ?? .zero) }
        return ThreadWaits(waits: Dictionary(waits) { first, _ in first })
    }

    /// Returns the longest that one thread waited since then: no work that goes from thread to thread lost less.
    package func longest(since start: ThreadWaits) -> Duration {
        waits.map { $0.value - (start.waits[$0.key] ?? .zero) }.max() ?? .zero
    }

    /// Returns how long a thread of this process worked and waited so far, by the kernel's number for it; nil if it is over
    /// or the kernel does not count.
    static func times(ofThread thread: String) -> (worked: Duration, waited: Duration)? {
        (try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)).flatMap { times(in: $0) }
    }

    /// Reads the first two of three numbers: the time spent on a processor, the time spent waiting for one, both in
    /// nanoseconds, and how often it got one.
    package static func times(in text: String) -> (worked: Duration, waited: Duration)? {
        let fields = text.split(separator: " ")
        guard fields.count == 3, let worked = Int64(fields[0]), let waited = Int64(fields[1]) else { return nil }
        return (.nanoseconds(worked), .nanoseconds(waited))
    }
}
