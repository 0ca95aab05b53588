import ProbeKit
import Synchronization

/// The faults after which a program was started anew. Most requests that were under way are asked again and show nothing of them.
final class ProgramLosses: Sendable {
    /// The number of different faults that are quoted.
    private static let quoted = 3

    private struct State {
        var count = 0
        /// The first ones, each once.
        var causes: [String] = []
        /// True if there were others than these.
        var hasMore = false
    }

    private let state = Mutex(State())

    /// Counts a fault.
    func add(_ fault: ProgramFault) {
        state.withLock { state in
            state.count += 1
            guard !state.causes.contains(fault.description) else { return }
            guard state.causes.count < Self.quoted else {
                state.hasMore = true
                return
            }
            state.causes.append(fault.description)
        }
    }

    /// The number of faults with the first causes, in one sentence; nil if there were none.
    var sentence: String? {
        state.withLock { state in
            guard state.count > 0 else { return nil }
            let causes = (state.causes + (state.hasMore ? ["and others"] : [])).joined(separator: "; ")
            return "its program was lost \(state.count.counted("time")): \(causes)"
        }
    }
}
