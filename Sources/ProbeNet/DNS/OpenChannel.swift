import NIOCore
import Synchronization

/// The channel of one exchange, so that it can be closed from anywhere, even before it exists.
final class OpenChannel: Sendable {
    private enum State {
        case none
        case open(any Channel)
        case closed
    }

    private let state = Mutex(State.none)

    /// Takes the channel; false if it has to be closed already.
    func adopt(_ channel: any Channel) -> Bool {
        state.withLock { state in
            if case .closed = state { return false }
            state = .open(channel)
            return true
        }
    }

    func close() {
        let previous = state.withLock { state in
            defer { state = .closed }
            return state
        }
        if case .open(let channel) = previous { channel.close(promise: nil) }
    }
}
