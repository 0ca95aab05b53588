import CProbeOpenSSL
import ProbeKit
import ProbeNet

/// Sole owner of an `SSL` over two memory BIOs, which the `SSL` owns in turn.
@safe final class OpenSSLConnection {
    /// The progress of the handshake.
    enum Step {
        case wantsInput
        case done
        case closed
        case failed(OpenSSLError)
    }

    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private let context: OpenSSLContext
    /// The version that the server's hello chose, once it has been processed.
    private(set) var negotiatedVersion: TLSVersion?
    /// The server's certificates as its message has them.
    private(set) var presented = OpenSSLPresentedChain()
    /// True if the server asked for a client certificate.
    private(set) var certificateWasRequested = false
    /// True if one was sent, false if the request was answered without one; nil if it was not answered.
    private(set) var certificateWasSent: Bool?
    private var certificateAnswer = CertificateAnswer()
    /// The server's request for one after the handshake, once it has been answered.
    private(set) var lateCertificateRequest: LateCertificateRequest?
    /// True if the handshake is complete.
    private(set) var isComplete = false
    /// True if there was no memory for bytes of the peer.
    private(set) var hasLostBytes = false
    private var lateRequests = 0
    /// True if it asked more often than is answered.
    var asksTooOften: Bool { lateRequests > HandshakeLimits.lateCertificateRequests }

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
        self.context = context
        unsafe cprobe_ssl_set_max_certificate_list(ssl, HandshakeLimits.certificateMessageBytes)
        unsafe cprobe_ssl_ask_for_ocsp(ssl)
        unsafe cprobe_ssl_ask_for_scts(ssl)
        // `self` owns the `SSL`, so it is there whenever the callback is.
        unsafe cprobe_ssl_set_message_data(ssl, Unmanaged.passUnretained(self).toOpaque())
        unsafe SSL_set_msg_callback(ssl) { isWritten, _, type, bytes, count, _, connection in
            guard type == SSL3_RT_HANDSHAKE, count > 0, let bytes = unsafe bytes,
                let connection = unsafe connection
            else { return }
            let this = unsafe Unmanaged<OpenSSLConnection>.fromOpaque(connection).takeUnretainedValue()
            let message = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            if isWritten == 0 { unsafe this.note(message) } else { unsafe this.noteSent(message) }
        }
    }

    deinit {
        unsafe SSL_free(ssl)
    }

    // MARK: Before the handshake

    func offer(versions: ClosedRange<TLSVersion>, alpn: [String]) throws(OpenSSLError) {
        OpenSSLError.clear()
        let versions = OpenSSLPolicy.versions(of: versions)
        unsafe SSL_set_security_level(ssl, OpenSSLPolicy.securityLevel(for: versions))
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

    /// Replaces the library's own lists by an offer's.
    func offer(_ offer: OpenSSLOffer) throws(OpenSSLError) {
        try unsafe offer.apply(toConnection: ssl)
    }

    /// Asks for a session ticket, which is given up with the connection.
    func askForTicket() {
        unsafe SSL_clear_options(ssl, cprobe_ticket_option())
    }

    func setServerName(_ name: String) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard unsafe cprobe_ssl_set_server_name(ssl, name) == 1 else { throw OpenSSLError.take("setting SNI") }
    }

    /// Shows an identity to a server that asks for one.
    func show(_ identity: OpenSSLIdentity) throws(OpenSSLError) {
        unsafe try identity.attach(to: ssl)
    }

    /// Lets the server ask for a certificate after the handshake too (RFC 8446 section 4.2.6).
    func allowLateCertificateRequest() {
        unsafe SSL_set_post_handshake_auth(ssl, 1)
    }

    // MARK: During the handshake

    /// Takes bytes of the peer; a memory BIO takes all of them, or none for lack of memory.
    func feed(_ bytes: RawSpan) {
        let written = unsafe bytes.withUnsafeBytes {
            unsafe BIO_write(input, $0.baseAddress, CInt(clamping: $0.count))
        }
        if written != bytes.byteCount { hasLostBytes = true }
    }

    func handshake() -> Step {
        OpenSSLError.clear()
        let result = unsafe SSL_do_handshake(ssl)
        if result == 1 {
            isComplete = true
            return .done
        }
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsInput
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: return .failed(OpenSSLError.take("the handshake"))
        }
    }

    /// Records a handshake message of the server: the one after its hello finds the hello processed.
    private func note(_ message: UnsafeRawBufferPointer) {
        let type = unsafe CInt(message[0])
        if negotiatedVersion == nil, OpenSSLFacts.comesAfterHello(type) {
            negotiatedVersion = withFacts { $0.version }
        }
        unsafe presented.note(message, version: negotiatedVersion)
        guard type == SSL3_MT_CERTIFICATE_REQUEST else { return }
        guard isComplete else { return certificateWasRequested = true }
        lateRequests += 1
        // OpenSSL drops all that comes after this.
        if asksTooOften { unsafe SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN) }
    }

    /// Records a handshake message of ours.
    private func noteSent(_ message: UnsafeRawBufferPointer) {
        guard let isAnswered = unsafe certificateAnswer.take(message, isLate: isComplete) else { return }
        if !isComplete { return certificateWasSent = isAnswered }
        lateCertificateRequest = LateCertificateRequest(
            issuers: withFacts { $0.clientCertificateIssuers }, isAnswered: isAnswered)
    }

    func drain() -> [UInt8] {
        let pending = unsafe BIO_ctrl_pending(output)
        guard pending > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: pending) { buffer, count in
            count = unsafe Int(max(0, BIO_read(output, buffer.baseAddress, CInt(clamping: pending))))
        }
    }

    // MARK: After the handshake

    /// Decrypts all available data, and returns the reason why it stopped; never `done`.
    func read() -> (bytes: [UInt8], end: Step) {
        var bytes: [UInt8] = []
        var record = [UInt8](repeating: 0, count: Int(SSL3_RT_MAX_PLAIN_LENGTH))
        while true {
            OpenSSLError.clear()
            let count = unsafe record.withUnsafeMutableBytes { buffer in
                unsafe SSL_read(ssl, buffer.baseAddress, CInt(clamping: buffer.count))
            }
            if count > 0 {
                bytes += record.prefix(Int(count))
                continue
            }
            if asksTooOften { return (bytes, .closed) }
            return switch unsafe SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: (bytes, .wantsInput)
            case SSL_ERROR_ZERO_RETURN: (bytes, .closed)
            default: (bytes, .failed(OpenSSLError.take("reading")))
            }
        }
    }

    /// Encrypts all of it; memory takes everything at once.
    func write(_ plaintext: RawSpan) throws(OpenSSLError) {
        guard !plaintext.isEmpty else { return }
        OpenSSLError.clear()
        let count = unsafe plaintext.withUnsafeBytes { unsafe SSL_write(ssl, $0.baseAddress, CInt(clamping: $0.count)) }
        guard count == plaintext.byteCount else { throw OpenSSLError.take("writing") }
    }

    /// Ends our side; the peer's is not waited for.
    func close() {
        unsafe SSL_shutdown(ssl)
        OpenSSLError.clear()
    }

    // MARK: Facts

    /// Lends the facts of the handshake so far, and returns what they are used for.
    func withFacts<Value>(_ body: (borrowing OpenSSLFacts) -> Value) -> Value {
        unsafe OpenSSLFacts.with(ssl, body)
    }
}
