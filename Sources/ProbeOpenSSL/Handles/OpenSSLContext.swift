import CProbeOpenSSL
package import ProbeKit
import ProbeNet
import Synchronization

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
        unsafe cprobe_ctx_take_any_chain(pointer)
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
    }
}

/// A backend's context, made at its first handshake: making one takes longer than a handshake, and a program that
/// uses other backends, or none, need not wait for it.
package final class OpenSSLFirstUse: Sendable {
    private let made = Mutex<OpenSSLContext?>(nil)

    package init() {}

    /// Returns the same context at every call; a failed attempt to make it is repeated.
    ///
    /// - Throws: ``HandshakeFailure`` with the code `backend-error`.
    package func context() throws(HandshakeFailure) -> OpenSSLContext {
        if let absence = OpenSSLLibrary.absence { throw absence.handshakeFailure }
        return try made.withLock { made throws(HandshakeFailure) in
            if let context = made { return context }
            do throws(OpenSSLError) {
                let context = try OpenSSLContext()
                made = context
                return context
            } catch {
                throw error.backendFailure
            }
        }
    }
}
