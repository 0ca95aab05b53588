import CProbeGnuTLS
import ProbeKit
import ProbeNet

/// A GnuTLS return code, whole: the only place where native codes become Swift.
struct GnuTLSErrorCode: RawRepresentable, LibraryError, Hashable, Sendable {
    let rawValue: CInt

    static let sessionEnd = GnuTLSErrorCode(rawValue: GNUTLS_E_SESSION_EOF)
    static let again = GnuTLSErrorCode(rawValue: GNUTLS_E_AGAIN)
    static let certificateRequested = GnuTLSErrorCode(rawValue: GNUTLS_E_REAUTH_REQUEST)
    static let renegotiationRequested = GnuTLSErrorCode(rawValue: GNUTLS_E_REHANDSHAKE)
    static let unwantedAlgorithm = GnuTLSErrorCode(rawValue: GNUTLS_E_UNWANTED_ALGORITHM)
    static let fatalAlertReceived = GnuTLSErrorCode(rawValue: GNUTLS_E_FATAL_ALERT_RECEIVED)
    static let handshakeTooLarge = GnuTLSErrorCode(rawValue: GNUTLS_E_HANDSHAKE_TOO_LARGE)
    static let constraintError = GnuTLSErrorCode(rawValue: GNUTLS_E_CONSTRAINT_ERROR)
    static let noApplicationProtocol = GnuTLSErrorCode(rawValue: GNUTLS_E_NO_APPLICATION_PROTOCOL)
    static let noCertificateFound = GnuTLSErrorCode(rawValue: GNUTLS_E_NO_CERTIFICATE_FOUND)

    /// The code's name in `gnutls.h`, like `GNUTLS_E_FATAL_ALERT_RECEIVED`.
    var name: String {
        guard let name = unsafe gnutls_strerror_name(rawValue) else { return "GNUTLS_E \(rawValue)" }
        return unsafe String(cString: name)
    }

    /// The name, as the code of a ``LibraryError``.
    var code: String? { name }

    /// GnuTLS' own words.
    var message: String {
        guard let message = unsafe gnutls_strerror(rawValue) else { return "unknown error \(rawValue)" }
        return unsafe String(cString: message)
    }

    /// True if the session can't continue.
    var isFatal: Bool { gnutls_error_is_fatal(rawValue) != 0 }

    /// True if a PKCS #11 module or token failed. Two codes among theirs are of others: a peer's key that can't be parsed is
    /// reported with one.
    var isTokens: Bool {
        switch rawValue {
        case GNUTLS_E_PARSING_ERROR, GNUTLS_E_LOCKING_ERROR: false
        case GNUTLS_E_PKCS11_REQUESTED_OBJECT_NOT_AVAILBLE: true
        default: (GNUTLS_E_PKCS11_USER_ERROR...GNUTLS_E_PKCS11_ERROR).contains(rawValue)
        }
    }

    /// The cause of a failed handshake, if this code has one of its own.
    var cause: HandshakeFailure.Cause? {
        switch rawValue {
        case GNUTLS_E_UNSUPPORTED_VERSION_PACKET: .versionNotOffered
        case GNUTLS_E_KEY_USAGE_VIOLATION: .keyUsage
        default: nil
        }
    }

    /// Throws where `code` reports an error; counts and successes pass.
    static func check(_ code: CInt) throws(GnuTLSErrorCode) {
        if code < 0 { throw GnuTLSErrorCode(rawValue: code) }
    }

    /// Returns the object that a function of GnuTLS's makes for the caller, who owns it from then on. A function that
    /// reports success and has no object had no memory for it.
    static func made(_ allocate: (inout OpaquePointer?) -> CInt) throws(GnuTLSErrorCode) -> OpaquePointer {
        var object: OpaquePointer?
        try unsafe check(allocate(&object))
        guard let object = unsafe object else { throw GnuTLSErrorCode(rawValue: GNUTLS_E_MEMORY_ERROR) }
        return unsafe object
    }
}

extension HandshakeFailure {
    /// Creates the failure of GnuTLS's initialization, which means nothing for the peer.
    init(settingUp error: GnuTLSErrorCode) {
        self.init(.backendError, "GnuTLS could not be set up: \(error.message)", nativeCode: error.name)
    }

    /// Creates the failure of a handshake that GnuTLS gave up; a token's means nothing for the peer.
    ///
    /// - Parameter signsWithOurKey: true if our certificate took part, whose key usage has the same code as the peer's.
    init(_ error: GnuTLSErrorCode, signsWithOurKey: Bool = false) {
        guard !error.isTokens else {
            self.init(
                .backendError, "the token with the client's key failed: \(error.message)", nativeCode: error.name)
            return
        }
        let cause = error.cause == .keyUsage && signsWithOurKey ? nil : error.cause
        self.init(.protocolError, error.message, nativeCode: error.name, cause: cause)
    }
}

/// An alert that the peer sent.
struct GnuTLSAlert: RawRepresentable, Sendable {
    let rawValue: UInt32

    /// Its description, whose number GnuTLS has in a wider type.
    var kind: HandshakeFailure.Alert { HandshakeFailure.Alert(rawValue: UInt8(truncatingIfNeeded: rawValue)) }

    /// GnuTLS' own words; nil if it has none.
    var words: String? {
        unsafe gnutls_alert_get_name(gnutls_alert_description_t(rawValue)).map { unsafe String(cString: $0) }
    }

    /// The failure of a handshake that it ended.
    var refusal: HandshakeFailure {
        .refused(alert: kind, words, nativeCode: GnuTLSErrorCode.fatalAlertReceived.name)
    }
}
