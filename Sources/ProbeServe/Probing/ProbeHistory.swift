import Synchronization

/// The last probes and what they did, for people. Failures stay longer: twice as many are kept.
final class ProbeHistory: Sendable {
    /// One probe.
    struct Entry: Sendable {
        let id: Int
        let module: String
        let target: String
        let isSuccess: Bool
        let text: String
    }

    private struct State {
        var last = 0
        var entries: [Entry] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// The probes that are kept, the last one first.
    var entries: [Entry] { state.withLock { $0.entries.reversed() } }

    subscript(id: Int) -> Entry? { state.withLock { $0.entries.first { $0.id == id } } }

    func add(module: String, target: String, isSuccess: Bool, text: String) {
        guard limit > 0 else { return }
        state.withLock { state in
            state.last += 1
            state.entries.append(
                Entry(id: state.last, module: module, target: target, isSuccess: isSuccess, text: text))
            for kept in [true, false] where state.entries.count(where: { $0.isSuccess == kept }) > limit {
                if let oldest = state.entries.firstIndex(where: { $0.isSuccess == kept }) {
                    state.entries.remove(at: oldest)
                }
            }
        }
    }
}
