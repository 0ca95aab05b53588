/// The time of a thread so far, working and waiting, as Linux counts it (`schedstat` in its documentation of the
/// scheduler).
package struct ThreadTime: Sendable {
    private let instant: ContinuousClock.Instant
    /// The time on a processor.
    private let worked: Duration
    /// The time spent waiting for one, without the wait under way.
    private let waited: Duration
    /// True if it works, or waits for a processor.
    private let isRunnable: Bool

    package init(at instant: ContinuousClock.Instant, worked: Duration, waited: Duration, isRunnable: Bool) {
        self.instant = instant
        self.worked = worked
        self.waited = waited
        self.isRunnable = isRunnable
    }

    /// Reads the times of a thread of this process, by the kernel's number for it. Where the kernel does not count, all time
    /// is its own.
    package static func now(ofThread thread: Int) -> ThreadTime { now(ofThread: "\(thread)", in: ThreadWaits.folder) }

    /// - Parameter folder: the threads of its process.
    package static func now(ofThread thread: String, in folder: String) -> ThreadTime {
        let instant = ContinuousClock.now
        guard let times = ThreadWaits.times(ofThread: thread, in: folder),
            let status = SystemFile.text(at: "\(folder)/\(thread)/stat")
        else { return ThreadTime(at: instant, worked: .zero, waited: .zero, isRunnable: false) }
        // The name before the state may have any byte in it, and be cut within a character.
        let state = status.lastIndex(of: ")").flatMap { status[$0...].dropFirst(2).first }
        return ThreadTime(at: instant, worked: times.worked, waited: times.waited, isRunnable: state == "R")
    }

    /// Returns the time that the thread had of its own since then. One that is ready to work may have waited all the time
    /// without having worked: the kernel counts a wait when it is over.
    package func own(since start: ThreadTime) -> Duration {
        isRunnable ? worked - start.worked : start.instant.duration(to: instant) - (waited - start.waited)
    }

    /// Returns how long the thread waited since then in waits that are over.
    func waited(since start: ThreadTime?) -> Duration { waited - (start?.waited ?? .zero) }

    /// Returns true if the thread was ready to work then and still is, without having worked.
    func isWaiting(since last: ThreadTime) -> Bool { isRunnable && last.isRunnable && worked == last.worked }
}
