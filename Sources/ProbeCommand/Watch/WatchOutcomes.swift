import ProbeKit
import ProbeRun
import Synchronization

/// The last outcomes of a watch that goes on.
final class WatchOutcomes: Sendable {
    private let subjects: Int
    private let known = Mutex<[WatchSubject: Outcome]>([:])

    /// - Parameter subjects: the number of watched subjects.
    init(of subjects: Int) { self.subjects = subjects }

    /// Replaces the outcome of a subject.
    func put(_ outcome: Outcome, of subject: WatchSubject) { known.withLock { $0[subject] = outcome } }

    /// True once each subject has an outcome.
    var areComplete: Bool { known.withLock { $0.count == subjects } }

    /// Returns the exit code of a watch that ends now.
    ///
    /// - Parameter signal: the signal that ends it; nil if it ends by itself.
    func exitCode(after signal: Int32?) -> Int32 {
        let outcomes = known.withLock { Array($0.values) }
        // A signal before the end of the first round leaves subjects of which nothing is known: no verdict.
        if outcomes.count < subjects, let signal { return 128 + signal }
        return Outcome.deciding(among: outcomes).exitCode
    }
}
