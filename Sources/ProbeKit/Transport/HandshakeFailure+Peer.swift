/// A peer's part in failures, in the same words for each stack, so that stacks differ in their codes and decisions alone.
extension HandshakeFailure {
    /// The peer refused with an alert.
    ///
    /// - Parameters:
    ///   - alert: the alert.
    ///   - words: the stack's name for it; nil if it has none.
    ///   - isAfterHandshake: true if the client's side of the handshake was complete.
    public static func refused(
        alert: Alert, _ words: String?, nativeCode: String? = nil, isAfterHandshake: Bool = false
    ) -> HandshakeFailure {
        let when = isAfterHandshake ? " after the handshake" : ""
        return HandshakeFailure(
            .alertReceived, "the peer refused\(when) with alert \(alert.rawValue) (\(words ?? "unknown"))",
            nativeCode: nativeCode,
            alert: alert, isAfterHandshake: isAfterHandshake)
    }

    /// The peer closed the connection properly before the handshake was complete (RFC 8446 section 6.1).
    public static func closedWithNotify(nativeCode: String? = nil) -> HandshakeFailure {
        HandshakeFailure(
            .connectionClosed, "the peer closed the connection with a close_notify alert", nativeCode: nativeCode)
    }

    /// The TCP connection ended during the handshake.
    ///
    /// - Parameter didReceive: true if the peer had sent anything.
    public static func closed(didReceive: Bool, nativeCode: String? = nil) -> HandshakeFailure {
        HandshakeFailure(
            .connectionClosed,
            "the peer closed the connection \(didReceive ? "during the handshake" : "before it said anything")",
            nativeCode: nativeCode)
    }

    /// The peer reset the TCP connection during the handshake.
    public static func reset(nativeCode: String? = nil) -> HandshakeFailure {
        HandshakeFailure(
            .connectionReset, "the peer reset the connection during the handshake", nativeCode: nativeCode)
    }

    /// The peer closed the TCP connection when the client's side of the handshake was complete.
    public static let closedRightAfter = HandshakeFailure(
        .connectionClosed, "the peer closed the connection right after the handshake", isAfterHandshake: true)

    /// The peer reset the TCP connection when the client's side of the handshake was complete.
    public static func resetRightAfter(nativeCode: String? = nil) -> HandshakeFailure {
        HandshakeFailure(
            .connectionReset, "the peer reset the connection right after the handshake", nativeCode: nativeCode,
            isAfterHandshake: true)
    }

    /// The deadline passed during the handshake.
    ///
    /// - Parameter didReceive: true if the peer had sent anything.
    public static func silent(didReceive: Bool, nativeCode: String? = nil) -> HandshakeFailure {
        let behaviour =
            didReceive ? "the peer did not complete the handshake" : "the peer took the connection and said nothing"
        return HandshakeFailure(.handshakeTimeout, "\(behaviour) before the deadline", nativeCode: nativeCode)
    }

    /// The peer sent more than ``HandshakeLimits/certificates``. Such a chain is not reported: its first part would be
    /// judged as if it were complete.
    public static func tooManyCertificates(_ count: Int) -> HandshakeFailure {
        HandshakeFailure(
            .chainTooLong,
            "the peer sent \(count) certificates, more than the \(HandshakeLimits.certificates) that are taken")
    }

    /// The peer's certificate message is larger than ``HandshakeLimits/certificateMessageBytes``.
    public static func certificatesTooLarge(nativeCode: String? = nil) -> HandshakeFailure {
        HandshakeFailure(
            .chainTooLong,
            "the peer's certificate message is larger than \(HandshakeLimits.certificateMessageBytes) bytes",
            nativeCode: nativeCode)
    }

    /// Returns the failure of a peer whose first bytes can't begin a TLS record: they are of no type that there is, or no
    /// TLS has their version (RFC 8446 section 5.1); nil where they can.
    ///
    /// - Parameter bytes: what the peer sent so far; one byte is enough to see a wrong type.
    public static func notTLS(beginning bytes: some Collection<UInt8>) -> HandshakeFailure? {
        let first = Array(bytes.prefix(2))
        guard let type = first.first else { return nil }
        if beginsRecord(type), first.count < 2 || first[1] == 3 { return nil }
        return .notTLS(bytes)
    }

    /// Returns true if a TLS record may begin with this byte, its type (RFC 8446 section 5.1; 24 is RFC 6520's).
    package static func beginsRecord(_ byte: UInt8) -> Bool { (20...24).contains(byte) }
}

/// Limits of the stack and of this process, which mean nothing for the peer.
extension HandshakeFailure {
    /// The stack does not take the request's ``ClientOffer``; nothing was sent.
    public static func unsendableOffer(_ words: String, nativeCode: String? = nil) -> HandshakeFailure {
        HandshakeFailure(.unsupported, "the stack can't send the offer: \(words)", nativeCode: nativeCode)
    }

    /// The stack does not take the request's ``ClientIdentity``; nothing was sent.
    public static func unusableIdentity(_ words: String, nativeCode: String? = nil) -> HandshakeFailure {
        HandshakeFailure(
            .unsupported, "this stack can't use the client certificate: \(words)", nativeCode: nativeCode)
    }

    /// The caller did not wait for the end.
    public static let cancelled = HandshakeFailure(.backendError, "the probe was cancelled")
    /// There was no memory for what the peer sent.
    public static let outOfMemory = HandshakeFailure(.backendError, "there was no memory for the peer's bytes")
}
