/// A server's first flight in TLS 1.2, as data: a regular one, or one that no library sends. The handshake around it is
/// complete, so that a client passes or fails by its own judgement.
public enum LabFlight: Hashable, Sendable {
    /// As libraries send it.
    case regular
    /// The random ends like that of a server that has TLS 1.3 and was asked for TLS 1.2 (RFC 8446 section 4.1.3).
    case downgraded
    /// The key share is signed with SHA-1.
    case signedWithSHA1
    /// The key share is signed with MD5; only a P-256 key of the lab can.
    case signedWithMD5
    /// No renegotiation_info answers the client's (RFC 5746 section 3.6).
    case withoutSecureRenegotiation
    /// The acknowledgement of SNI, which has to be empty (RFC 6066 section 3), has the name `good.test`.
    case repeatingServerName
    /// An extension of a number that is not assigned.
    case withUnknownExtension
    /// An extension that clients know and did not send: max_fragment_length (RFC 6066 section 4).
    case withUnsolicitedExtension
    /// Two extensions of one type.
    case withRepeatedExtension
}
