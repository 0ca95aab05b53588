import CProbeGnuTLS
import ProbeKit
import ProbeNet
import ProbePlatform

/// Owns a client `gnutls_session_t` without I/O of its own, and everything that has to live as long as it does.
@safe final class GnuTLSSession {
    /// The bytes on their way to and from the session.
    let wire = GnuTLSWire()
    let pointer: gnutls_session_t
    /// The algorithms to offer, held until the C session has ended; nil before they are set.
    private var priority: GnuTLSPriority?
    /// True if the leaf's key is so large that the handshake was stopped before it was used; nil before it is known.
    private(set) var leafIsOversized: Bool?
    /// The most bits of a Diffie-Hellman modulus, as for OpenSSL: GnuTLS computes with one of any size.
    static let modulusBits = 8192
    /// True if the server's is larger, and the handshake was stopped before it was used.
    private(set) var modulusIsOversized = false
    /// The issuers of client certificates that the server names, as DER.
    private(set) var clientCertificateIssuers: [[UInt8]] = []
    /// True if the client's certificate was sent in the handshake, false if the request was answered without it; nil if it was
    /// not answered.
    private(set) var certificateWasSent: Bool?
    /// The same of the last request after the handshake.
    private(set) var certificateWasSentLate: Bool?
    private var certificateAnswer = CertificateAnswer()
    private var isComplete = false
    /// The identity for a server that asks for one.
    private let identity: GnuTLSIdentity?

    /// Creates a session that offers a full handshake and nothing else: no tickets, no verification, no client
    /// certificate but the one given, which the server may ask for after the handshake too if it is allowed to (RFC 8446
    /// section 4.2.6). A ticket that is asked for is given up with the session.
    init(
        _ identity: GnuTLSIdentity? = nil, allowsLateRequest: Bool = false, asksForTicket: Bool = false
    ) throws(GnuTLSErrorCode) {
        self.identity = identity
        let credentials = try GnuTLSCredentials.shared()
        let flags =
            GNUTLS_CLIENT.rawValue | GNUTLS_NONBLOCK.rawValue | (asksForTicket ? 0 : GNUTLS_NO_TICKETS.rawValue)
            | (allowsLateRequest ? GNUTLS_POST_HANDSHAKE_AUTH.rawValue : 0)
        let pointer = try unsafe GnuTLSErrorCode.made { unsafe gnutls_init(&$0, flags) }
        unsafe self.pointer = pointer
        try unsafe GnuTLSErrorCode.check(
            gnutls_credentials_set(
                pointer, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials.pointer)))
        unsafe gnutls_handshake_set_max_packet_length(pointer, HandshakeLimits.certificateMessageBytes)
        connectToWire()
        watchMessages()
    }

    deinit { unsafe gnutls_deinit(pointer) }

    // MARK: The settings

    /// Sets the algorithms to offer.
    func setPriority(_ priority: GnuTLSPriority) throws(GnuTLSErrorCode) {
        try unsafe GnuTLSErrorCode.check(gnutls_priority_set(pointer, priority.pointer))
        self.priority = priority
    }

    /// Sends a DNS name as SNI.
    func setServerName(_ name: String) throws(GnuTLSErrorCode) {
        try unsafe GnuTLSErrorCode.check(
            gnutls_server_name_set(pointer, GNUTLS_NAME_DNS, name, name.utf8.count))
    }

    /// Offers application protocols, preferred first; a server that chooses another fails the handshake (RFC 7301 section 3.2).
    /// Without the flag GnuTLS goes on as if it had chosen none.
    func setALPN(_ protocols: [String]) throws(GnuTLSErrorCode) {
        // The names are consecutive in one buffer that lives as long as the call; GnuTLS copies them.
        var names = protocols.flatMap { Array($0.utf8) }
        let result = unsafe names.withUnsafeMutableBufferPointer { bytes in
            var offset = 0
            var data: [gnutls_datum_t] = unsafe []
            for name in protocols {
                let start = unsafe bytes.baseAddress.map { unsafe $0 + offset }
                unsafe data.append(gnutls_datum_t(data: start, size: UInt32(name.utf8.count)))
                offset += name.utf8.count
            }
            return unsafe gnutls_alpn_set_protocols(
                pointer, data, UInt32(data.count), UInt32(GNUTLS_ALPN_MANDATORY.rawValue))
        }
        try GnuTLSErrorCode.check(result)
    }

    /// Asks for a stapled OCSP response.
    func requestOCSPStaple() throws(GnuTLSErrorCode) {
        try unsafe GnuTLSErrorCode.check(gnutls_ocsp_status_request_enable_client(pointer, nil, 0, nil))
    }

    // MARK: The handshake

    /// Goes as far as the wire allows; nil if the handshake is complete.
    func handshake() -> GnuTLSErrorCode? {
        let result = unsafe gnutls_handshake(pointer)
        if result >= 0 { isComplete = true }
        return result < 0 ? GnuTLSErrorCode(rawValue: result) : nil
    }

    /// Sends the peer an alert with the reason why the handshake ends.
    func sendAlert(for error: GnuTLSErrorCode) {
        _ = unsafe gnutls_alert_send_appropriate(pointer, error.rawValue)
    }

    /// Answers a HelloRequest that ``read(into:)`` has come upon (RFC 5246 section 7.2.2): every report is of one handshake, and a
    /// server that hears nothing would wait.
    func refuseRenegotiation() { _ = unsafe gnutls_alert_send(pointer, GNUTLS_AL_WARNING, GNUTLS_A_NO_RENEGOTIATION) }

    /// Ends our side; the peer's is not waited for.
    func close() { _ = unsafe gnutls_bye(pointer, GNUTLS_SHUT_WR) }

    /// The alert received last.
    var alert: GnuTLSAlert { GnuTLSAlert(rawValue: unsafe gnutls_alert_get(pointer).rawValue) }

    /// The handshake message received last; nil before the first.
    var lastMessage: gnutls_handshake_description_t? {
        let message = unsafe gnutls_handshake_get_last_in(pointer)
        return message.rawValue > UInt8.max ? nil : message
    }

    // MARK: After the handshake

    /// Decrypts one record onto the end of `bytes`; nil if the peer has sent close_notify.
    func read(into bytes: inout [UInt8]) -> Result<Void, GnuTLSErrorCode>? {
        var record = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe record.withUnsafeMutableBytes { buffer in
            unsafe gnutls_record_recv(pointer, buffer.baseAddress, buffer.count)
        }
        guard count >= 0 else { return .failure(GnuTLSErrorCode(rawValue: CInt(clamping: count))) }
        bytes += record.prefix(count)
        return count == 0 ? nil : .success(())
    }

    /// Answers the server's request for a certificate that ``read(into:)`` has come upon.
    func authenticate() throws(GnuTLSErrorCode) {
        try unsafe GnuTLSErrorCode.check(gnutls_reauth(pointer, 0))
    }

    /// Encrypts all of it, a record at a time; the wire accepts everything at once.
    func write(_ plaintext: RawSpan) throws(GnuTLSErrorCode) {
        var sent = 0
        while sent < plaintext.byteCount {
            let rest = plaintext.extracting(droppingFirst: sent)
            let count = unsafe rest.withUnsafeBytes { unsafe gnutls_record_send(pointer, $0.baseAddress, $0.count) }
            guard count > 0 else { throw GnuTLSErrorCode(rawValue: CInt(clamping: count)) }
            sent += count
        }
    }

    // MARK: Transport functions

    /// GnuTLS is given this object unretained: it calls back, as the function of the shared credentials does, only from inside
    /// `gnutls_handshake`, `gnutls_reauth`, `gnutls_record_recv`, `gnutls_record_send`, `gnutls_alert_send`,
    /// `gnutls_alert_send_appropriate` and `gnutls_bye`, which only methods of this object call, and `deinit` ends the C session first.
    private func connectToWire() {
        unsafe gnutls_transport_set_ptr(pointer, Unmanaged.passUnretained(self).toOpaque())
        unsafe gnutls_transport_set_push_function(pointer) { context, bytes, count in
            guard let session = unsafe GnuTLSSession.from(context) else { return -1 }
            unsafe session.wire.write(UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        }
        unsafe gnutls_transport_set_pull_function(pointer) { context, buffer, count in
            guard let session = unsafe GnuTLSSession.from(context) else { return -1 }
            guard session.wire.unread > 0 else {
                unsafe gnutls_transport_set_errno(session.pointer, EAGAIN)
                return -1
            }
            return unsafe session.wire.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
        }
        unsafe gnutls_transport_set_pull_timeout_function(pointer) { context, _ in
            unsafe GnuTLSSession.from(context).map { $0.wire.unread > 0 } == true ? 1 : 0
        }
    }

    // MARK: The messages

    /// Stops before an oversized number of the server is used, its leaf's key or its modulus: GnuTLS has the certificates when
    /// the message after them arrives. Follows our own messages too, as a session has one hook.
    private func watchMessages() {
        let hook: gnutls_handshake_hook_func = { session, type, _, isIncoming, body in
            guard let session = unsafe session,
                let this = unsafe GnuTLSSession.from(gnutls_transport_get_ptr(session))
            else { return 0 }
            guard this.leafIsAcceptable() else { return GNUTLS_E_CERTIFICATE_ERROR }
            guard let body = unsafe body else { return 0 }
            guard isIncoming != 0 else {
                unsafe this.noteSent(type, body.pointee)
                return 0
            }
            return unsafe this.modulusIsAcceptable(type, body.pointee) ? 0 : GNUTLS_E_RECEIVED_ILLEGAL_PARAMETER
        }
        unsafe gnutls_handshake_set_hook_function(
            pointer, UInt32.max /* GNUTLS_HANDSHAKE_ANY */, GNUTLS_HOOK_PRE, hook)
    }

    /// Records a handshake message of ours, which GnuTLS shows without its header.
    private func noteSent(_ type: UInt32, _ body: gnutls_datum_t) {
        let count = unsafe body.size
        let header = [type, count >> 16, count >> 8, count].map { UInt8(truncatingIfNeeded: $0) }
        let message = unsafe header + Array(copying: body)
        let answer = unsafe message.withUnsafeBytes { unsafe certificateAnswer.take($0, isLate: isComplete) }
        guard let isAnswered = answer else { return }
        if isComplete { certificateWasSentLate = isAnswered } else { certificateWasSent = isAnswered }
    }

    /// Reads the modulus off a ServerKeyExchange (RFC 5246 section 7.4.3), which GnuTLS shows without its header.
    private func modulusIsAcceptable(_ type: UInt32, _ body: gnutls_datum_t) -> Bool {
        guard type == GNUTLS_HANDSHAKE_SERVER_KEY_EXCHANGE.rawValue,
            [GNUTLS_KX_DHE_RSA, GNUTLS_KX_DHE_DSS].contains(unsafe gnutls_kx_get(pointer))
        else { return true }
        var reader = OctetReader(unsafe Array(copying: body)[...])
        modulusIsOversized = Array(reader.vector(2) ?? []).significantBits > Self.modulusBits
        return !modulusIsOversized
    }

    private func leafIsAcceptable() -> Bool {
        if let leafIsOversized { return !leafIsOversized }
        var count: UInt32 = 0
        guard let first = unsafe gnutls_certificate_get_peers(pointer, &count), count > 0 else { return true }
        // GnuTLS rejects an unreadable leaf itself.
        let isOversized = (try? GnuTLSCertificate(der: unsafe Array(copying: first.pointee)))?.hasOversizedKey ?? false
        leafIsOversized = isOversized
        return !isOversized
    }

    // MARK: The client's certificate

    /// Answers the server's request with the identity, whatever issuers it names, and records those: GnuTLS shows them to the function
    /// of the credentials alone.
    func answerRequest(
        naming issuers: UnsafeBufferPointer<gnutls_datum_t>, in answer: UnsafeMutablePointer<gnutls_retr2_st>?
    ) {
        clientCertificateIssuers = unsafe issuers.prefix(HandshakeLimits.clientCertificateIssuers).map {
            unsafe Array(copying: $0)
        }
        if let answer = unsafe answer { unsafe identity?.show(in: answer) }
    }

    /// Returns the session behind a transport pointer.
    static func from(_ context: UnsafeMutableRawPointer?) -> GnuTLSSession? {
        unsafe context.map { unsafe Unmanaged<GnuTLSSession>.fromOpaque($0).takeUnretainedValue() }
    }
}
