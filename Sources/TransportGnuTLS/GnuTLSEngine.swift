import CProbeGnuTLS
import ProbeKit
import ProbeNet

/// A GnuTLS client between two byte queues.
final class GnuTLSEngine: HandshakeEngine {
    /// The maximum number of times that a peer may interrupt GnuTLS with something that is not fatal, like a warning
    /// alert.
    private static let maximumInterruptions = 32
    /// The maximum number of bytes of a handshake: GnuTLS checks a message's size only when it is complete, and would
    /// hold 16 MiB by then.
    private static let maximumBytes = HandshakeLimits.certificateMessageBytes + 65_536

    private let request: HandshakeRequest
    private let anchors: GnuTLSAnchors
    private let session: GnuTLSSession
    private var end: HandshakeProgress?
    private var interruptions = 0
    private var received = 0
    private var helloSent = false
    private var serverHelloSeen = false
    private(set) var lateCertificateRequest: LateCertificateRequest?
    private var lateRequests = 0

    /// Creates an engine for one handshake.
    init(_ request: HandshakeRequest, anchors: GnuTLSAnchors) throws(HandshakeFailure) {
        self.request = request
        self.anchors = anchors
        // The bounds of GnuTLS 3.7; it has no other sign of them than GNUTLS_E_INVALID_REQUEST.
        try request.checkALPN(maximumCount: 8, maximumLength: 31)
        try GnuTLSOffer.check(request.offer)
        let identity: GnuTLSIdentity?
        do throws(GnuTLSErrorCode) {
            identity = try request.clientIdentity.map { given throws(GnuTLSErrorCode) in try GnuTLSIdentity(given) }
        } catch {
            throw .unusableIdentity(error.message, nativeCode: error.name)
        }
        do throws(GnuTLSErrorCode) {
            session = try GnuTLSSession(
                identity, allowsLateRequest: request.allowsLateCertificateRequest,
                asksForTicket: request.offer?.sessionTicket == true)
            try session.setPriority(.of(GnuTLSOffer.priority(for: request.versions, request.offer)))
            try session.requestOCSPStaple()
            if let name = request.serverName.sni { try session.setServerName(name) }
            if !request.alpn.isEmpty { try session.setALPN(request.alpn) }
        } catch {
            guard request.offer != nil else { throw HandshakeFailure(settingUp: error) }
            throw .unsendableOffer(error.message, nativeCode: error.name)
        }
    }

    func receive(_ bytes: RawSpan) {
        if case .failed = end { return }
        received += bytes.byteCount
        session.wire.receive(bytes)
    }

    func takeOutput() -> [UInt8] { session.wire.takeOutput() }

    var mayBeRefusedLate: Bool {
        (session.clientCertificateRequested || request.offer?.sessionTicket == true) && session.version == .tls13
    }

    func advance() -> HandshakeProgress {
        if let end { return end }
        let progress = step()
        if case .needsInput = progress { return progress }
        end = progress
        return progress
    }

    private func step() -> HandshakeProgress {
        helloSent = true
        while true {
            let unread = session.wire.unread
            let error = session.handshake()
            // GnuTLS discards the last message when the handshake is complete.
            serverHelloSeen = serverHelloSeen || error == nil || session.lastMessage != nil
            if session.chainCount > HandshakeLimits.certificates {
                return .failed(.tooManyCertificates(session.chainCount))
            }
            guard let error else { return .complete }
            if error == .again {
                if session.wire.unread == 0 { return received > Self.maximumBytes ? .failed(tooLarge()) : .needsInput }
                // Between the records of one message GnuTLS may stop although there is more to read.
                if session.wire.unread < unread { continue }
            }
            interruptions += 1
            guard !error.isFatal, interruptions <= Self.maximumInterruptions else {
                return .failed(failure(for: error))
            }
        }
    }

    private func failure(for error: GnuTLSErrorCode) -> HandshakeFailure {
        if session.leafIsOversized == true {
            session.sendAlert(for: error)
            return HandshakeFailure(
                .protocolError, "the key of the server's certificate is larger than any signature is verified under",
                nativeCode: error.name)
        }
        if session.modulusIsOversized {
            session.sendAlert(for: error)
            return HandshakeFailure(
                .protocolError, "the server's Diffie-Hellman modulus is larger than \(GnuTLSSession.modulusBits) bits",
                nativeCode: error.name)
        }
        switch error {
        case .fatalAlertReceived:
            return session.alert.refusal
        case .handshakeTooLarge:
            return tooLarge()
        case .sessionEnd:
            return .closedWithNotify(nativeCode: error.name)
        case .noApplicationProtocol:
            session.sendAlert(for: error)
            return HandshakeFailure(
                .protocolError, "the server chose an application protocol that was not offered", nativeCode: error.name)
        default:
            session.sendAlert(for: error)
            let signs = request.clientIdentity != nil && session.clientCertificateRequested
            // Before TLS 1.3 the client signs after this message, whose sender has no part in an algorithm that is missing then.
            if error == .unwantedAlgorithm, signs, session.lastMessage == GNUTLS_HANDSHAKE_SERVER_HELLO_DONE {
                return HandshakeFailure(
                    .protocolError, error.message, nativeCode: error.name, cause: .clientKeyExcluded)
            }
            return HandshakeFailure(error, signsWithOurKey: signs)
        }
    }

    private func tooLarge() -> HandshakeFailure {
        session.sendAlert(for: .handshakeTooLarge)
        let code = GnuTLSErrorCode.handshakeTooLarge.name
        guard !expectsCertificates else { return .certificatesTooLarge(nativeCode: code) }
        return HandshakeFailure(
            .protocolError, "the peer's handshake is larger than \(HandshakeLimits.certificateMessageBytes) bytes",
            nativeCode: code)
    }

    /// True if the current message is the server's certificate message: GnuTLS does not report which one is too large.
    private var expectsCertificates: Bool {
        switch session.lastMessage {
        case GNUTLS_HANDSHAKE_SERVER_HELLO: session.version != .tls13
        case GNUTLS_HANDSHAKE_ENCRYPTED_EXTENSIONS, GNUTLS_HANDSHAKE_CERTIFICATE_REQUEST: session.version == .tls13
        case GNUTLS_HANDSHAKE_CERTIFICATE_PKT: session.chainCount == 0
        default: false
        }
    }

    /// True if the server's hello was refused for its version, which GnuTLS reports all the same. A record of another version
    /// has the same code, and may come when much is known.
    private var refusedHello: Bool {
        guard case .failed(let failure) = end, failure.cause == .versionNotOffered else { return false }
        return session.version.map(request.versions.contains) != true
    }

    func fill(_ report: inout HandshakeReport) -> TrustDecision? {
        if helloSent { report.sniSent = request.serverName.sni }
        if request.clientIdentity != nil { report.clientCertificateSent = session.certificateWasSent == true }
        report.certificateRequestAnswered = session.certificateWasSent != nil
        guard serverHelloSeen, !refusedHello else { return nil }
        report.version = session.version
        report.cipherSuite = session.cipherSuite
        report.group = session.group.map(Self.ianaName(ofGroup:))
        report.signatureAlgorithm = session.signature.flatMap(GnuTLSOffer.scheme(named:))
        report.alpn = session.alpn
        report.ocspStaple = session.ocspStaple
        // Before the handshake is complete a request may still come.
        let isComplete = if case .complete = end { true } else { false }
        if isComplete, request.offer?.sessionTicket == true { report.sessionTicket = session.hasTicket }
        if isComplete || session.clientCertificateRequested {
            report.clientCertificateRequested = session.clientCertificateRequested
        }
        report.clientCertificateIssuers = session.clientCertificateIssuers
        if isComplete, request.allowsLateCertificateRequest, report.version == .tls13 {
            report.clientCertificateRequestedLate = false
        }
        guard 1...HandshakeLimits.certificates ~= session.chainCount else { return nil }
        report.chain = session.chain
        let certificates = GnuTLSCertificates(report.chain)
        report.keys = certificates.keys
        let question = request.trustQuestion(
            about: report.chain, staple: report.ocspStaple.map { .present($0) } ?? .absent)
        return { [anchors] in GnuTLSTrust.evaluate(question, chain: certificates, anchors: anchors) }
    }

    func decrypt() -> DecryptedBytes {
        var bytes: [UInt8] = []
        while true {
            let unread = session.wire.unread
            switch session.read(into: &bytes) {
            case nil: return DecryptedBytes(bytes, end: .closed)
            case .success: continue
            case .failure(.again):
                if session.wire.unread == 0 || session.wire.unread == unread { return DecryptedBytes(bytes) }
            case .failure(.certificateRequested):
                lateRequests += 1
                guard lateRequests <= HandshakeLimits.lateCertificateRequests else {
                    return DecryptedBytes(bytes, end: .askedTooOften)
                }
                do throws(GnuTLSErrorCode) { try session.authenticate() } catch {
                    return DecryptedBytes(bytes, end: recordFailure(for: error))
                }
                lateCertificateRequest = LateCertificateRequest(
                    issuers: session.clientCertificateIssuers, isAnswered: session.certificateWasSentLate == true)
            case .failure(let error):
                interruptions += 1
                guard !error.isFatal, interruptions <= Self.maximumInterruptions else {
                    return DecryptedBytes(bytes, end: recordFailure(for: error))
                }
                if error == .renegotiationRequested { session.refuseRenegotiation() }
            }
        }
    }

    func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {
        do throws(GnuTLSErrorCode) {
            try session.write(plaintext)
        } catch {
            throw recordFailure(for: error)
        }
    }

    func close() { session.close() }

    private func recordFailure(for error: GnuTLSErrorCode) -> RecordFailure {
        guard error == .fatalAlertReceived else { return RecordFailure(error.message, nativeCode: error.name) }
        let alert = session.alert
        return RecordFailure(alert.words ?? "unknown", nativeCode: error.name, alert: alert.kind)
    }

    /// GnuTLS writes `SECP256R1`, `X25519`, `FFDHE2048`; the registry has them in lowercase, and only the GOST curves
    /// (`GC256A`) in uppercase.
    private static func ianaName(ofGroup name: String) -> String {
        name.hasPrefix("GC") ? name : name.lowercased()
    }
}
