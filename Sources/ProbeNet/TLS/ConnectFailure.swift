import NIOCore
import NIOPosix
package import ProbeKit
import ProbePlatform

/// Turns NIO's connection errors into the closed set of ``HandshakeFailure``.
package enum ConnectFailure {
    /// The failure of a connection that there was not by the deadline.
    package static func timeout(_ place: String, nativeCode: String? = nil) -> HandshakeFailure {
        HandshakeFailure(
            .connectTimeout, "no connection to \(place) before the deadline", nativeCode: nativeCode)
    }

    /// - Parameter place: what was dialled, for messages.
    static func of(_ error: any Error, endpoint: Endpoint, dialled place: String) -> HandshakeFailure {
        switch error {
        case let error as NIOConnectionError:
            if error.connectionErrors.isEmpty {
                return ofLookup([error.dnsAError, error.dnsAAAAError].compactMap { $0 }, endpoint: endpoint)
            }
            // Every address was tried; the last error is as good as the first, and one is enough for a message.
            return of(error.connectionErrors[0].error, endpoint: endpoint, dialled: place)
        case ChannelError.connectTimeout:
            return timeout(place)
        case let error as LookupFailure:
            return ofLookup([error], endpoint: endpoint)
        case let error as IOError:
            return of(errno: error.errnoCode, dialled: place)
        default:
            return HandshakeFailure(.networkUnreachable, "could not connect to \(place): \(error)")
        }
    }

    /// Only getaddrinfo's code for a name without addresses is about the name (RFC 3493 section 6.1).
    private static func ofLookup(_ errors: [any Error], endpoint: Endpoint) -> HandshakeFailure {
        let failed = errors.first { ($0 as? LookupFailure)?.isAboutName != true }
        guard let failed else {
            let known = errors.first as? LookupFailure
            return (known ?? LookupFailure(code: EAI_NONAME)).handshakeFailure(dialling: endpoint)
        }
        if let failed = failed as? LookupFailure { return failed.handshakeFailure(dialling: endpoint) }
        return ofLookup(endpoint, nativeCode: "\(failed)")
    }

    /// Returns the failure that the system reported with an `errno`, judged alike for every stack.
    ///
    /// - Parameters:
    ///   - place: what was dialled, for messages.
    ///   - words: the stack's own for a number that means nothing here.
    ///   - nativeCode: the stack's own code; the number when not given.
    package static func of(
        errno code: CInt, dialled place: String, words: String? = nil, nativeCode: String? = nil
    ) -> HandshakeFailure {
        let reason = code == 0 ? words ?? "unknown" : unsafe String(cString: strerror(code))
        return switch code {
        case ECONNREFUSED:
            HandshakeFailure(
                .connectionRefused, "nothing listens on \(place)", nativeCode: nativeCode ?? "ECONNREFUSED")
        case ETIMEDOUT:
            timeout(place, nativeCode: nativeCode)
        case ECONNRESET:
            HandshakeFailure(
                .connectionReset, "\(place) reset the connection", nativeCode: nativeCode ?? "ECONNRESET")
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            // It says nothing about the server.
            HandshakeFailure(
                .localOverload, "no connection to \(place) could be begun here: \(reason)",
                nativeCode: nativeCode ?? "errno \(code)")
        default:
            HandshakeFailure(
                .networkUnreachable, "could not connect to \(place): \(reason)",
                nativeCode: nativeCode ?? "errno \(code)",
                // Only a socket of this machine is a file.
                cause: code == ENOENT ? .noSocket : nil)
        }
    }

    /// The failure of a name of which nothing is known.
    package static func ofLookup(_ endpoint: Endpoint, nativeCode: String?) -> HandshakeFailure {
        HandshakeFailure(
            .nameLookupFailed, "the address of \(endpoint.host) could not be looked up", nativeCode: nativeCode)
    }
}
