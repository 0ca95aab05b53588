import Synchronization

/// An event that one lab server waits for and another gives: the order of things without a clock.
public final class LabSignal: Sendable {
    private struct State {
        var isGiven = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Creates an event that has not happened.
    public init() {}

    /// Lets everybody go on who waits, and who comes later. Giving it twice does nothing.
    public func give() {
        let waiting = state.withLock { state in
            state.isGiven = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }

    /// Calls `resume` once the event has happened: at once, or on the thread that gives it.
    func whenGiven(_ resume: @escaping @Sendable () -> Void) {
        let isGiven = state.withLock { state in
            if !state.isGiven { state.waiting.append(resume) }
            return state.isGiven
        }
        if isGiven { resume() }
    }
}
