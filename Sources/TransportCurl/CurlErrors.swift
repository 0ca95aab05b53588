import CProbeCurl
import ProbeCurl
import ProbeKit
import ProbeNet
import ProbeOpenSSL

extension CurlError {
    /// The failure of a backend that could not start.
    var backendFailure: HandshakeFailure {
        HandshakeFailure(isShortage ? .localOverload : .backendError, "libcurl: \(message)", nativeCode: name)
    }

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
            ConnectFailure.ofLookup(endpoint, nativeCode: name)
        case CURLE_OPERATION_TIMEDOUT where !isConnected:
            ConnectFailure.timeout("\(endpoint)", nativeCode: name)
        case CURLE_OPERATION_TIMEDOUT:
            .silent(didReceive: didReceive, nativeCode: name)
        case CURLE_COULDNT_CONNECT:
            ConnectFailure.of(errno: systemError, dialled: "\(endpoint)", words: message, nativeCode: name)
        // Without a context there was nothing to shake hands with, and the peer has no part in it.
        case CURLE_SSL_CONNECT_ERROR where !isConnected:
            backendFailure
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            isReset ? .reset(nativeCode: name) : .closed(didReceive: didReceive, nativeCode: name)
        default:
            backendFailure
        }
    }

    /// The failure of a connection that this error ended when the client's side of the handshake was complete.
    var failureRightAfter: HandshakeFailure {
        if let end = RecordFailure(ofOpenSSLIn: message, below: name) { return end.afterHandshake }
        guard !isReset else { return .resetRightAfter(nativeCode: name) }
        return HandshakeFailure(
            .connectionClosed, "the connection broke right after the handshake: \(message)", nativeCode: name,
            isAfterHandshake: true)
    }
}

extension CurlMultiError {
    /// The failure of a handshake that libcurl lost.
    var backendFailure: HandshakeFailure { HandshakeFailure(.backendError, "libcurl: \(message)", nativeCode: name) }
}
