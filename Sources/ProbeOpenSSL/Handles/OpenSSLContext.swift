import CProbeOpenSSL

/// Sole owner of an `SSL_CTX`: the common settings of all connections of an engine's maker.
///
/// `@unchecked Sendable`: the context is configured in `init` alone, and OpenSSL documents making connections of one
/// context from several threads as safe (openssl-threads(7)); the reference count is atomic.
@safe package final class OpenSSLContext: @unchecked Sendable {
    let pointer: OpaquePointer

    init() throws(OpenSSLError) {
        OpenSSLError.clear()
        guard OPENSSL_init_ssl(0, nil) == 1 else { throw OpenSSLError.take("OPENSSL_init_ssl") }
        guard let pointer = unsafe SSL_CTX_new(TLS_client_method()) else { throw OpenSSLError.take("SSL_CTX_new") }
        unsafe self.pointer = pointer
        // Every report is of a full handshake: nothing is cached, no tickets are asked for.
        unsafe SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        unsafe SSL_CTX_set_options(pointer, cprobe_full_handshake_options())
        // A client certificate is sent with the issuers that were given with it, and with no others.
        unsafe SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(SSL_MODE_NO_AUTO_CHAIN), nil)
        unsafe cprobe_ctx_take_any_chain(pointer)
        unsafe OpenSSLPolicy.setRule(ofContext: pointer)
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
    }
}
