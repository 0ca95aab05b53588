package import ProbeKit
import ProbeNet
import ProbePlatform

/// Plays a case again if it failed while this process was late with its own work: what was seen is then no word about the
/// backend.
///
/// The backend gets more time in each further play, unless the promise is about time. A failure that a process on time has
/// seen stands at once, and so does one of the last play.
package struct Replay {
    /// A result, and the time that the process lost while it came about.
    package struct Played<Result> {
        let result: Result
        /// True if the case failed, and may have done so for want of time.
        let mayBeOurs: Bool

        package init(_ result: Result, _ outcome: Outcome, failure: String?, lost: Duration) {
            self.result = result
            let isLate = lost > Replay.negligible || outcome == .localOverload
            mayBeOurs = failure != nil && isLate && !Replay.neverOurs.contains(outcome)
        }
    }

    /// The share of the case's own time limit that the plays have.
    private static let patience = [1, 4, 16]
    /// The outcomes that no lack of time brings about: a program that crashes or lies every third time is to be found out.
    private static let neverOurs: Set<Outcome> = [.internalError, .stacksDisagree, .readingsDisagree]
    /// The time that a process may lose without any effect on a case.
    private static let negligible = Duration.milliseconds(50)

    /// The time limit of the first play.
    let timeout: Duration
    /// True if a longer time limit would be another promise.
    let isAboutTime: Bool
    /// Called with the time limit of each further play before it begins.
    let extend: @Sendable (Duration) -> Void

    package init(timeout: Duration, isAboutTime: Bool, extend: @escaping @Sendable (Duration) -> Void) {
        self.timeout = timeout
        self.isAboutTime = isAboutTime
        self.extend = extend
    }

    /// Plays until a result stands.
    ///
    /// - Parameter play: plays the case within a time limit.
    package func run<Result>(_ play: (Duration) async throws -> Played<Result>) async throws -> Result {
        var played = try await play(timeout)
        for patience in Self.patience.dropFirst() {
            guard played.mayBeOurs, !Task.isCancelled else { break }
            let limit = isAboutTime ? timeout : timeout * patience
            extend(limit)
            played = try await play(limit)
        }
        return played.result
    }

    /// Runs an operation, and measures the time that the process lost meanwhile: what its event loops and Swift's threads
    /// were late, or what a thread of a library's own waited for a processor, if that is more.
    package static func measured<Value: Sendable>(
        _ operation: @Sendable () async -> Value
    ) async -> (value: Value, lost: Duration) {
        let start = ThreadWaits.now
        let (value, lost) = await ProcessLateness.shared.measure(operation)
        return (value, max(lost, ThreadWaits.now.longest(since: start)))
    }
}
