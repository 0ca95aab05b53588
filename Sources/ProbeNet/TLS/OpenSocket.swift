import NIOCore
public import ProbeKit
import ProbePlatform
import Synchronization

/// Sole owner of a connected socket on which TLS may begin, for a stack that does its own reading and writing.
public final class OpenSocket: Sendable {
    private let descriptor: Mutex<CInt?>
    let relay: RelayFailure?

    /// Returns the socket of a channel on which TLS may begin: the channel's own, or the end of a relay inside the TLS with a
    /// proxy and in front of a socket that is not of TCP. Nil if there is none.
    static func of(_ channel: any Channel, for request: HandshakeRequest, to place: DialledPlace) -> OpenSocket? {
        request.toProxy == nil && request.route.capability != .localSocket
            ? OpenSocket(channel) : SocketRelay.begin(behind: channel, to: place, until: request.deadline)
    }

    /// Duplicates a channel's socket, which stays open when the channel closes; nil if the channel has none.
    init?(_ channel: any Channel) {
        let copy = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            fcntl($0, F_DUPFD_CLOEXEC, 0)
        }
        guard let copy, copy >= 0 else { return nil }
        descriptor = Mutex(copy)
        relay = nil
    }

    /// Takes the end of a relay.
    init(_ descriptor: CInt, of relay: RelayFailure) {
        self.descriptor = Mutex(descriptor)
        self.relay = relay
    }

    deinit {
        if let descriptor = take() { close(descriptor) }
    }

    /// Gives the socket away; nil if that was done before. The caller has to close it.
    public func take() -> CInt? { descriptor.withLock { $0.take() } }

    /// The failure of the connection behind the socket, of which the socket itself shows the end alone; nil if it has not
    /// failed, or is the socket's own.
    public var failure: HandshakeFailure? { relay?.failure }
}
