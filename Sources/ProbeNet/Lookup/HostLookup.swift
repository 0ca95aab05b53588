import NIOCore
import NIOPosix
public import ProbeKit
import ProbePlatform
import Synchronization

/// The addresses of names from the system's lookup, many at once: a name whose servers are silent delays no other.
///
/// getaddrinfo blocks, and the only way to run several at once is a thread for each. There are as many threads as
/// lookups in progress, up to a limit; further ones wait in order. Overlapping calls for one name share a lookup. A
/// lookup without callers is skipped, or, if it has begun, left to end by itself.
public final class HostLookup: Sendable {
    /// A function that looks a name up, and blocks meanwhile.
    public typealias Blocking = @Sendable (_ name: String) -> Result<[IPAddress], LookupFailure>
    typealias Answer = @Sendable (Result<[IPAddress], LookupFailure>) -> Void

    private struct State {
        /// The callers waiting for each name, queued or in progress.
        var waiting: [String: [(deadline: Deadline, answer: Answer)]] = [:]
        /// The names that no thread has begun with, in order, from `first` on.
        var queue: [String] = []
        var first = 0
        var threads = 0
    }

    /// The maximum number of names looked up at once.
    public static let mostAtOnce = 2048
    /// The system's lookup, shared by everything that dials.
    public static let system = HostLookup(atMost: mostAtOnce, SystemLookup.addresses)

    private let limit: Int
    private let lookUp: Blocking
    private let state = Mutex(State())

    /// Creates a separate lookup.
    ///
    /// - Parameters:
    ///   - limit: the most threads; each takes some 40 KB while it lives.
    ///   - lookUp: called on those threads.
    public init(atMost limit: Int = HostLookup.mostAtOnce, _ lookUp: @escaping Blocking) {
        self.limit = limit
        self.lookUp = lookUp
    }

    /// Returns the addresses of a name, the best first (RFC 6724), or the reason why there are none, by the deadline. A task that
    /// is cancelled does not wait.
    public func addresses(of name: String, by deadline: Deadline) async -> Result<[IPAddress], LookupFailure> {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let found = loop.makePromise(of: Result<[IPAddress], LookupFailure>.self)
        let timer = loop.scheduleTask(in: TimeAmount(deadline.remaining)) { found.succeed(.failure(.late)) }
        find(name, by: deadline) { found.succeed($0) }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            // The promise is never failed.
            (try? await found.futureResult.get()) ?? .failure(.late)
        } onCancel: {
            found.succeed(.failure(.late))
        }
    }

    /// Calls `answer` with the result, on a thread of this lookup; maybe not at all if the deadline passes before.
    func find(_ name: String, by deadline: Deadline, _ answer: @escaping Answer) {
        let needsThread = state.withLock { state in
            state.waiting[name, default: []].append((deadline, answer))
            guard state.waiting[name]?.count == 1 else { return false }
            state.queue.append(name)
            guard state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        guard needsThread else { return }
        if !DetachedThread.start({ self.work() }) { giveUp() }
    }

    /// Gives up the queue if the system has no more threads and none is running; running ones take the waiting names.
    private func giveUp() {
        let unanswered = state.withLock { state -> [Answer] in
            state.threads -= 1
            guard state.threads == 0 else { return [] }
            let waiting = state.waiting
            (state.waiting, state.queue, state.first) = ([:], [], 0)
            return waiting.values.flatMap { $0.map(\.answer) }
        }
        for answer in unanswered { answer(.failure(LookupFailure(code: EAI_AGAIN))) }
    }

    /// Runs one thread: looks up waiting names, and ends when there are none.
    private func work() {
        while let name = next() {
            let result = lookUp(name)
            let waiting = state.withLock { $0.waiting.removeValue(forKey: name) } ?? []
            for (_, answer) in waiting { answer(result) }
        }
    }

    private func next() -> String? {
        state.withLock { state in
            while state.first < state.queue.count {
                let name = state.queue[state.first]
                state.first += 1
                if state.first * 2 > state.queue.count {
                    state.queue.removeFirst(state.first)
                    state.first = 0
                }
                if state.waiting[name]?.contains(where: { $0.deadline.remaining > .zero }) ?? false { return name }
                state.waiting[name] = nil
            }
            state.threads -= 1
            return nil
        }
    }
}
