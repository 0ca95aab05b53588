import Glibc
import NIOCore
package import ProbeKit

extension DNSFailure {
    /// What an error of the socket means for the exchange.
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

    /// What a system call's error number means for the exchange.
    package init(errorNumber: CInt) {
        switch errorNumber {
        case ECONNREFUSED:
            self.init(.refused, "nothing listens on the server's port")
        case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT, ENETDOWN, EACCES, EPERM:
            self.init(.unreachable, "the server can't be reached (errno \(errorNumber))")
        case ECONNRESET, EPIPE:
            self.init(.closed, "the server reset the connection")
        default:
            self.init(.backendError, "the socket failed (errno \(errorNumber))")
        }
    }
}
