public import ProbeKit

/// The result of decrypting received records.
public struct DecryptedBytes: Sendable {
    /// The peer's bytes.
    public let bytes: [UInt8]
    /// The reason why nothing more can come; nil if more may.
    public let end: RecordFailure?

    /// Creates a result of plaintext, and the reason for its end.
    public init(_ bytes: [UInt8], end: RecordFailure? = nil) {
        self.bytes = bytes
        self.end = end
    }
}

/// The reason why records can't be read or written any more.
public struct RecordFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A one-line message, without the code.
    public let message: String
    /// The stack's own code, whole.
    public let nativeCode: String?
    /// The alert, when the peer ended it with one.
    public let alert: HandshakeFailure.Alert?

    /// Creates a failure in the stack's own words, with its own code if it has one.
    public init(_ message: String, nativeCode: String? = nil, alert: HandshakeFailure.Alert? = nil) {
        self.message = message
        self.nativeCode = nativeCode
        self.alert = alert
    }

    /// A one-line message with the code.
    public var description: String { message + (nativeCode.map { " (\($0))" } ?? "") }

    /// True if the peer closed its side: user_canceled is a closure alert too, and not about the client (RFC 8446 section 6.1).
    var isClose: Bool { self == .closed || alert == .userCanceled }

    /// The peer's refusal of a client whose handshake is complete; nil if it did not end with an alert, or with one that
    /// closes.
    var refusal: HandshakeFailure? {
        guard let alert, !isClose else { return nil }
        return .refused(alert: alert, message, nativeCode: nativeCode, isAfterHandshake: true)
    }

    /// The peer asked for a client certificate more often than ``HandshakeLimits/lateCertificateRequests``.
    public static let askedTooOften = RecordFailure(
        "the peer asked for a client certificate more than \(HandshakeLimits.lateCertificateRequests) times after the handshake"
    )

    /// The peer closed its side properly (RFC 8446 section 6.1).
    public static let closed = RecordFailure(HandshakeFailure.closedWithNotify().message)
}

extension HandshakeFailure.Alert {
    /// The sender ends the connection for a reason of its own; a close_notify follows (RFC 8446 section 6.1).
    package static let userCanceled = Self(rawValue: 90)
}
