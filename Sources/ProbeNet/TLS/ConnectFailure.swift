import Glibc
import NIOCore
import NIOPosix
import ProbeKit

/// Turns NIO's connection errors into the closed set of ``HandshakeFailure``.
enum ConnectFailure {
    static func timeout(_ endpoint: Endpoint) -> HandshakeFailure {
        HandshakeFailure(.connectTimeout, "no connection to \(endpoint) before the deadline")
    }

    static func of(_ error: any Error, endpoint: Endpoint) -> HandshakeFailure {
        switch error {
        case let error as NIOConnectionError:
            if error.connectionErrors.isEmpty {
                return HandshakeFailure(
                    .nameNotFound, "no address for \(endpoint.host)", nativeCode: error.dnsAError.map { "\($0)" })
            }
            // Every address was tried; the last error is as good as the first, and one is enough for a person.
            return of(error.connectionErrors[0].error, endpoint: endpoint)
        case ChannelError.connectTimeout:
            return timeout(endpoint)
        case let error as IOError:
            return of(errno: error.errnoCode, endpoint: endpoint)
        default:
            return HandshakeFailure(.networkUnreachable, "could not connect to \(endpoint): \(error)")
        }
    }

    private static func of(errno code: CInt, endpoint: Endpoint) -> HandshakeFailure {
        switch code {
        case ECONNREFUSED:
            HandshakeFailure(.connectionRefused, "nothing listens on \(endpoint)", nativeCode: "ECONNREFUSED")
        case ETIMEDOUT:
            timeout(endpoint)
        case ECONNRESET:
            HandshakeFailure(.connectionReset, "\(endpoint) reset the connection", nativeCode: "ECONNRESET")
        default:
            HandshakeFailure(
                .networkUnreachable, "could not connect to \(endpoint): \(unsafe String(cString: strerror(code)))",
                nativeCode: "errno \(code)")
        }
    }
}
