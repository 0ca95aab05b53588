extension HandshakeFailure {
    /// A TLS alert by its description, one byte (RFC 8446 section 6).
    public struct Alert: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The number in the alert message.
        public let rawValue: UInt8

        /// Creates an alert of a number, with or without a name.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The RFC's name, like `handshake_failure`; nil if the number has none.
        public var name: String? { Self.names[rawValue] }

        /// The name, or the number of an alert without one.
        public var description: String { name ?? "\(rawValue)" }
    }
}

/// The alerts that decide something here.
extension HandshakeFailure.Alert {
    /// The server accepts none of the parameters that were offered, or before TLS 1.3 no client without a certificate.
    public static let handshakeFailure = Self(rawValue: 40)
    /// A certificate was asked for, and the sender has none (SSL 3.0).
    public static let noCertificate = Self(rawValue: 41)
    /// The certificate is broken.
    public static let badCertificate = Self(rawValue: 42)
    /// The certificate is of a kind that is not supported.
    public static let unsupportedCertificate = Self(rawValue: 43)
    /// The certificate was revoked.
    public static let certificateRevoked = Self(rawValue: 44)
    /// The certificate is expired, or not yet valid.
    public static let certificateExpired = Self(rawValue: 45)
    /// The certificate is not acceptable for a reason without an alert of its own.
    public static let certificateUnknown = Self(rawValue: 46)
    /// The certificate leads to no authority that is known.
    public static let unknownAuthority = Self(rawValue: 48)
    /// The certificate is valid, and its owner is not admitted.
    public static let accessDenied = Self(rawValue: 49)
    /// None of the versions that were offered is supported.
    public static let protocolVersion = Self(rawValue: 70)
    /// The peer failed itself.
    public static let internalError = Self(rawValue: 80)
    /// The server does not know the name, or wants one.
    public static let unrecognizedName = Self(rawValue: 112)
    /// The server accepts no client without a certificate.
    public static let certificateRequired = Self(rawValue: 116)
    /// The server speaks none of the application protocols that were offered.
    public static let noApplicationProtocol = Self(rawValue: 120)
}

extension HandshakeFailure.Alert {
    /// The names of RFC 8446 section 6, and of older versions' alerts, which its appendix B.2 reserves.
    private static let names: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate",
        42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
        46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error",
        51: "decrypt_error", 60: "export_restriction", 70: "protocol_version", 71: "insufficient_security",
        80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation",
        109: "missing_extension", 110: "unsupported_extension", 111: "certificate_unobtainable",
        112: "unrecognized_name", 113: "bad_certificate_status_response", 114: "bad_certificate_hash_value",
        115: "unknown_psk_identity", 116: "certificate_required", 120: "no_application_protocol",
    ]
}
