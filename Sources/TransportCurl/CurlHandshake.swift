import CProbeCurl
import ProbeCurl
import ProbeKit
import ProbeNet
import ProbeOpenSSL

/// One handshake of libcurl: an easy handle that connects, shakes hands and does nothing more (requirement 108), unless
/// there is a request to make, and it is approved.
///
/// It lives on the thread of `CurlMulti`, from its first call to its last.
final class CurlHandshake: CurlTransfer {
    /// The result; a class, so that a function that waits for it has room for a pointer and not for copies of the facts.
    final class Outcome: Sendable {
        let report: HandshakeReport
        /// True if libcurl's own pin check was made and passed.
        let matchesPin: Bool

        init(report: HandshakeReport, matchesPin: Bool = false) {
            self.report = report
            self.matchesPin = matchesPin
        }

        /// Creates the outcome of a handshake that failed before there were facts.
        convenience init(failure: HandshakeFailure) {
            self.init(report: HandshakeReport(failure: failure))
        }

        /// The outcome of a handshake from which libcurl did not come back.
        static func overdue(_ request: HandshakeRequest) -> Outcome {
            let failure = HandshakeFailure(
                .backendError,
                "libcurl did not come back by the deadline from the handshake with \(request.serverName) at "
                    + "\(request.endpoint), or from another one; its thread was replaced")
            return Outcome(failure: failure)
        }
    }

    let easy: CurlEasy
    private let request: HandshakeRequest
    private let opening: CurlOpening?
    private let observer: CurlObserver
    private let pin: PinDigest?
    private let head: CurlHead?
    private let began = ContinuousClock.now
    /// The server's refusal after the handshake.
    private var refusal: HandshakeFailure?
    private var interlude = CurlInterlude()

    /// The time that a server gets to refuse, beyond that of the handshake.
    private let patience: Duration

    /// - Parameters:
    ///   - opening: the connection to make the handshake over; nil has libcurl connect.
    ///   - pin: the pin for libcurl's pin check, instead of the name check; nil skips it.
    ///   - head: the HTTP request to make; nil makes none.
    ///   - patience: the time that a server gets to refuse; libcurl's thread has no task that knows it.
    init(
        _ request: HandshakeRequest, over opening: CurlOpening? = nil, confirming pin: PinDigest? = nil,
        head: CurlHead? = nil, anchors: OpenSSLAnchors, patience: Duration
    ) throws(HandshakeFailure) {
        self.request = request
        self.opening = opening
        self.pin = pin
        self.head = head
        self.patience = patience
        try request.checkALPN()
        if let refusal = OpenSSLOffer.refusal(request) { throw refusal }
        let offer = try request.offer.map { offer throws(HandshakeFailure) in try OpenSSLOffer(offer) }
        observer = CurlObserver(request, offer: offer, anchors: anchors)
        do throws(CurlError) {
            easy = try CurlEasy()
            try easy.connectOnce(
                to: opening?.place(request) ?? request.endpoint,
                for: try CurlURL.of(
                    request.serverName, port: request.endpoint.port, path: request.exchange?.path ?? "/"),
                by: request.deadline)
            try setTLS()
            if let opening { try easy.use { opening.socket?.take() } }
            if let head {
                try head.attach(to: easy, alpn: request.alpn)
            } else {
                // Nothing but the handshake is sent on the connection.
                try easy.set(CURLOPT_CONNECT_ONLY, 1)
                // The connection is closed with the handle, and never reused.
                try easy.set(CURLOPT_FORBID_REUSE, 0)
            }
            try observer.attach(to: easy)
        } catch {
            throw error.backendFailure
        }
        guard let head else { return }
        observer.shouldContinue = { [unowned self] in
            if let limit = observer.patience(beyond: self.patience) {
                interlude.listen(to: easy, for: limit, until: { observer.timeToAnswer }, by: request.deadline) {
                    head.isWanted
                }
            }
            let isApproved = head.approve(report(ending: .done(CURLE_OK)))
            interlude.end(of: easy)
            observer.noteRequest(unread: interlude.unread)
            return isApproved
        }
        head.didComplete = { [unowned self] in awaitRefusal() }
    }

    private func setTLS() throws(CurlError) {
        let versions = OpenSSLPolicy.versions(of: request.versions)
        let (oldest, newest) = (versions.lowerBound.wireValue, versions.upperBound.wireValue)
        try easy.set(CURLOPT_SSLVERSION, cprobe_ssl_version(CInt(oldest), CInt(newest)))
        try easy.set(CURLOPT_SSL_ENABLE_ALPN, 0)
        try easy.set(CURLOPT_CERTINFO, 1)
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_SSL_VERIFYHOST, pin == nil ? 2 : 0)
        if let pin { try easy.set(CURLOPT_PINNEDPUBLICKEY, "sha256//\(pin.base64)") }
    }

    /// Waits for a refusal behind a response that came before the request: such data don't end the wait for one. libcurl
    /// reads the refusal when it closes the connection (libcurl 7.88, lib/vtls/openssl.c).
    private func awaitRefusal() {
        guard observer.late.didReceiveEarlyData, !observer.late.didReceiveTicket,
            let limit = observer.remainingPatience(beyond: patience)
        else { return }
        _ = easy.awaitEnd(for: limit) { true }
    }

    func patience(after code: CURLcode) -> Duration? {
        guard head == nil, pin == nil, code == CURLE_OK else { return nil }
        return observer.patience(beyond: patience)
    }

    func readFromPeer() -> Bool {
        while true {
            switch easy.receive() {
            case .nothing:
                guard observer.late.asksTooOften else { return observer.late.didReceiveTicket }
                refusal = RecordFailure.askedTooOften.afterHandshake
            case .bytes:
                // Data don't show that the client was accepted; there is a limit to what is read of them.
                guard !observer.late.receivedTooMuch else { return true }
                continue
            case .end: refusal = refusal(of: .closedRightAfter, afterData: observer.late.didReceiveLateData)
            case .failed(let error):
                refusal = refusal(of: error.failureRightAfter, afterData: observer.late.didReceiveLateData)
            }
            return true
        }
    }

    /// Returns the failure of the handshake whose connection ended this way; nil if the client was accepted before, or the
    /// end is not the server's.
    ///
    /// - Parameter didAnswer: true if data came before that may be the server's answer.
    private func refusal(of end: HandshakeFailure, afterData didAnswer: Bool = false) -> HandshakeFailure? {
        if let alert = observer.lateRefusal { return alert }
        if observer.late.asksTooOften { return RecordFailure.askedTooOften.afterHandshake }
        // The observer ends a connection with too many bytes, and takes no input from the deadline on. libcurl has errors
        // for both.
        guard !observer.late.receivedTooMuch else { return nil }
        guard end.code != .protocolError else { return end }
        return observer.late.didReceiveTicket || didAnswer || request.deadline.remaining == .zero ? nil : end
    }

    /// Returns the server's refusal of a client that made its request: an alert, or an end of the connection that came
    /// before the request could cause it. To a server that ends it later, the request may be what it does not like.
    private func refusal(insteadOfResponse end: CurlEnd) -> HandshakeFailure? {
        if let alert = observer.lateRefusal { return alert }
        // Where the deadline left no time to see the end behind early data, the request is not taken for its cause.
        guard interlude.hasSpoken, head?.mayBeSent == true, endsBeforeAnswer || interlude.wasCut,
            !observer.wasOfferedAnother, !observer.late.asksTooOften, case .done(let code) = end
        else { return nil }
        switch code {
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            let error = CurlError(code, message: easy.errorText, systemError: easy.systemError)
            return refusal(of: error.failureRightAfter)
        case CURLE_OK, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_PARTIAL_FILE:
            return refusal(of: .closedRightAfter)
        // libcurl takes data that came without a request for a response, and may like it as little.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            return interlude.hasEndedEarly ? refusal(of: .closedRightAfter) : nil
        default: return nil
        }
    }

    /// True if the end of the connection came before anything that may be an answer to the client's Finished.
    private var endsBeforeAnswer: Bool { interlude.hasEndedEarly || !observer.late.didReceiveData }

    /// True if the server's first word after the handshake was its refusal, before a request could be made.
    private var endsBeforeRequest: Bool {
        interlude.hasSpoken && !observer.late.didReceiveTicket && endsBeforeAnswer
    }

    func finish(_ end: CurlEnd) -> Outcome {
        let outcome = outcome(end)
        // libcurl sees the end of a relayed connection, and not what ended it.
        guard let seen = outcome.report.failure, [.connectionClosed, .connectionReset].contains(seen.code),
            let relayed = opening?.socket?.failure
        else { return outcome }
        var report = outcome.report
        report.failure =
            switch relayed.code {
            case .connectionReset where seen.isAfterHandshake: .resetRightAfter(nativeCode: relayed.nativeCode)
            // The relay does not know how far the handshake was.
            case .connectionClosed where seen.isAfterHandshake: seen
            default: relayed
            }
        return Outcome(report: report)
    }

    private func outcome(_ end: CurlEnd) -> Outcome {
        // The result of a request changes nothing about the handshake before it.
        if let head, head.isApproved != nil {
            var report = report(ending: end)
            let http = head.report(easy, end, over: observer)
            report.http = http.map {
                interlude.answer(in: $0, didReceiveEarlyData: observer.late.didReceiveEarlyData)
            }
            // libcurl closes the connection itself after a response, early as it may be.
            let didEnd = http?.response == nil || interlude.hasEnded
            // A client that was answered was accepted, whatever alert comes afterwards.
            if report.http?.response == nil, report.failure == nil,
                let refusal = didEnd ? refusal(insteadOfResponse: end) : observer.lateRefusal
            {
                report.failure = refusal
                if endsBeforeRequest || http?.response != nil { report.http = nil }
            }
            return Outcome(report: report)
        }
        return switch end {
        case .done(let code): finish(code)
        case .cancelled: finish(HandshakeFailure.cancelled)
        case .broken(let error): finish(error.backendFailure)
        }
    }

    /// Returns the facts, once libcurl has finished.
    private func finish(_ code: CURLcode) -> Outcome {
        let error = CurlError(code, message: easy.errorText, systemError: easy.systemError)
        var report = facts
        guard observer.completed != nil, Self.judgements.contains(code) else {
            report.failure = failure(error)
            report.nativeTrust = trust(nil)
            return Outcome(report: report)
        }
        report.failure = certinfoFailure ?? refusal
        report.nativeTrust = pin == nil ? trust(error) : nil
        return Outcome(report: report, matchesPin: pin != nil && code == CURLE_OK)
    }

    /// Returns the facts of a handshake that is complete and may be followed by a request.
    private func report(ending end: CurlEnd) -> HandshakeReport {
        var report = facts
        let isReady = head?.isReady ?? false
        switch end {
        case .done(let code) where isReady || code == CURLE_PEER_FAILED_VERIFICATION:
            report.failure = certinfoFailure
            report.nativeTrust = trust(CurlError(isReady ? CURLE_OK : code, message: easy.errorText))
        default:
            report.nativeTrust = trust(nil)
        }
        return report
    }

    /// Returns the facts, if the caller ended it.
    private func finish(_ failure: HandshakeFailure) -> Outcome {
        var report = facts
        report.failure = failure
        report.nativeTrust = trust(nil)
        return Outcome(report: report)
    }

    /// libcurl's results after a completed handshake: success, or a wrong name, or a wrong pin.
    private static let judgements = [CURLE_OK, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH]

    private var facts: HandshakeReport {
        var report = observer.report
        guard let connected = observer.connected else { return report }
        report.peerAddress = opening.map(\.report.peerAddress) ?? easy.peerAddress
        report.timings.connect = opening?.report.timings.connect ?? connected - began
        report.timings.dialogue = opening?.report.timings.dialogue
        report.timings.handshake = (observer.completed ?? .now) - connected
        return report
    }

    private func failure(_ error: CurlError) -> HandshakeFailure {
        guard let seen = observer.failure else {
            return error.failure(
                request.endpoint, isConnected: observer.connected != nil, didReceive: observer.didReceive)
        }
        if request.startTLS != nil, seen.code == .notTLS { return CurlOpening.injection(seen) }
        let native = [error.name, seen.nativeCode].compactMap(\.self).joined(separator: " ")
        return HandshakeFailure(
            seen.code, seen.message, nativeCode: native, alert: seen.alert, clearText: seen.clearText, cause: seen.cause
        )
    }

    /// libcurl shows the chain a second time, by CERTINFO.
    private var certinfoFailure: HandshakeFailure? {
        guard easy.certificates == observer.chain.encoded else {
            return HandshakeFailure(
                .backendError, "libcurl's CERTINFO shows another chain than its SSL context", nativeCode: nil)
        }
        return nil
    }

    /// Returns libcurl's decision: the chain's errors, and the name if that was its reason for closing the connection.
    ///
    /// - Parameter verdict: its result; nil if it did not get to the name, whose rule is then applied here.
    private func trust(_ verdict: CurlError?) -> TrustReading? {
        guard let reading = observer.chain.reading, let leaf = observer.report.chain.first else { return nil }
        var problems = reading.problems
        if let verdict {
            if verdict.code == CURLE_PEER_FAILED_VERIFICATION {
                problems.append(CurlTrust.nameProblem(verdict.message))
            }
        } else if let problem = CurlTrust.judge(request.serverName, leaf: leaf) {
            problems.append(problem)
        }
        return problems.isEmpty ? .accepted(path: reading.path) : .refused(problems)
    }
}
