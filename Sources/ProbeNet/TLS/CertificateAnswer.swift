/// Our answer to a server's request for a certificate, followed in the handshake messages that a library writes.
///
/// A library collects the whole flight first, and drops it if it can't sign CertificateVerify, as GnuTLS does before TLS 1.3 with a
/// key that the server's signature algorithms exclude. So a Certificate message counts as sent with the flight's last message,
/// Finished (RFC 8446 section 4.4.4, RFC 5246 section 7.4.9).
package struct CertificateAnswer: Sendable {
    /// The HandshakeType of Finished (RFC 8446 section 4).
    private static let finished: UInt8 = 20

    /// True if the Certificate message of a flight that is not complete has certificates, false if it has none.
    private var written: Bool?

    /// Creates the answer before the first message.
    package init() {}

    /// Takes a message of ours, with its header. Returns true with the end of a flight with certificates, false with that of one
    /// whose Certificate message has none, and nil for all others.
    ///
    /// - Parameter isLate: true after the handshake.
    package mutating func take(_ message: UnsafeRawBufferPointer, isLate: Bool) -> Bool? {
        if let hasCertificates = unsafe CertificateMessage.hasCertificates(message, isLate: isLate) {
            written = hasCertificates
            return nil
        }
        guard unsafe message.first == Self.finished, let written else { return nil }
        self.written = nil
        return written
    }
}
