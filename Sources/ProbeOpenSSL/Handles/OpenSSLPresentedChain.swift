import CProbeOpenSSL
package import ProbeKit
import ProbeNet

/// The certificates that a server sent, byte for byte, beside those that OpenSSL parsed.
///
/// OpenSSL parses BER, and of a certificate it keeps the bytes of tbsCertificate alone (`ASN1_SEQUENCE_enc` in its
/// crypto/x509/x_x509.c): `i2d_X509` encodes the rest anew, and would report DER where the server sent none. So the bytes
/// are those of the server's message.
package struct OpenSSLPresentedChain: Sendable {
    private enum Message {
        /// It did not come, or in a form that OpenSSL does not show, like a compressed one (RFC 8879).
        case unseen
        case malformed
        case certificates([[UInt8]])
    }

    private var message = Message.unseen

    /// Creates the chain of a handshake that begins.
    package init() {}

    /// Takes a handshake message of the server; one that is not its certificate message changes nothing.
    ///
    /// - Parameter version: the version that the server chose.
    package mutating func note(_ message: UnsafeRawBufferPointer, version: TLSVersion?) {
        guard unsafe message.first.map(CInt.init) == SSL3_MT_CERTIFICATE else { return }
        let bytes = unsafe Array(message)
        guard let version,
            let certificates = CertificateMessage.certificates(in: bytes, hasExtensions: version >= .tls13)
        else { return self.message = .malformed }
        self.message = .certificates(certificates)
    }

    /// Returns the failure of a handshake in which OpenSSL parsed another number of certificates than the message has; nil
    /// where they are as many, or no message was seen.
    package func disagreement(parsed count: Int) -> HandshakeFailure? {
        switch message {
        case .unseen: nil
        case .certificates(let certificates) where certificates.count == count: nil
        case .certificates(let certificates):
            HandshakeFailure(
                .backendError,
                "OpenSSL parsed \(count.counted("certificate")), and the server's message has \(certificates.count)")
        case .malformed:
            HandshakeFailure(
                .backendError,
                "OpenSSL parsed \(count.counted("certificate")) of a certificate message that is malformed")
        }
    }

    /// Returns the certificates that OpenSSL parsed, each with the bytes that it came in. Where no message was seen, they
    /// are left to OpenSSL's encoder.
    ///
    /// - Parameter stack: OpenSSL's stack of certificates in the order they were presented.
    /// - Throws: the failure of ``disagreement(parsed:)``.
    package func certificates(parsed stack: OpaquePointer?) throws(HandshakeFailure) -> [OpenSSLCertificate] {
        let count = unsafe stack.map { unsafe cprobe_certificates_count($0) } ?? 0
        if let failure = disagreement(parsed: Int(count)) { throw failure }
        let sent: [[UInt8]]? = if case .certificates(let certificates) = message { certificates } else { nil }
        return (0..<count).compactMap { index in
            guard let certificate = unsafe cprobe_certificate_at(stack, index) else { return nil }
            return unsafe OpenSSLCertificate(sharing: certificate, presented: sent?[Int(index)])
        }
    }

    /// The certificates of a message that OpenSSL parsed none of: it drops the whole chain for one that it can't parse
    /// (`tls_process_server_certificate`). Nil where there are none.
    package var unparsed: [[UInt8]]? {
        guard case .certificates(let certificates) = message, !certificates.isEmpty else { return nil }
        return certificates
    }
}
