import CProbeOpenSSL
import ProbeKit

/// Sole owner of an `SSL` over two memory BIOs, which the `SSL` owns in turn.
@safe final class OpenSSLConnection {
    /// How far the handshake got.
    enum Step {
        case wantsInput
        case done
        case failed(OpenSSLError)
    }

    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    /// Set by the context's callback when the server asks for a certificate; freed after the `SSL` that points to it.
    private let requestFlag: UnsafeMutablePointer<CInt>
    private let context: OpenSSLContext

    init(_ context: OpenSSLContext) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let ssl = unsafe SSL_new(context.pointer) else { throw OpenSSLError.take("SSL_new") }
        guard let input = unsafe BIO_new(BIO_s_mem()) else {
            unsafe SSL_free(ssl)
            throw OpenSSLError.take("BIO_new")
        }
        guard let output = unsafe BIO_new(BIO_s_mem()) else {
            unsafe BIO_free(input)
            unsafe SSL_free(ssl)
            throw OpenSSLError.take("BIO_new")
        }
        unsafe SSL_set_bio(ssl, input, output)
        unsafe SSL_set_connect_state(ssl)
        unsafe self.ssl = ssl
        unsafe self.input = input
        unsafe self.output = output
        unsafe requestFlag = .allocate(capacity: 1)
        unsafe requestFlag.initialize(to: 0)
        self.context = context
        unsafe cprobe_ssl_set_request_flag(ssl, requestFlag)
        unsafe cprobe_ssl_set_max_certificate_list(ssl, HandshakeLimits.certificateMessageBytes)
        unsafe cprobe_ssl_ask_for_ocsp(ssl)
        unsafe cprobe_ssl_ask_for_scts(ssl)
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe requestFlag.deallocate()
    }

    // MARK: Before the handshake

    func offer(versions: ClosedRange<TLSVersion>, alpn: [String]) throws(OpenSSLError) {
        OpenSSLError.clear()
        // Level 1 lets weak keys be seen, which the trust decision then refuses. What is older than TLS 1.2 needs SHA-1.
        unsafe SSL_set_security_level(ssl, versions.lowerBound < .tls12 ? 0 : 1)
        let (oldest, newest) = (CInt(versions.lowerBound.wireValue), CInt(versions.upperBound.wireValue))
        guard unsafe cprobe_ssl_set_versions(ssl, oldest, newest) == 1 else {
            throw OpenSSLError.take("setting versions")
        }
        guard !alpn.isEmpty else { return }
        let list = alpn.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
        guard unsafe SSL_set_alpn_protos(ssl, list, UInt32(list.count)) == 0 else {
            throw OpenSSLError.take("setting ALPN")
        }
    }

    func setServerName(_ name: String) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard unsafe cprobe_ssl_set_server_name(ssl, name) == 1 else { throw OpenSSLError.take("setting SNI") }
    }

    // MARK: During the handshake

    func feed(_ bytes: UnsafeRawBufferPointer) {
        // A memory BIO takes everything or fails for want of memory; then the handshake just does not go on.
        unsafe BIO_write(input, bytes.baseAddress, CInt(clamping: bytes.count))
    }

    func handshake() -> Step {
        OpenSSLError.clear()
        let result = unsafe SSL_do_handshake(ssl)
        if result == 1 { return .done }
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsInput
        default: return .failed(OpenSSLError.take("the handshake"))
        }
    }

    /// Whether the message that is being read, or was when the handshake failed, is the server's certificate message.
    var isReadingCertificates: Bool { unsafe SSL_get_state(ssl) == TLS_ST_CR_CERT }

    func drain() -> [UInt8] {
        let pending = unsafe BIO_ctrl_pending(output)
        guard pending > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: pending) { buffer, count in
            count = unsafe Int(max(0, BIO_read(output, buffer.baseAddress, CInt(clamping: pending))))
        }
    }

    // MARK: Facts

    /// Whether the server's hello has been processed, so that there are negotiated parameters.
    var hasNegotiated: Bool { unsafe SSL_get_current_cipher(ssl) != nil }

    /// The certificates as the server sent them.
    var chain: [OpenSSLCertificate] {
        guard let stack = unsafe SSL_get_peer_cert_chain(ssl) else { return [] }
        let count = unsafe cprobe_certificates_count(stack)
        return (0..<count).compactMap { index in
            unsafe cprobe_certificate_at(stack, index).map { unsafe OpenSSLCertificate(sharing: $0) }
        }
    }

    var version: TLSVersion? { TLSVersion(wireValue: UInt16(truncatingIfNeeded: unsafe SSL_version(ssl))) }

    var cipherSuite: String? {
        guard let cipher = unsafe SSL_get_current_cipher(ssl), let name = unsafe SSL_CIPHER_standard_name(cipher) else {
            return nil
        }
        return unsafe String(cString: name)
    }

    /// The group by its IANA name: OpenSSL has other names for three of them.
    var group: String? {
        let nid = unsafe cprobe_ssl_group_nid(ssl)
        guard nid > 0, let name = unsafe OBJ_nid2sn(nid) else { return nil }
        return switch unsafe String(cString: name) {
        case "prime256v1": "secp256r1"
        case let name: name.lowercased()
        }
    }

    var alpn: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name = unsafe name, length > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    var ocspStaple: [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        let length = unsafe cprobe_ssl_ocsp_response(ssl, &bytes)
        guard length > 0, let bytes = unsafe bytes else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
    }

    /// SCTs of the TLS extension and the staple; those in the certificate are in its bytes.
    var handshakeSCTs: [[UInt8]] {
        guard let scts = unsafe SSL_get0_peer_scts(ssl) else { return [] }
        let count = unsafe cprobe_scts_count(scts)
        return (0..<count).compactMap { index in
            guard let sct = unsafe cprobe_sct_at(scts, index),
                unsafe SCT_get_source(sct) != SCT_SOURCE_X509V3_EXTENSION
            else { return nil }
            return unsafe OpenSSLEncoding.bytes { output in unsafe i2o_SCT(sct, output) }
        }
    }

    var certificateWasRequested: Bool { unsafe requestFlag.pointee != 0 }
}
