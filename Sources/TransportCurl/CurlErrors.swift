import CProbeCurl
import Glibc
import ProbeKit

/// A result of libcurl that is not `CURLE_OK`.
struct CurlError: Error {
    let code: CURLcode
    /// libcurl's own words, of this case or of the code in general.
    let message: String
    /// The system's code behind it, 0 for none.
    let systemError: CInt

    init(_ code: CURLcode, message: String = "", systemError: CInt = 0) {
        self.code = code
        self.message = message.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : message
        self.systemError = systemError
    }

    /// The constant's name for the codes a handshake can end with, else the number.
    var name: String { Self.names[code.rawValue] ?? "CURLcode \(code.rawValue)" }

    /// The failure of a backend that could not even begin.
    var backendFailure: HandshakeFailure { HandshakeFailure(.backendError, "libcurl: \(message)", nativeCode: name) }

    /// The failure of a handshake that this error ended and OpenSSL had nothing to say about.
    ///
    /// - Parameters:
    ///   - endpoint: what was dialled.
    ///   - isConnected: whether there was a TCP connection.
    ///   - hasHeardPeer: whether the peer sent anything.
    func failure(_ endpoint: Endpoint, isConnected: Bool, hasHeardPeer: Bool) -> HandshakeFailure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            HandshakeFailure(.nameNotFound, "no address for \(endpoint.host)", nativeCode: name)
        case CURLE_OPERATION_TIMEDOUT where !isConnected:
            HandshakeFailure(.connectTimeout, "no connection to \(endpoint) before the deadline", nativeCode: name)
        case CURLE_OPERATION_TIMEDOUT:
            HandshakeFailure(
                .handshakeTimeout,
                (hasHeardPeer ? "the peer stopped answering" : "the peer took the connection and said nothing")
                    + " before the deadline", nativeCode: name)
        case CURLE_COULDNT_CONNECT:
            connectFailure(endpoint)
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            brokenConnection(hasHeardPeer: hasHeardPeer)
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
        default:
            HandshakeFailure(.networkUnreachable, "could not connect to \(endpoint): \(message)", nativeCode: name)
        }
    }

    private func brokenConnection(hasHeardPeer: Bool) -> HandshakeFailure {
        if systemError == ECONNRESET || systemError == EPIPE {
            return HandshakeFailure(
                .connectionReset, "the peer reset the connection during the handshake", nativeCode: name)
        }
        let when = hasHeardPeer ? "during the handshake" : "before it said anything"
        return HandshakeFailure(.connectionClosed, "the peer closed the connection \(when)", nativeCode: name)
    }

    private static let names: [UInt32: String] = [
        CURLE_UNSUPPORTED_PROTOCOL.rawValue: "CURLE_UNSUPPORTED_PROTOCOL",
        CURLE_FAILED_INIT.rawValue: "CURLE_FAILED_INIT",
        CURLE_URL_MALFORMAT.rawValue: "CURLE_URL_MALFORMAT",
        CURLE_NOT_BUILT_IN.rawValue: "CURLE_NOT_BUILT_IN",
        CURLE_COULDNT_RESOLVE_HOST.rawValue: "CURLE_COULDNT_RESOLVE_HOST",
        CURLE_COULDNT_CONNECT.rawValue: "CURLE_COULDNT_CONNECT",
        CURLE_OUT_OF_MEMORY.rawValue: "CURLE_OUT_OF_MEMORY",
        CURLE_OPERATION_TIMEDOUT.rawValue: "CURLE_OPERATION_TIMEDOUT",
        CURLE_SSL_CONNECT_ERROR.rawValue: "CURLE_SSL_CONNECT_ERROR",
        CURLE_ABORTED_BY_CALLBACK.rawValue: "CURLE_ABORTED_BY_CALLBACK",
        CURLE_BAD_FUNCTION_ARGUMENT.rawValue: "CURLE_BAD_FUNCTION_ARGUMENT",
        CURLE_UNKNOWN_OPTION.rawValue: "CURLE_UNKNOWN_OPTION",
        CURLE_SEND_ERROR.rawValue: "CURLE_SEND_ERROR",
        CURLE_RECV_ERROR.rawValue: "CURLE_RECV_ERROR",
        CURLE_SSL_CERTPROBLEM.rawValue: "CURLE_SSL_CERTPROBLEM",
        CURLE_SSL_CIPHER.rawValue: "CURLE_SSL_CIPHER",
        CURLE_PEER_FAILED_VERIFICATION.rawValue: "CURLE_PEER_FAILED_VERIFICATION",
        CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue: "CURLE_SSL_PINNEDPUBKEYNOTMATCH",
        CURLE_SSL_CLIENTCERT.rawValue: "CURLE_SSL_CLIENTCERT",
    ]
}
