import NIOCore
import ProbePlatform

/// The kernel's count of what came for a socket and was not read yet.
enum UnreadBytes {
    /// SO_MEMINFO of socket(7): nine counts, the first one of the memory that received bytes take.
    private typealias Memory = InlineArray<9, UInt32>
    private static let option = NIOBSDSocket.Option(rawValue: 55)

    /// Returns a future that is true if there are any, complete at once on the channel's loop. Without a count, one more turn
    /// of the loop has to do.
    static func wait(for channel: any Channel) -> EventLoopFuture<Bool> {
        guard Platform.countsUnreadBytes, let socket = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(false)
        }
        let memory: EventLoopFuture<Memory> = socket.unsafeGetSocketOption(level: .socket, name: option)
        return memory.map { $0[0] > 0 }.recover { _ in false }
    }
}
