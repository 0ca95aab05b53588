/// The time for which each thread of this process has waited for a processor so far, as Linux counts it (`schedstat` in its
/// documentation of the scheduler). None are known elsewhere, and where the kernel does not count.
package struct ThreadWaits: Sendable {
    static let folder = folder(ofProcess: "self")
    private let waits: [String: Duration]

    /// The folder with an entry for each thread of a process.
    static func folder(ofProcess process: String) -> String { "/proc/\(process)/task" }

    /// Returns the kernel's numbers of a folder's threads.
    static func threads(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    package static var now: ThreadWaits {
        let waits = threads(in: folder).map { ($0, times(ofThread: $0)?.waited ?? .zero) }
        return ThreadWaits(waits: Dictionary(waits) { first, _ in first })
    }

    /// Returns the longest that one thread waited since then: no work that goes from thread to thread lost less.
    package func longest(since start: ThreadWaits) -> Duration {
        waits.map { $0.value - (start.waits[$0.key] ?? .zero) }.max() ?? .zero
    }

    /// Returns how long a thread worked and waited so far, by the kernel's number for it; nil if it is over or the kernel
    /// does not count.
    ///
    /// - Parameter folder: the threads of its process.
    static func times(
        ofThread thread: String, in folder: String = folder
    ) -> (worked: Duration, waited: Duration)? {
        SystemFile.text(at: "\(folder)/\(thread)/schedstat").flatMap { times(in: $0) }
    }

    /// Reads the first two of three numbers: the time spent on a processor, the time spent waiting for one, both in
    /// nanoseconds, and how often it got one.
    package static func times(in text: String) -> (worked: Duration, waited: Duration)? {
        let fields = text.split(separator: " ")
        guard fields.count == 3, let worked = Int64(fields[0]), let waited = Int64(fields[1]) else { return nil }
        return (.nanoseconds(worked), .nanoseconds(waited))
    }
}
