import CProbeOpenSSL
package import ProbeKit
import ProbeNet

/// An error of OpenSSL, taken completely off its error queue. No other file reads the queue.
package struct OpenSSLError: QueuedError {
    /// The first error's packed code as OpenSSL prints it, like `error:0A000438`; nil if the queue was empty.
    package let code: String?
    /// OpenSSL's own words.
    package let message: String
    /// The reason within the SSL library, if it comes from there.
    package let sslReason: CInt?
    /// The reason within the CMS library, if it comes from there.
    package let cmsReason: CInt?
    /// True if PEM ended where the next block of it was looked for.
    package let isEndOfPEM: Bool

    /// Discards errors of earlier calls; call it before a call whose errors matter.
    package static func clear() {
        ERR_clear_error()
    }

    /// Drains the queue of this thread.
    package static func take(_ action: String) -> OpenSSLError {
        let first = ERR_get_error()
        while ERR_get_error() != 0 {}
        return OpenSSLError(first, action)
    }

    /// Returns the first error of this thread, which stays in the queue for the caller; nil if there is none.
    package static func peek(_ action: String) -> OpenSSLError? {
        let first = ERR_peek_error()
        return first == 0 ? nil : OpenSSLError(first, action)
    }

    package init(
        code: String?, message: String, sslReason: CInt?, cmsReason: CInt? = nil, isEndOfPEM: Bool = false
    ) {
        self.code = code
        self.message = message
        self.sslReason = sslReason
        self.cmsReason = cmsReason
        self.isEndOfPEM = isEndOfPEM
    }

    /// Creates the error of a packed number; 0 stands for an empty queue.
    init(_ first: UInt, _ action: String) {
        guard first != 0 else {
            self.init(code: nil, message: "\(action) failed", sslReason: nil)
            return
        }
        let reason = unsafe ERR_reason_error_string(first)
        let words =
            cprobe_is_large_modulus(first) == 1
            ? "the server's Diffie-Hellman modulus is larger than \(CPROBE_MODULUS_BITS) bits"
            : unsafe reason.map { unsafe String(cString: $0) } ?? "unknown error"
        let hex = String(first, radix: 16, uppercase: true)
        self.init(
            code: "error:" + String(repeating: "0", count: max(0, 8 - hex.count)) + hex, message: "\(action): \(words)",
            sslReason: cprobe_is_ssl_error(first) == 1 ? cprobe_reason(first) : nil,
            cmsReason: cprobe_is_cms_error(first) == 1 ? cprobe_reason(first) : nil,
            isEndOfPEM: cprobe_is_end_of_pem(first) == 1)
    }

    /// True if a message was larger than the limit that OpenSSL was given.
    package var isExcessive: Bool { sslReason == SSL_R_EXCESSIVE_MESSAGE_SIZE }

    /// A version that was not offered, or a server without secure renegotiation; OpenSSL does not look at the key usage of
    /// a server's certificate.
    package var cause: HandshakeFailure.Cause? {
        switch sslReason {
        case SSL_R_UNSUPPORTED_PROTOCOL: .versionNotOffered
        case SSL_R_UNSAFE_LEGACY_RENEGOTIATION_DISABLED: .legacyRenegotiation
        default: nil
        }
    }

    /// The peer's alert, if it was one.
    package var alert: HandshakeFailure.Alert? {
        sslReason.flatMap { UInt8(exactly: $0 - cprobe_alert_offset()) }.map(HandshakeFailure.Alert.init(rawValue:))
    }
}
