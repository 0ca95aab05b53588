import Synchronization

/// The slots for targets in progress.
///
/// A target that has been waiting for its peer for a while makes room for another, so that silent ones, which take
/// their whole deadline, do not block the others. The number of such waiting targets is limited too; beyond it they
/// keep their slots.
public final class ScanSlots: Sendable {
    /// A place that was taken.
    package struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    struct State {
        var number = 0
        /// The number of targets that are worked on at once now.
        var width: Int
        /// True if this process has never been late so far.
        var isGrowing = true
        /// The time from which the width may change again: a change shows only after a while.
        var settled: ContinuousClock.Instant = .now
        /// The targets that hold a slot, and their order, from `oldest` on.
        var active: [Int: ContinuousClock.Instant] = [:]
        var order: [Int] = []
        var oldest = 0
        /// The targets that made room.
        var waiting: Set<Int> = []
        var isClosed = false
        var isOver = false
        var feeder: CheckedContinuation<Void, Never>?
        var finisher: CheckedContinuation<Void, Never>?

        var isFinished: Bool { (isClosed || isOver) && active.isEmpty && waiting.isEmpty }
    }

    private let width: Int
    private let waitingLimit: Int
    private let patience: Duration
    let state: Mutex<State>

    /// Creates the slots of one scan.
    ///
    /// - Parameters:
    ///   - width: the number of targets in progress at once.
    ///   - waitingLimit: the number of further targets that may wait after making room; 0 lets none make room.
    ///   - patience: the time after which they make room.
    ///   - start: the number of targets in progress before it is known how late this process is then; nil is the width.
    public init(
        width: Int, waitingLimit: Int = 0, patience: Duration = .milliseconds(250), startingWith start: Int? = nil
    ) {
        self.width = width
        self.waitingLimit = waitingLimit
        self.patience = patience
        state = Mutex(State(width: start.map { min($0, width) } ?? width))
    }

    /// The lateness at which nothing more is begun, and that at which more may be.
    private static let (late, calm) = (Duration.milliseconds(100), Duration.milliseconds(30))
    /// The time until a change of the width shows.
    private static let settling = Duration.milliseconds(400)

    /// Adapts the number of targets that are worked on at once to how late this process is with its own work: half as many
    /// when it is late, more again when it is not. Where it is slow itself, nobody makes room for others.
    func adapt(to lateness: Duration, at now: ContinuousClock.Instant = .now) {
        if lateness < Self.calm { makeRoom(at: now) }
        change { state in
            if lateness >= Self.late, state.settled <= now {
                state.width = max(1, state.width / 2)
                state.isGrowing = false
                state.settled = now + Self.settling
            } else if lateness < Self.calm, state.width < width, state.active.count >= state.width {
                state.width = min(width, state.width + (state.isGrowing ? state.width : max(1, width / 16)))
            }
        }
    }

    /// The number of targets begun and not done.
    public var inFlight: Int { state.withLock { $0.active.count + $0.waiting.count } }

    /// True if no work may begin any more.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Waits for a place; nil if nothing more may begin. One caller at a time.
    package func enter() async -> Ticket? {
        while true {
            let (ticket, isClosed) = state.withLock { state -> (Ticket?, Bool) in
                guard !state.isClosed else { return (nil, true) }
                guard state.active.count < state.width else { return (nil, false) }
                state.number += 1
                state.active[state.number] = .now
                state.order.append(state.number)
                return (Ticket(number: state.number), false)
            }
            if ticket != nil || isClosed { return ticket }
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.isClosed || state.active.count < state.width { return true }
                    state.feeder = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
        }
    }

    /// Gives a place back.
    package func leave(_ ticket: Ticket) {
        change { state in
            if state.active.removeValue(forKey: ticket.number) == nil { state.waiting.remove(ticket.number) }
        }
    }

    /// Lets targets that have waited long enough make room; call it regularly.
    func makeRoom(at now: ContinuousClock.Instant = .now) {
        change { state in
            while state.oldest < state.order.count {
                let number = state.order[state.oldest]
                if let began = state.active[number] {
                    guard now - began >= patience, state.waiting.count < waitingLimit else { break }
                    state.active[number] = nil
                    state.waiting.insert(number)
                }
                state.oldest += 1
            }
            state.order.removeFirst(state.oldest)
            state.oldest = 0
        }
    }

    /// Lets no more work begin; what is in progress goes on to its end.
    public func close() { change { $0.isClosed = true } }

    /// Marks the end of the list.
    func end() { change { $0.isOver = true } }

    /// Waits until no work is in progress and none will begin. Only one caller.
    func finished() async {
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if !state.isFinished { state.finisher = continuation }
                return state.isFinished
            }
            if isFinished { continuation.resume() }
        }
    }

    private func change(_ body: (inout sending State) -> Void) {
        let woken = state.withLock { state in
            body(&state)
            var woken: [CheckedContinuation<Void, Never>] = []
            if state.isClosed || state.active.count < state.width, let feeder = state.feeder.take() {
                woken.append(feeder)
            }
            if state.isFinished, let finisher = state.finisher.take() { woken.append(finisher) }
            return woken
        }
        for continuation in woken { continuation.resume() }
    }
}
