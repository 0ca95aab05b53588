import CNIOBoringSSL
import ProbeKit
import ProbeNet

/// An error of BoringSSL, taken completely off its error queue. No other file reads the queue.
struct BoringSSLError: QueuedError {
    /// The first error's packed code as BoringSSL prints it, like `error:1000042e`; nil if the queue was empty.
    let code: String?
    /// BoringSSL's own words.
    let message: String
    /// The reason within the SSL library, if it comes from there.
    let sslReason: CInt?

    /// Discards errors of earlier calls; call it before a call whose errors matter.
    static func clear() {
        ERR_clear_error()
    }

    /// Drains the queue of this thread.
    static func take(_ action: String) -> BoringSSLError {
        let first = ERR_get_error()
        clear()
        guard first != 0 else { return BoringSSLError(code: nil, message: "\(action) failed", sslReason: nil) }
        let hex = String(first, radix: 16)
        return BoringSSLError(
            code: "error:" + String(repeating: "0", count: max(0, 8 - hex.count)) + hex,
            message: "\(action): \(words(first))",
            sslReason: Int(ERR_GET_LIB(first)) == Int(ERR_LIB_SSL) ? ERR_GET_REASON(first) : nil)
    }

    private static func words(_ packed: UInt32) -> String {
        let reason = unsafe ERR_reason_error_string(packed)
        return unsafe reason.map { unsafe String(cString: $0) } ?? "unknown error"
    }

    /// True if an alert had a level that BoringSSL does not accept for it.
    var isAboutAlertLevel: Bool { sslReason == SSL_R_BAD_ALERT || sslReason == SSL_R_UNKNOWN_ALERT_TYPE }

    /// Returns the error in the words for the alert that it was about, with the code that BoringSSL gave it.
    func naming(_ alert: HandshakeFailure.Alert, _ action: String) -> BoringSSLError {
        let reason = SSL_AD_REASON_OFFSET + CInt(alert.rawValue)
        let packed = UInt32(ERR_LIB_SSL) << 24 | UInt32(reason)
        return BoringSSLError(code: code, message: "\(action): \(Self.words(packed))", sslReason: reason)
    }

    /// True if a message was larger than the limit that BoringSSL was given.
    var isExcessive: Bool { sslReason == SSL_R_EXCESSIVE_MESSAGE_SIZE }

    /// A version that was not offered, a key that may not do what the server uses it for, or a key of ours that the server
    /// takes no signature by: a client has the last two reasons of its own certificate alone (`check_credential` in
    /// BoringSSL's ssl/handshake_client.cc and ssl/tls13_client.cc).
    var cause: HandshakeFailure.Cause? {
        switch sslReason {
        case SSL_R_UNSUPPORTED_PROTOCOL: .versionNotOffered
        case SSL_R_KEY_USAGE_BIT_INCORRECT: .keyUsage
        case SSL_R_NO_COMMON_SIGNATURE_ALGORITHMS, SSL_R_UNKNOWN_CERTIFICATE_TYPE: .clientKeyExcluded
        default: nil
        }
    }

    /// The peer's alert, if it was one.
    var alert: HandshakeFailure.Alert? {
        sslReason.flatMap { UInt8(exactly: $0 - SSL_AD_REASON_OFFSET) }.map(HandshakeFailure.Alert.init(rawValue:))
    }
}
