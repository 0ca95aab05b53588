import CProbeCurl
import ProbeCurl
import ProbeKit
import ProbePlatform

extension CurlError {
    /// The failure of a backend that could not start.
    var backendFailure: HandshakeFailure { HandshakeFailure(.backendError, "libcurl: \(message)", nativeCode: name) }

    /// Returns the failure of a handshake that this error ended and for which OpenSSL has no error.
    ///
    /// - Parameters:
    ///   - endpoint: the dialled endpoint.
    ///   - isConnected: true if there was a TCP connection.
    ///   - didReceive: true if the peer sent anything.
    func failure(_ endpoint: Endpoint, isConnected: Bool, didReceive: Bool) -> HandshakeFailure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            // It has this code for a name without addresses and for a lookup that failed.
            HandshakeFailure(
                .nameLookupFailed, "the address of \(endpoint.host) could not be looked up", nativeCode: name)
        case CURLE_OPERATION_TIMEDOUT where !isConnected:
            HandshakeFailure(.connectTimeout, "no connection to \(endpoint) before the deadline", nativeCode: name)
        case CURLE_OPERATION_TIMEDOUT:
            HandshakeFailure(
                .handshakeTimeout,
                (didReceive ? "the peer stopped answering" : "the peer took the connection and said nothing")
                    + " before the deadline", nativeCode: name)
        case CURLE_COULDNT_CONNECT:
            connectFailure(endpoint)
        // Without a context there was nothing to shake hands with, and the peer has no part in it.
        case CURLE_SSL_CONNECT_ERROR where !isConnected:
            backendFailure
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            brokenConnection(didReceive: didReceive)
        default:
            backendFailure
        }
    }

    private func connectFailure(_ endpoint: Endpoint) -> HandshakeFailure {
        switch systemError {
        case ECONNREFUSED: HandshakeFailure(.connectionRefused, "nothing listens on \(endpoint)", nativeCode: name)
        case ETIMEDOUT:
            HandshakeFailure(.connectTimeout, "no connection to \(endpoint) in time", nativeCode: name)
        case ECONNRESET:
            HandshakeFailure(.connectionReset, "\(endpoint) reset the connection", nativeCode: name)
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            HandshakeFailure(
                .localOverload, "no connection to \(endpoint) could be begun here: \(message)", nativeCode: name)
        default:
            HandshakeFailure(.networkUnreachable, "could not connect to \(endpoint): \(message)", nativeCode: name)
        }
    }

    private func brokenConnection(didReceive: Bool) -> HandshakeFailure {
        if systemError == ECONNRESET || systemError == EPIPE {
            return HandshakeFailure(
                .connectionReset, "the peer reset the connection during the handshake", nativeCode: name)
        }
        let when = didReceive ? "during the handshake" : "before it said anything"
        return HandshakeFailure(.connectionClosed, "the peer closed the connection \(when)", nativeCode: name)
    }
}

extension CurlMultiError {
    /// The failure of a handshake that libcurl lost.
    var backendFailure: HandshakeFailure { HandshakeFailure(.backendError, "libcurl: \(message)", nativeCode: name) }
}
