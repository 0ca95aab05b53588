import CNIOBoringSSL
import ProbeKit
import ProbeNet

/// Sole owner of an `SSL` over two memory BIOs, which the `SSL` owns in turn.
@safe final class BoringSSLConnection {
    /// The progress of the handshake.
    enum Step {
        case wantsInput
        case done
        case closed
        case failed(BoringSSLError)
    }

    let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private let context: BoringSSLContext
    /// True if the server asked for a client certificate.
    private(set) var certificateWasRequested = false
    /// True if one was sent, false if the request was answered without one; nil if it was not answered.
    private(set) var certificateWasSent: Bool?
    private var certificateAnswer = CertificateAnswer()
    /// The issuers of client certificates that it names, as DER.
    private(set) var clientCertificateIssuers: [[UInt8]] = []
    /// The alert in the record that was read last; nil if there is none in it.
    private var receivedAlert: HandshakeFailure.Alert?
    /// The type of the handshake message that the server sent last.
    private var lastMessage: CInt?
    /// The server's Certificate message, with its header.
    private(set) var certificateMessage: [UInt8] = []
    /// True if the handshake is complete.
    private(set) var isComplete = false
    /// True if there was no memory for bytes of the peer.
    private(set) var hasLostBytes = false

    init(_ context: BoringSSLContext) throws(BoringSSLError) {
        BoringSSLError.clear()
        guard let ssl = unsafe SSL_new(context.pointer) else { throw BoringSSLError.take("SSL_new") }
        guard let input = unsafe BIO_new(BIO_s_mem()) else {
            unsafe SSL_free(ssl)
            throw BoringSSLError.take("BIO_new")
        }
        guard let output = unsafe BIO_new(BIO_s_mem()) else {
            unsafe BIO_free(input)
            unsafe SSL_free(ssl)
            throw BoringSSLError.take("BIO_new")
        }
        unsafe SSL_set_bio(ssl, input, output)
        unsafe SSL_set_connect_state(ssl)
        unsafe self.ssl = ssl
        unsafe self.input = input
        unsafe self.output = output
        self.context = context
        // `self` owns the `SSL`, so it is there whenever a callback is.
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        // On a client this is called only when the server asks for a certificate.
        let noteRequest: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> CInt = { _, connection in
            unsafe connection.map {
                unsafe Unmanaged<BoringSSLConnection>.fromOpaque($0).takeUnretainedValue().noteCertificateRequest()
            }
            return 1
        }
        unsafe SSL_set_cert_cb(ssl, noteRequest, this)
        unsafe SSL_set_msg_callback_arg(ssl, this)
        unsafe SSL_set_msg_callback(ssl) { isWrite, _, type, bytes, count, _, connection in
            guard let connection = unsafe connection else { return }
            let this = unsafe Unmanaged<BoringSSLConnection>.fromOpaque(connection).takeUnretainedValue()
            let content = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
            switch (type, isWrite == 0) {
            case (SSL3_RT_HANDSHAKE, true): unsafe this.note(content)
            case (SSL3_RT_HANDSHAKE, false): unsafe this.noteSent(content)
            case (SSL3_RT_HEADER, true): this.receivedAlert = nil
            case (SSL3_RT_ALERT, true):
                this.receivedAlert = unsafe content.last.map(HandshakeFailure.Alert.init(rawValue:))
            default: break
            }
        }
    }

    deinit {
        unsafe SSL_free(ssl)
    }

    // MARK: Before the handshake

    func offer(versions: ClosedRange<TLSVersion>, alpn: [String]) throws(BoringSSLError) {
        BoringSSLError.clear()
        guard unsafe SSL_set_min_proto_version(ssl, versions.lowerBound.wireValue) == 1,
            unsafe SSL_set_max_proto_version(ssl, versions.upperBound.wireValue) == 1
        else {
            throw BoringSSLError.take("setting versions")
        }
        guard !alpn.isEmpty else { return }
        let list = alpn.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
        guard unsafe SSL_set_alpn_protos(ssl, list, list.count) == 0 else {
            throw BoringSSLError.take("setting ALPN")
        }
    }

    /// Replaces the library's own lists by an offer's.
    func offer(_ offer: BoringSSLOffer) throws(BoringSSLError) {
        try unsafe offer.apply(toConnection: ssl)
    }

    func setServerName(_ name: String) throws(BoringSSLError) {
        BoringSSLError.clear()
        guard unsafe SSL_set_tlsext_host_name(ssl, name) == 1 else { throw BoringSSLError.take("setting SNI") }
    }

    /// Shows an identity to a server that asks for one.
    func show(_ identity: ClientIdentity) throws(BoringSSLError) {
        unsafe try BoringSSLIdentity.attach(identity, to: ssl)
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
        BoringSSLError.clear()
        let result = unsafe SSL_do_handshake(ssl)
        if result == 1 {
            isComplete = true
            return .done
        }
        switch unsafe SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wantsInput
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: return .failed(takeError("the handshake"))
        }
    }

    /// Returns the error of a call that failed. BoringSSL rejects an alert of TLS 1.3 that is not marked as fatal; its level
    /// means nothing, since every error ends the connection (RFC 8446 section 6).
    private func takeError(_ action: String) -> BoringSSLError {
        let error = BoringSSLError.take(action)
        guard error.isAboutAlertLevel, lastMessage != nil, version == .tls13, let alert = receivedAlert,
            alert.rawValue != UInt8(SSL_AD_CLOSE_NOTIFY), alert != .userCanceled
        else { return error }
        return error.naming(alert, action)
    }

    /// True if the server's next message is its Certificate, a CertificateRequest in TLS 1.3 aside.
    var isAwaitingCertificates: Bool {
        switch lastMessage {
        case SSL3_MT_SERVER_HELLO: version != .tls13
        case SSL3_MT_ENCRYPTED_EXTENSIONS, SSL3_MT_CERTIFICATE_REQUEST: version == .tls13
        default: false
        }
    }

    /// Records a handshake message of the server: type, length of three bytes, body.
    private func note(_ message: UnsafeRawBufferPointer) {
        lastMessage = unsafe message.first.map(CInt.init)
        if lastMessage == SSL3_MT_CERTIFICATE { certificateMessage = unsafe Array(message) }
    }

    /// Records a handshake message of ours.
    private func noteSent(_ message: UnsafeRawBufferPointer) {
        if let isAnswered = unsafe certificateAnswer.take(message, isLate: false) { certificateWasSent = isAnswered }
    }

    /// Records the request and the issuers in it, which BoringSSL shows only now.
    private func noteCertificateRequest() {
        certificateWasRequested = true
        guard let names = unsafe SSL_get0_server_requested_CAs(ssl) else { return }
        clientCertificateIssuers =
            (0..<min(unsafe sk_CRYPTO_BUFFER_num(names), HandshakeLimits.clientCertificateIssuers)).compactMap {
                guard let name = unsafe sk_CRYPTO_BUFFER_value(names, $0) else { return nil }
                return unsafe Self.copy(CRYPTO_BUFFER_data(name), count: CRYPTO_BUFFER_len(name))
            }
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
            BoringSSLError.clear()
            let count = unsafe record.withUnsafeMutableBytes { buffer in
                unsafe SSL_read(ssl, buffer.baseAddress, CInt(clamping: buffer.count))
            }
            if count > 0 {
                bytes += record.prefix(Int(count))
                continue
            }
            return switch unsafe SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: (bytes, .wantsInput)
            case SSL_ERROR_ZERO_RETURN: (bytes, .closed)
            default: (bytes, .failed(takeError("reading")))
            }
        }
    }

    /// Encrypts all of it; memory takes everything at once.
    func write(_ plaintext: RawSpan) throws(BoringSSLError) {
        guard !plaintext.isEmpty else { return }
        BoringSSLError.clear()
        let count = unsafe plaintext.withUnsafeBytes { unsafe SSL_write(ssl, $0.baseAddress, CInt(clamping: $0.count)) }
        guard count == plaintext.byteCount else { throw BoringSSLError.take("writing") }
    }

    /// Ends our side; the peer's is not waited for.
    func close() {
        unsafe SSL_shutdown(ssl)
        BoringSSLError.clear()
    }
}
