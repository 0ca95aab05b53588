import CProbeCurl
import CProbeOpenSSL
import ProbeCurl
import ProbeKit
import ProbeNet
import ProbeOpenSSL
import ProbePlatform

/// Watches one handshake through the `SSL_CTX` that libcurl made for it, and collects its facts as they appear: libcurl
/// closes the connection at the first error, and no facts can be read afterwards.
///
/// It decides only after which errors of the chain OpenSSL continues. The callbacks run on the thread that drives
/// libcurl, while a call into the easy handle is on the stack; the handle's owner keeps the observer alive until the
/// handle, and with it every connection and context, is gone.
final class CurlObserver {
    /// Called when the handshake is complete to ask whether anything may be sent over the connection; nil if libcurl
    /// has nothing to send. The handshake's last call does not return before this does.
    var shouldContinue: (() -> Bool)?
    private let request: HandshakeRequest
    private let settings: CurlContextSettings
    /// The level libcurl would have verified at.
    private var securityLevel: CInt = 2

    /// The facts that callbacks have shown so far.
    private var noted = HandshakeReport()
    /// The server's certificates, and their verification.
    private(set) var chain = CurlChain()
    /// The reason why the handshake can't complete, if it is seen here; the first reason counts.
    private(set) var failure: HandshakeFailure?
    private(set) var didReceive = false
    /// True if anything was sent; a failure before that is not the peer's doing.
    private var didSend = false
    private var certificateAnswer = CertificateAnswer()
    /// The server's records after the handshake.
    private(set) var late = CurlLateRecords()
    /// True if libcurl tried again over another connection.
    private(set) var wasOfferedAnother = false
    /// Bounds what comes before the handshake is complete.
    private var bound: OpenSSLInputBound
    /// The times of the TCP connection and of the completed handshake.
    private(set) var connected: ContinuousClock.Instant?
    private(set) var completed: ContinuousClock.Instant?

    /// The index of the observer in a context: OpenSSL's information callback has no argument of its own.
    private static let slot = cprobe_ctx_new_slot()

    init(_ request: HandshakeRequest, offer: OpenSSLOffer? = nil, anchors: OpenSSLAnchors) {
        self.request = request
        settings = CurlContextSettings(request: request, offer: offer, anchors: anchors)
        bound = OpenSSLInputBound(until: request.deadline)
    }

    /// The facts so far. A chain that OpenSSL dropped is read here, and not in a callback: reading clears OpenSSL's errors,
    /// which libcurl still needs.
    var report: HandshakeReport {
        guard let dropped = chain.dropped else { return noted }
        var report = noted
        report.chain = dropped.presented
        report.keys = dropped.keys
        return report
    }

    /// Has an easy handle show its contexts to this observer.
    func attach(to easy: CurlEasy) throws(CurlError) {
        try unsafe easy.set(
            contextFunction: { _, context, data in
                guard let context = unsafe context, let data = unsafe data else { return CURLE_ABORTED_BY_CALLBACK }
                return unsafe CurlObserver.at(data).take(OpaquePointer(context))
            }, data: Unmanaged.passUnretained(self).toOpaque())
    }

    private static func at(_ data: UnsafeMutableRawPointer) -> CurlObserver {
        unsafe Unmanaged<CurlObserver>.fromOpaque(data).takeUnretainedValue()
    }

    /// Sets up a context of libcurl's just before its first use.
    private func take(_ context: OpaquePointer) -> CURLcode {
        // An approval is for one connection: libcurl may not try again over another.
        guard connected == nil else {
            wasOfferedAnother = true
            return CURLE_ABORTED_BY_CALLBACK
        }
        connected = .now
        noted.sniSent = request.serverName.sni
        noted.certificateRequestAnswered = false
        do throws(OpenSSLError) {
            securityLevel = try unsafe settings.apply(to: context)
        } catch {
            fail(error.backendFailure)
            return CURLE_ABORTED_BY_CALLBACK
        }
        if let identity = request.clientIdentity {
            noted.clientCertificateSent = false
            do throws(OpenSSLError) {
                try unsafe OpenSSLIdentity(identity).attach(toContext: context)
            } catch {
                fail(error.identityFailure)
                return CURLE_ABORTED_BY_CALLBACK
            }
        }
        let data = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe cprobe_ctx_set_slot(context, Self.slot, data)
        unsafe cprobe_ctx_set_message_data(context, data)
        unsafe SSL_CTX_set_cert_verify_callback(
            context,
            { verification, data in
                guard let verification = unsafe verification, let data = unsafe data else { return 0 }
                return unsafe CurlObserver.at(data).judge(verification) ? 1 : 0
            }, data)
        unsafe SSL_CTX_set_msg_callback(context) { isWritten, _, type, bytes, count, ssl, data in
            guard let bytes = unsafe bytes, let ssl = unsafe ssl, let data = unsafe data else { return }
            guard isWritten == 0 else {
                if type == SSL3_RT_HANDSHAKE {
                    unsafe CurlObserver.at(data).noteSent(UnsafeRawBufferPointer(start: bytes, count: count), ssl)
                }
                return
            }
            unsafe CurlObserver.at(data).noteReceived(type, UnsafeRawBufferPointer(start: bytes, count: count), ssl)
        }
        unsafe SSL_CTX_set_info_callback(context) { ssl, event, value in
            guard let ssl = unsafe ssl, let data = unsafe cprobe_ssl_context_slot(ssl, CurlObserver.slot) else {
                return
            }
            unsafe CurlObserver.at(data).note(event, value, ssl)
        }
        return CURLE_OK
    }

    /// Records the chain and verifies it to the end; whatever its faults, the handshake continues.
    private func judge(_ verification: OpaquePointer) -> Bool {
        do throws(HandshakeFailure) {
            try unsafe chain.take(verification)
        } catch {
            fail(error)
            return false
        }
        noted.chain = chain.certificates.map(\.der)
        noted.keys = chain.certificates.map(\.keyReading)
        noted.timings.trust = ContinuousClock().measure {
            unsafe chain.verify(verification, at: request.instant, securityLevel: securityLevel)
        }
        // libcurl continues to its name check only with a chain that it considers good.
        unsafe X509_STORE_CTX_set_error(verification, X509_V_OK)
        return true
    }

    /// Records the peer's messages: the header of its first record, and a request for a client certificate.
    private func noteReceived(_ type: CInt, _ bytes: UnsafeRawBufferPointer, _ ssl: OpaquePointer) {
        guard completed == nil else { return unsafe noteLate(type, bytes, ssl) }
        if type == SSL3_RT_HEADER {
            if !didReceive, bytes.count >= 2, let failure = unsafe HandshakeFailure.notTLS(beginning: Array(bytes)) {
                fail(failure)
            }
            didReceive = true
            if let failure = unsafe bound.take(bytes, ssl) { fail(failure) }
        }
        guard type == SSL3_RT_HANDSHAKE, let message = unsafe bytes.first else { return }
        // The message after the hello finds the hello processed.
        if noted.version == nil, OpenSSLFacts.comesAfterHello(CInt(message)) {
            noted.version = unsafe OpenSSLFacts.with(ssl) { $0.version }
        }
        unsafe chain.note(bytes, version: noted.version)
        if message == SSL3_MT_CERTIFICATE_REQUEST { noted.clientCertificateRequested = true }
    }

    /// Records the peer's messages after the handshake. Above a limit, OpenSSL drops all that comes, and treats the connection
    /// as closed by the peer: libcurl itself reads until its time is over.
    private func noteLate(_ type: CInt, _ bytes: UnsafeRawBufferPointer, _ ssl: OpaquePointer) {
        unsafe late.take(type, bytes, mayAnswer: timeToAnswer == .zero)
        if late.asksTooOften || late.receivedTooMuch {
            unsafe SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        }
        if type == SSL3_RT_HEADER, request.deadline.remaining == .zero { unsafe cprobe_ssl_refuse_input(ssl) }
    }

    /// Notes that the request is made now, with as many of the server's bytes unread.
    func noteRequest(unread: Int) { late.noteRequest(unread: unread) }

    /// Records a handshake message of ours.
    private func noteSent(_ message: UnsafeRawBufferPointer, _ ssl: OpaquePointer) {
        didSend = true
        let isLate = completed != nil
        guard let isSent = unsafe certificateAnswer.take(message, isLate: isLate) else { return }
        if isLate {
            let issuers = unsafe OpenSSLFacts.with(ssl) { $0.clientCertificateIssuers }
            LateCertificateRequest(issuers: issuers, isAnswered: isSent).fill(&noted)
        } else {
            noted.certificateRequestAnswered = true
            if isSent { noted.clientCertificateSent = true }
        }
    }

    /// Records the progress of the handshake.
    private func note(_ event: CInt, _ value: CInt, _ ssl: OpaquePointer) {
        guard completed == nil else { return }
        if event == SSL_CB_HANDSHAKE_DONE {
            completed = .now
            unsafe OpenSSLFacts.with(ssl) { $0.fill(&noted) }
            // Before the handshake is complete a request may still come.
            if noted.clientCertificateRequested == nil { noted.clientCertificateRequested = false }
            // libcurl lets every server ask later.
            if noted.version == .tls13 { noted.clientCertificateRequestedLate = false }
            // With its own side shut OpenSSL takes nothing more to send, a preface of HTTP/2 included.
            if let shouldContinue, !shouldContinue() { unsafe SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN) }
        } else if event == SSL_CB_CONNECT_EXIT {
            unsafe OpenSSLFacts.with(ssl) { $0.fill(&noted) }
            guard value <= 0, let error = OpenSSLError.peek("the handshake") else { return }
            // libcurl explains a connection that ends too early.
            if error.sslReason != SSL_R_UNEXPECTED_EOF_WHILE_READING {
                let isReadingCertificates = unsafe OpenSSLFacts.with(ssl) { $0.isReadingCertificates }
                fail(
                    didSend
                        ? error.handshakeFailure(isReadingCertificates: isReadingCertificates) : error.backendFailure)
            }
        }
    }

    /// True if the server may still refuse this client although the handshake is complete (RFC 8446 section 4.4.2.4).
    var mayBeRefusedLate: Bool { noted.mayBeRefusedLate }

    /// Returns the time in which the server may refuse this client: that of the handshake, and some more; nil if it may not.
    func patience(beyond patience: Duration) -> Duration? {
        guard mayBeRefusedLate, let connected, let completed else { return nil }
        return min(completed - connected + patience, request.deadline.remaining)
    }

    /// Returns what is left of the time in which the server may refuse this client; nil if it may not.
    func remainingPatience(beyond patience: Duration) -> Duration? {
        guard let limit = self.patience(beyond: patience), let completed else { return nil }
        return max(.zero, limit - completed.duration(to: .now))
    }

    /// The time until data may be the server's answer to the client's Finished: a round trip after it, for which the time
    /// of the handshake stands.
    var timeToAnswer: Duration {
        guard let connected, let completed else { return .zero }
        return max(.zero, completed - connected - completed.duration(to: .now))
    }

    /// The server's refusal, if it sent an alert.
    var lateRefusal: HandshakeFailure? { mayBeRefusedLate ? late.refusal : nil }

    private func fail(_ reason: HandshakeFailure) {
        if failure == nil { failure = reason }
    }
}
