/// The time that a program and this process had so far, as Linux counts it for each of their threads.
///
/// A program that is waited for does not get to its answer while it waits for a processor, and its answer is not read while
/// this process does.
package struct ProgramTime: Sendable {
    private let instant: ContinuousClock.Instant
    private let threads: [String: ThreadTime]
    private let waits: ThreadWaits

    /// Reads the times of a program, by its process's number. Where the kernel does not count, all time is its own.
    package static func now(ofProcess process: Int32) -> ProgramTime {
        let (instant, folder) = (ContinuousClock.now, ThreadWaits.folder(ofProcess: "\(process)"))
        let threads = ThreadWaits.threads(in: folder).map { ($0, ThreadTime.now(ofThread: $0, in: folder)) }
        return ProgramTime(
            instant: instant, threads: Dictionary(threads) { first, _ in first }, waits: ThreadWaits.now)
    }

    /// Returns the time of a program that is about to start.
    package static var ofNone: ProgramTime { ProgramTime(instant: .now, threads: [:], waits: .now) }

    /// The age of this reading.
    package var age: Duration { instant.duration(to: .now) }

    /// Returns the time that the program had for its work since then: without what the thread lost that waited the longest, in
    /// waits that are over.
    package func own(since start: ProgramTime) -> Duration {
        let lost = threads.map { $0.value.waited(since: start.threads[$0.key]) }.max() ?? .zero
        return start.instant.duration(to: instant) - max(lost, waits.longest(since: start.waits))
    }

    /// Returns true if one of the program's threads has waited for a processor all the time since then: the kernel counts a wait
    /// when it is over.
    package func isWaiting(since last: ProgramTime) -> Bool {
        threads.contains { id, time in last.threads[id].map(time.isWaiting) ?? false }
    }
}
