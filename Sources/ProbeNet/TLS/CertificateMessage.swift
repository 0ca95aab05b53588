import ProbeKit

/// A Certificate message as TLS libraries show it: whole, decrypted, and with its header.
package enum CertificateMessage {
    /// Its HandshakeType (RFC 8446 section 4).
    private static let type: UInt8 = 11

    /// Returns true for a message of the client's with certificates, false for one without; nil for another message.
    ///
    /// - Parameter isLate: true after the handshake, where the message repeats the request's context (RFC 8446
    ///   section 4.4.2).
    package static func hasCertificates(_ message: UnsafeRawBufferPointer, isLate: Bool) -> Bool? {
        guard unsafe message.first == type else { return nil }
        // The header, the context with its length, and the length of the list.
        let context = unsafe isLate && message.count > 4 ? Int(message[4]) : 0
        return message.count > 8 + context
    }

    /// Returns the certificates of a server's message, byte for byte; nil if it is malformed, or has more of them than
    /// ``HandshakeLimits/certificates``: the part that can be read would be judged as if it were the whole chain.
    ///
    /// - Parameter hasExtensions: true in the form of RFC 8446 section 4.4.2, which has a context before the list and
    ///   extensions after each certificate; false in that of RFC 5246 section 7.4.2.
    package static func certificates(in message: [UInt8], hasExtensions: Bool) -> [[UInt8]]? {
        var rest = OctetReader(message[...])
        guard rest.number(1) == UInt64(type), let body = rest.vector(3), rest.isEmpty else { return nil }
        rest = OctetReader(body)
        // A server answers no request with it, so that its context is empty.
        if hasExtensions, rest.number(1) != 0 { return nil }
        guard let list = rest.vector(3), rest.isEmpty else { return nil }
        var entries = OctetReader(list)
        var certificates: [[UInt8]] = []
        while !entries.isEmpty {
            guard certificates.count < HandshakeLimits.certificates, let certificate = entries.vector(3),
                !certificate.isEmpty
            else { return nil }
            if hasExtensions, entries.vector(2) == nil { return nil }
            certificates.append(Array(certificate))
        }
        return certificates
    }
}
