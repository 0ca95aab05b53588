import CProbeOpenSSL
import ProbeKit
import ProbeOpenSSL

/// The settings of the contexts that libcurl makes for one handshake.
struct CurlContextSettings {
    let request: HandshakeRequest
    let offer: OpenSSLOffer?
    let anchors: OpenSSLAnchors

    /// Sets up a context. Returns the security level that libcurl would have verified at.
    func apply(to context: OpaquePointer) throws(OpenSSLError) -> CInt {
        OpenSSLError.clear()
        // Every report is of a full handshake: nothing is cached, no tickets are asked for.
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        unsafe SSL_CTX_set_options(context, cprobe_full_handshake_options())
        // The bytes that came before the request are counted on the socket, so OpenSSL may not read beyond a record.
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 0, nil)
        // A client certificate is sent with the issuers that were given with it: OpenSSL would add anchors
        // (SSL_CTX_set_mode(3)).
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(SSL_MODE_NO_AUTO_CHAIN), nil)
        unsafe cprobe_ctx_set_max_certificate_list(context, HandshakeLimits.certificateMessageBytes)
        unsafe cprobe_ctx_ask_for_ocsp(context)
        unsafe cprobe_ctx_ask_for_scts(context)
        let securityLevel = unsafe SSL_CTX_get_security_level(context)
        unsafe OpenSSLPolicy.setRule(ofContext: context)
        unsafe SSL_CTX_set_security_level(
            context, OpenSSLPolicy.securityLevel(for: OpenSSLPolicy.versions(of: request.versions)))
        // Loaded once for many handshakes, with the flags that libcurl verifies by.
        unsafe SSL_CTX_set1_cert_store(context, try anchors.store(for: request.anchors).pointer)
        if let offer { try unsafe offer.apply(toContext: context) }
        guard !request.alpn.isEmpty else { return securityLevel }
        // libcurl itself offers h2 and http/1.1 only, and uses the negotiated one. The names' lengths were checked.
        let list = request.alpn.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        guard unsafe SSL_CTX_set_alpn_protos(context, list, UInt32(list.count)) == 0 else {
            throw OpenSSLError.take("setting ALPN")
        }
        return securityLevel
    }
}
