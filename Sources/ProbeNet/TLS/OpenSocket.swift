import NIOCore
import ProbePlatform
import Synchronization

/// Sole owner of a connected socket on which TLS may begin, for a stack that does its own reading and writing.
public final class OpenSocket: Sendable {
    private let descriptor: Mutex<CInt?>

    /// Duplicates a channel's socket, which stays open when the channel closes; nil if the channel has none.
    init?(_ channel: any Channel) {
        let copy = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            fcntl($0, F_DUPFD_CLOEXEC, 0)
        }
        guard let copy, copy >= 0 else { return nil }
        descriptor = Mutex(copy)
    }

    /// Takes a socket.
    init(_ descriptor: CInt) { self.descriptor = Mutex(descriptor) }

    deinit {
        if let descriptor = take() { close(descriptor) }
    }

    /// Gives the socket away; nil if that was done before. The caller has to close it.
    public func take() -> CInt? { descriptor.withLock { $0.take() } }
}
