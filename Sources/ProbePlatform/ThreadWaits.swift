/// The time for which each thread of this process has waited for a processor so far, as Linux counts it (`schedstat` in its
/// documentation of the scheduler). None are known elsewhere, and where the kernel does not count.
package struct ThreadWaits: Sendable {
    private static let folder = "/proc/self/task"
    private let waits: [String: Duration]

    package static var now: ThreadWaits {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let waits = threads.map { ($0, Self.wait(ofThread: $0)) }
        return ThreadWaits(waits: Dictionary(waits.map { ($0.0, $0.1 ?? .zero) }) { first, _ in first })
    }

    /// Returns the longest that one thread waited since then: no work that goes from thread to thread lost less.
    package func longest(since start: ThreadWaits) -> Duration {
        waits.map { $0.value - (start.waits[$0.key] ?? .zero) }.max() ?? .zero
    }

    /// Returns how long a thread of this process waited so far, by the kernel's number for it; nil if it is over or the
    /// kernel does not count.
    package static func wait(ofThread thread: String) -> Duration? {
        (try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)).flatMap { wait(in: $0) }
    }

    /// Reads the second of the three numbers: the time spent on a processor, the time spent waiting for one, both in
    /// nanoseconds, and how often it got one.
    package static func wait(in text: String) -> Duration? {
        let fields = text.split(separator: " ")
        guard fields.count == 3 else { return nil }
        return Int64(fields[1]).map { .nanoseconds($0) }
    }
}
