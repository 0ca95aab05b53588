import CNIOBoringSSL
import NIOSSL
import ProbeKit

/// Sole owner of an `SSL_CTX`: the common settings of all connections of the transport.
///
/// `@unchecked Sendable`: the context is configured in `init` alone, and making connections of one context from several
/// threads is safe as long as nothing changes it (BoringSSL's ssl.h, "SSL contexts"); the reference count is atomic.
@safe final class BoringSSLContext: @unchecked Sendable {
    let pointer: OpaquePointer

    /// BoringSSL's default signature algorithms, in order.
    private static let defaultSignatures = [
        SSL_SIGN_ECDSA_SECP256R1_SHA256, SSL_SIGN_RSA_PSS_RSAE_SHA256, SSL_SIGN_RSA_PKCS1_SHA256,
        SSL_SIGN_ECDSA_SECP384R1_SHA384, SSL_SIGN_RSA_PSS_RSAE_SHA384, SSL_SIGN_RSA_PKCS1_SHA384,
        SSL_SIGN_RSA_PSS_RSAE_SHA512, SSL_SIGN_RSA_PKCS1_SHA512, SSL_SIGN_RSA_PKCS1_SHA1,
    ]

    init() throws(BoringSSLError) {
        BoringSSLError.clear()
        guard let pointer = unsafe SSL_CTX_new(TLS_method()) else { throw BoringSSLError.take("SSL_CTX_new") }
        unsafe self.pointer = pointer
        // Every report is of a full handshake: nothing is cached, no tickets are asked for.
        unsafe SSL_CTX_set_session_cache_mode(pointer, SSL_SESS_CACHE_OFF)
        unsafe SSL_CTX_set_options(pointer, UInt32(SSL_OP_NO_TICKET))
        unsafe SSL_CTX_set_max_cert_list(pointer, HandshakeLimits.certificateMessageBytes)
        // The defaults of a NIOSSL client.
        guard unsafe SSL_CTX_set_cipher_list(pointer, NIOSSL.defaultCipherSuites) == 1 else {
            throw BoringSSLError.take("setting cipher suites")
        }
        // Beyond its defaults, algorithms that BoringSSL can verify: a chain that was not shown can't be judged.
        let signatures = Self.defaultSignatures + [SSL_SIGN_ECDSA_SECP521R1_SHA512, SSL_SIGN_ED25519]
        let prefs = signatures.map { UInt16($0) }
        guard unsafe SSL_CTX_set_verify_algorithm_prefs(pointer, prefs, prefs.count) == 1 else {
            throw BoringSSLError.take("setting signature algorithms")
        }
        // Trust is judged after the handshake, on the whole chain: the handshake itself accepts every certificate.
        unsafe SSL_CTX_set_custom_verify(pointer, SSL_VERIFY_PEER) { _, _ in ssl_verify_ok }
        unsafe SSL_CTX_enable_ocsp_stapling(pointer)
        unsafe SSL_CTX_enable_signed_cert_timestamps(pointer)
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
    }
}
