import ProbeKit
import Synchronization

/// A resolver that answers when released, gives up at its deadline, and records the end of each query.
final class GatedResolver: Resolver {
    private struct State {
        var isOpen = false
        var queries = 0
        var ended = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let real: ScriptedResolver
    private let state = Mutex(State())

    init(_ real: ScriptedResolver) {
        self.real = real
    }

    var identity: BackendIdentity { real.identity }
    var capabilities: Set<ResolverCapability> { real.capabilities }
    var queries: Int { state.withLock(\.queries) }
    /// The number of queries that ended, answered or not.
    var ended: Int { state.withLock(\.ended) }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits until this many queries have begun.
    func begun(_ count: Int) async throws {
        while queries < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    func resolve(_ query: DNSQuery) async -> DNSReport {
        let number = state.withLock { state in
            state.queries += 1
            return state.queries
        }
        let alarm = Task {
            try await Task.sleep(until: query.deadline.instant)
            release(number)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    guard !state.isOpen, !Task.isCancelled, query.deadline.remaining > .zero else { return false }
                    state.waiting[number] = continuation
                    return true
                }
                if !isWaiting { continuation.resume() }
            }
        } onCancel: {
            release(number)
        }
        alarm.cancel()
        let isAnswered = state.withLock { state in
            state.ended += 1
            return state.isOpen
        }
        guard isAnswered, !Task.isCancelled else {
            let failure = DNSFailure(.timeout, "the gate stayed closed")
            return DNSReport(attempts: [
                DNSAttempt(
                    server: "gated", channel: .udp, ednsSize: nil, id: 0, reply: nil, native: nil, failure: failure,
                    duration: .zero)
            ])
        }
        return await real.resolve(query)
    }

    private func release(_ number: Int) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
}
