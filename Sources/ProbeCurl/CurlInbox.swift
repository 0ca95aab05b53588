import Synchronization

/// The jobs of the thread, in order.
final class CurlInbox: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlTicket)
        /// Nothing, but to be taken up.
        case answer
        case stop
    }

    private let commands = Mutex<[Command]>([])

    func post(_ command: Command) {
        commands.withLock { $0.append(command) }
    }

    var isEmpty: Bool { commands.withLock(\.isEmpty) }

    func take() -> [Command] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}
