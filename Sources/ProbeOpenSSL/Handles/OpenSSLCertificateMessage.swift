import CProbeOpenSSL

/// A certificate message that the client sends, as OpenSSL shows it.
package enum OpenSSLCertificateMessage {
    /// Returns whether a handshake message is one with certificates; nil if it is another message.
    ///
    /// - Parameter isLate: true after the handshake, where the message repeats the request's context (RFC 8446
    ///   section 4.4.2).
    package static func hasCertificates(_ message: UnsafeRawBufferPointer, isLate: Bool) -> Bool? {
        guard unsafe message.first.map(CInt.init) == SSL3_MT_CERTIFICATE else { return nil }
        // The header, the context with its length, and the length of the list.
        let context = unsafe isLate && message.count > 4 ? Int(message[4]) : 0
        return message.count > 8 + context
    }
}
