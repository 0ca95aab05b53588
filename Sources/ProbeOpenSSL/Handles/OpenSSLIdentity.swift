import CProbeOpenSSL
package import ProbeKit

/// Sole owner of a client's certificates and private key as OpenSSL has them.
@safe package final class OpenSSLIdentity {
    private let certificates: [OpenSSLCertificate]
    private let key: OpaquePointer

    package init(_ identity: ClientIdentity) throws(OpenSSLError) {
        var certificates: [OpenSSLCertificate] = []
        for der in identity.chain { certificates.append(try OpenSSLCertificate(der: der)) }
        self.certificates = certificates
        OpenSSLError.clear()
        guard case .pkcs8(let secret) = identity.key else {
            throw OpenSSLError(code: nil, message: "its key is in a token", sslReason: nil)
        }
        let parsed = unsafe secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer -> OpaquePointer? in
                var cursor = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
                return unsafe d2i_AutoPrivateKey(nil, &cursor, buffer.count)
            }
        }
        guard let key = unsafe parsed else { throw OpenSSLError.take("reading the private key") }
        unsafe self.key = key
    }

    deinit {
        unsafe EVP_PKEY_free(key)
    }

    /// Has one connection show the identity to a server that asks.
    package func attach(to ssl: OpaquePointer) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let leaf = certificates.first, unsafe SSL_use_certificate(ssl, leaf.pointer) == 1,
            unsafe SSL_use_PrivateKey(ssl, key) == 1,
            certificates.dropFirst().allSatisfy({ unsafe cprobe_ssl_add_issuer(ssl, $0.pointer) == 1 })
        else { throw OpenSSLError.take("setting the client certificate") }
    }

    /// Has all connections of a context show the identity to servers that ask.
    package func attach(toContext context: OpaquePointer) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let leaf = certificates.first, unsafe SSL_CTX_use_certificate(context, leaf.pointer) == 1,
            unsafe SSL_CTX_use_PrivateKey(context, key) == 1,
            certificates.dropFirst().allSatisfy({ unsafe cprobe_ctx_add_issuer(context, $0.pointer) == 1 })
        else { throw OpenSSLError.take("setting the client certificate") }
    }
}
