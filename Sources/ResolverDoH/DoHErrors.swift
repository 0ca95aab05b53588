import CProbeCurl
import CProbeOpenSSL
import ProbeCurl
import ProbeKit
import ProbeNet
import ProbeOpenSSL

extension CurlError {
    /// The failure of a backend that could not start.
    var backendFailure: DNSFailure {
        DNSFailure(isShortage ? .localOverload : .backendError, "libcurl: \(message) (\(name))")
    }

    /// Returns the failure of an exchange that this error ended.
    ///
    /// - Parameter verified: OpenSSL's result of the verification of the server's certificate.
    func failure(of server: DoHServer, verified: Int) -> DNSFailure {
        let endpoint = server.endpoint
        return switch code {
        case CURLE_OPERATION_TIMEDOUT:
            .late
        case CURLE_COULDNT_RESOLVE_HOST: .unresolved(server)
        case CURLE_COULDNT_CONNECT where systemError == 0:
            DNSFailure(.unreachable, "could not connect to \(endpoint): \(message)")
        case CURLE_COULDNT_CONNECT:
            DNSFailure(errorNumber: systemError)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CLIENTCERT:
            DNSFailure(.tls, "no TLS with \(endpoint): \(message) (\(name))", cause: Self.cause(verified))
        // CURLE_HTTP2 is GOAWAY too, by which a server that is about to stop ends its connections (RFC 9113 section 6.8).
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2_STREAM, CURLE_HTTP2:
            cutShort(of: endpoint)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            DNSFailure(.http, "what the server sends is not HTTP: \(message) (\(name))")
        // libcurl's code for a header line beyond its own limit of 100 KiB; from 8.6 on CURLE_TOO_LARGE, 100.
        case CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100):
            DNSFailure(.httpContent, "the head of the HTTP response has a line that libcurl can't hold (\(name))")
        default:
            backendFailure
        }
    }

    /// The causes that have a remedy of their own; libcurl compares names by itself, and shows no result of that.
    private static func cause(_ verified: Int) -> DNSFailure.Cause? {
        switch CInt(clamping: verified) {
        case X509_V_ERR_CERT_HAS_EXPIRED: .certificate(.expired)
        case X509_V_ERR_CERT_NOT_YET_VALID: .certificate(.notYetValid)
        default: nil
        }
    }

    /// Returns the failure of an exchange whose connection or stream ended before the response was whole. libcurl has one
    /// code for an end, an alert and bytes that can't be decrypted; its words have OpenSSL's code.
    private func cutShort(of endpoint: Endpoint) -> DNSFailure {
        if let end = RecordFailure(ofOpenSSLIn: message, below: name), end != .closed {
            let failure = end.afterHandshake
            let native = failure.nativeCode.map { " (\($0))" } ?? ""
            return DNSFailure(.tls, "the TLS with \(endpoint) failed: \(failure.message)\(native)")
        }
        guard !isReset else { return DNSFailure(errorNumber: systemError) }
        return DNSFailure(
            .closed, "the server closed the connection or the stream before the response was whole (\(name))")
    }
}

extension DNSFailure {
    /// The failure of a server whose name has no address.
    static func unresolved(_ server: DoHServer) -> DNSFailure {
        DNSFailure(.unreachable, "no address for \(server.endpoint.host)")
    }

    /// The failure of an exchange from which libcurl did not come back.
    static func overdue(_ server: DoHServer) -> DNSFailure {
        DNSFailure(
            .backendError,
            "libcurl did not come back by the deadline from the exchange with \(server), or from another one; its thread "
                + "was replaced")
    }
}
