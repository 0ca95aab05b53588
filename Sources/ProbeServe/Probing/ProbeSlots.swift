import ProbeKit
import Synchronization

/// Bounds how many probes run at once: the others wait, first come, first served, for as long as their scrapers do.
final class ProbeSlots: Sendable {
    private struct State {
        var free: Int
        var last = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let limit: Int
    private let state: Mutex<State>

    init(_ limit: Int) {
        self.limit = limit
        state = Mutex(State(free: limit))
    }

    /// The numbers of probes that run and that wait.
    var load: (running: Int, waiting: Int) { state.withLock { (limit - $0.free, $0.waiting.count) } }

    /// The refusal of a probe that got no place, or one too late to ask a server.
    var refusal: ServeRefusal { ServeRefusal(.busy, "\(limit) probes are running, and none ended in time") }

    /// Returns the result of `body`, once there is a place for it.
    ///
    /// - Throws: ``ServeRefusal`` if there was none until the deadline, or until the task was cancelled.
    func run<Value: Sendable>(
        by deadline: Deadline, _ body: () async throws(ServeRefusal) -> Value
    ) async throws(ServeRefusal) -> Value {
        guard await enter(by: deadline) else {
            throw refusal
        }
        defer { leave() }
        return try await body()
    }

    private func enter(by deadline: Deadline) async -> Bool {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        let timer = Task {
            try? await Task.sleep(until: deadline.instant, clock: .continuous)
            giveUp(id)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    guard state.free > 0 else {
                        state.waiting.append((id, continuation))
                        return false
                    }
                    state.free -= 1
                    return true
                }
                if isFree { continuation.resume(returning: true) }
                // The timer, or who cancelled, may have come too early to find it.
                if deadline.remaining == .zero || Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    private func giveUp(_ id: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(returning: false)
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.free += 1
            return nil
        }
        next?.resume(returning: true)
    }
}
