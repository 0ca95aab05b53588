package import CProbeCurl
import ProbeKit
import ProbePlatform

/// A result of libcurl that is not `CURLE_OK`.
package struct CurlError: Error {
    package let code: CURLcode
    /// libcurl's own words, of this case or of the code in general.
    package let message: String
    /// The system's code behind it, 0 for none.
    package let systemError: CInt

    package init(_ code: CURLcode, message: String = "", systemError: CInt = 0) {
        self.code = code
        self.message = message.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : message
        self.systemError = systemError
    }

    static func withoutThread(_ status: CInt) -> CurlError {
        CurlError(CURLE_FAILED_INIT, message: "there is no thread for libcurl (errno \(status))", systemError: status)
    }

    /// The error of a handle that another thread can't wake: libcurl makes it all the same, and it would sleep through what it is
    /// to do. It reports no reason; the only one is that this process has no descriptor left (curl_multi_wakeup(3)).
    static var withoutWakeUp: CurlError {
        CurlError(
            CURLE_FAILED_INIT,
            message: "libcurl has no descriptor to be woken by: \(unsafe String(cString: strerror(EMFILE)))",
            systemError: EMFILE)
    }

    /// True if this process lacked descriptors or memory: that is about no server.
    package var isShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(systemError) }

    /// True if the peer reset the connection; a write after the reset fails as one into a broken pipe (tcp(7)).
    package var isReset: Bool { systemError == ECONNRESET || systemError == EPIPE }

    /// The constant's name for the codes that a transfer of ours can end with, else the number.
    package var name: String { Self.names[code.rawValue] ?? "CURLcode \(code.rawValue)" }

    private static let names: [UInt32: String] = [
        CURLE_UNSUPPORTED_PROTOCOL.rawValue: "CURLE_UNSUPPORTED_PROTOCOL",
        CURLE_FAILED_INIT.rawValue: "CURLE_FAILED_INIT",
        CURLE_URL_MALFORMAT.rawValue: "CURLE_URL_MALFORMAT",
        CURLE_NOT_BUILT_IN.rawValue: "CURLE_NOT_BUILT_IN",
        CURLE_COULDNT_RESOLVE_HOST.rawValue: "CURLE_COULDNT_RESOLVE_HOST",
        CURLE_COULDNT_CONNECT.rawValue: "CURLE_COULDNT_CONNECT",
        CURLE_WEIRD_SERVER_REPLY.rawValue: "CURLE_WEIRD_SERVER_REPLY",
        CURLE_HTTP2.rawValue: "CURLE_HTTP2",
        CURLE_PARTIAL_FILE.rawValue: "CURLE_PARTIAL_FILE",
        CURLE_WRITE_ERROR.rawValue: "CURLE_WRITE_ERROR",
        CURLE_OUT_OF_MEMORY.rawValue: "CURLE_OUT_OF_MEMORY",
        CURLE_OPERATION_TIMEDOUT.rawValue: "CURLE_OPERATION_TIMEDOUT",
        CURLE_SSL_CONNECT_ERROR.rawValue: "CURLE_SSL_CONNECT_ERROR",
        CURLE_ABORTED_BY_CALLBACK.rawValue: "CURLE_ABORTED_BY_CALLBACK",
        CURLE_BAD_FUNCTION_ARGUMENT.rawValue: "CURLE_BAD_FUNCTION_ARGUMENT",
        CURLE_UNKNOWN_OPTION.rawValue: "CURLE_UNKNOWN_OPTION",
        CURLE_GOT_NOTHING.rawValue: "CURLE_GOT_NOTHING",
        CURLE_SEND_ERROR.rawValue: "CURLE_SEND_ERROR",
        CURLE_RECV_ERROR.rawValue: "CURLE_RECV_ERROR",
        CURLE_SSL_CERTPROBLEM.rawValue: "CURLE_SSL_CERTPROBLEM",
        CURLE_SSL_CIPHER.rawValue: "CURLE_SSL_CIPHER",
        CURLE_PEER_FAILED_VERIFICATION.rawValue: "CURLE_PEER_FAILED_VERIFICATION",
        CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue: "CURLE_SSL_PINNEDPUBKEYNOTMATCH",
        CURLE_HTTP2_STREAM.rawValue: "CURLE_HTTP2_STREAM",
        CURLE_SSL_CLIENTCERT.rawValue: "CURLE_SSL_CLIENTCERT",
    ]
}

/// A result of libcurl's multi interface that is not `CURLM_OK`.
package struct CurlMultiError: Error {
    let code: CURLMcode

    /// libcurl's own words.
    package var message: String { unsafe String(cString: curl_multi_strerror(code)) }
    /// The number; the multi interface has few constants, and none that is expected here.
    package var name: String { "CURLMcode \(code.rawValue)" }
}
