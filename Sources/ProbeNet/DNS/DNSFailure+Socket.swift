import NIOCore
package import ProbeKit
import ProbePlatform

extension DNSFailure {
    /// Creates the failure for a socket's error.
    init(socketError error: any Error) {
        switch error {
        case let error as IOError:
            self.init(errorNumber: error.errnoCode)
        case ChannelError.connectTimeout:
            self.init(.timeout, "the connection was not accepted in time")
        default:
            self.init(.backendError, "\(error)")
        }
    }

    /// Creates the failure for a system call's error number.
    package init(errorNumber: CInt) {
        switch errorNumber {
        case ECONNREFUSED:
            self.init(.refused, "nothing listens on the server's port")
        // Those of the second line come from ICMP errors: a host that is down, a protocol that it does not have, a message that
        // is too long for the path.
        case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT, ENETDOWN, EACCES, EPERM,
            EHOSTDOWN, ENOPROTOOPT, EMSGSIZE:
            self.init(.unreachable, "the server can't be reached (errno \(errorNumber))")
        case ETIMEDOUT:
            self.init(.timeout, "the server's host did not answer in time (errno \(errorNumber))")
        case ECONNRESET, EPIPE:
            self.init(.closed, "the server reset the connection")
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            // It says nothing about the server.
            self.init(
                .localOverload, "no socket could be opened here: \(unsafe String(cString: strerror(errorNumber)))")
        default:
            self.init(.backendError, "the socket failed (errno \(errorNumber))")
        }
    }
}

/// The failures of a wait that ended without a reply.
extension DNSFailure {
    /// At the deadline.
    package static let late = DNSFailure(.timeout, "no reply came in time")
    /// With the answer to another attempt at the same question.
    package static let overtaken = DNSFailure(.timeout, "a reply to another attempt came first")
    /// With the task.
    package static let cancelled = DNSFailure(.backendError, "the query was cancelled")
}
