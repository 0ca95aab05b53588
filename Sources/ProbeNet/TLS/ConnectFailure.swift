import NIOCore
import NIOPosix
import ProbeKit
import ProbePlatform

/// Turns NIO's connection errors into the closed set of ``HandshakeFailure``.
enum ConnectFailure {
    static func timeout(_ endpoint: Endpoint) -> HandshakeFailure {
        HandshakeFailure(.connectTimeout, "no connection to \(endpoint) before the deadline")
    }

    static func of(_ error: any Error, endpoint: Endpoint) -> HandshakeFailure {
        switch error {
        case let error as NIOConnectionError:
            if error.connectionErrors.isEmpty {
                return ofLookup([error.dnsAError, error.dnsAAAAError].compactMap { $0 }, endpoint: endpoint)
            }
            // Every address was tried; the last error is as good as the first, and one is enough for a message.
            return of(error.connectionErrors[0].error, endpoint: endpoint)
        case ChannelError.connectTimeout:
            return timeout(endpoint)
        case let error as IOError:
            return of(errno: error.errnoCode, endpoint: endpoint)
        default:
            return HandshakeFailure(.networkUnreachable, "could not connect to \(endpoint): \(error)")
        }
    }

    /// Only getaddrinfo's code for a name without addresses is about the name (RFC 3493 section 6.1).
    private static func ofLookup(_ errors: [any Error], endpoint: Endpoint) -> HandshakeFailure {
        let failed = errors.first { ($0 as? LookupFailure)?.isAboutName != true }
        guard let failed else {
            return HandshakeFailure(
                .nameNotFound, "no address for \(endpoint.host)", nativeCode: errors.first.map { "\($0)" })
        }
        if failed as? LookupFailure == .late { return timeout(endpoint) }
        return HandshakeFailure(
            .nameLookupFailed, "the address of \(endpoint.host) could not be looked up", nativeCode: "\(failed)")
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
