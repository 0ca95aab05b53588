import ProbeKit

/// The questions put to one server, one handshake each, within the limits of the survey.
struct Interview {
    /// The result of one offer.
    enum Answer {
        /// The server took it.
        case accepted(HandshakeReport)
        /// The server refused it: an alert or a message that breaks the protocol came back, or the connection ended twice
        /// while the server still took what it had accepted before.
        case refused(HandshakeFailure)
        /// The stack can't make it, and nothing was sent. With entries, it does not have these; without, it can't make this
        /// list of those it has.
        case notAskable([String])
        /// There is no answer, and nothing is known about the server.
        case stopped(Survey.Stop)
    }

    /// The most that the server gets for one handshake.
    private static let patience = Duration.seconds(10)
    /// The number of handshakes in a row without an answer after which no more is asked.
    private static let maximumSilence = 2

    private let request: SurveyRequest
    private let deadline: Deadline
    private let lateness: (any LatenessMeter)?
    private var silence = 0
    /// The first offer that was accepted, to ask again after a refusal that may be meant for the client.
    private var control: (offer: ClientOffer, transport: any Transport)?
    private var firstRefusal: HandshakeFailure?
    private var firstAnswer: HandshakeFailure?
    private(set) var handshakes = 0
    /// The address that was dialled.
    private(set) var address: String?
    /// True if the server did not answer the control as before.
    private(set) var isCutShort = false
    /// True if the server ended a handshake because the client showed no certificate.
    private(set) var wantsClientCertificate = false

    init(_ request: SurveyRequest, lateness: (any LatenessMeter)?) {
        self.request = request
        self.lateness = lateness
        deadline = .after(request.timeout)
    }

    /// True once nothing more is asked, because the server can't be reached or does not answer.
    var isOver: Bool { silence >= Self.maximumSilence }

    /// True if the server has accepted an offer.
    var hasAccepted: Bool { control != nil }

    /// The server's first refusal; of a server that accepted nothing, the first that was not an end of the connection.
    var refusal: HandshakeFailure? { hasAccepted ? firstRefusal : firstAnswer }

    /// Takes the last silence for that of one question, if the server had answered the one before.
    mutating func forgive() {
        if silence == 1 { silence = 0 }
    }

    /// Puts an offer to the server, and once more if the connection ends without an alert: that may be a fault on the way
    /// as well as a refusal. A refusal that a rate limit also gives is one only if the server takes the control after it.
    ///
    /// - Parameter part: the part of the survey, for the reason why it stops.
    mutating func ask(_ offer: ClientOffer, through transport: any Transport, about part: String) async -> Answer {
        var answer = await askOnce(offer, through: transport, about: part)
        if case .refused(let failure) = answer, failure.isEnd {
            answer = await askOnce(offer, through: transport, about: part)
        }
        switch answer {
        case .accepted: if control == nil { control = (offer, transport) }
        case .refused(let failure):
            if failure.mayBeLimit, let reason = await askControl(about: part) { return .stopped(reason) }
            firstRefusal = firstRefusal ?? failure
            if !failure.isEnd { firstAnswer = firstAnswer ?? failure }
        case .notAskable, .stopped: break
        }
        return answer
    }

    /// Asks for the first accepted offer once more, and returns the reason why nothing more can be learned if the server does
    /// not take it; nil if it does, or has accepted nothing.
    private mutating func askControl(about part: String) async -> Survey.Stop? {
        guard let control else { return nil }
        let asked = handshakes
        let reason: Survey.Stop
        switch await askOnce(control.offer, through: control.transport, about: part) {
        case .accepted, .notAskable: return nil
        case .stopped(let stop): reason = stop
        case .refused(let failure):
            reason = Survey.Stop(
                part: part, code: failure.code.rawValue,
                message: "the server no longer takes what it had accepted: \(failure.message)",
                transport: control.transport.name)
        }
        // The limits of the survey itself stop it without a handshake.
        if handshakes > asked {
            isCutShort = true
            silence = Self.maximumSilence
        }
        return reason
    }

    private mutating func askOnce(
        _ offer: ClientOffer, through transport: any Transport, about part: String
    ) async -> Answer {
        func stop(_ code: String, _ message: String, transport: String? = nil) -> Answer {
            .stopped(Survey.Stop(part: part, code: code, message: message, transport: transport))
        }
        guard handshakes < request.maximum else {
            return stop("handshakes-used-up", "all \(request.maximum) handshakes are used up")
        }
        let remaining = deadline.remaining
        guard remaining > .zero else { return stop("time-used-up", "the survey's time is used up") }
        let question = HandshakeRequest(
            endpoint: request.target.endpoint, serverName: request.target.name, anchors: .none,
            instant: request.instant, deadline: .after(min(remaining, Self.patience)),
            startTLS: request.target.startTLS, clientIdentity: request.clientIdentity, offer: offer)
        guard question.requiredCapabilities.isSubset(of: transport.capabilities) else { return .notAskable([]) }
        let report = await handshake(question, through: transport)
        address = report.peerAddress ?? address
        if report.failure?.code == .unsupported { return .notAskable(report.failure?.refusedEntries ?? []) }
        handshakes += 1
        guard let failure = report.failure, !Self.isChosen(report) else {
            silence = 0
            if let failure = report.failure, failure.code == .alertReceived || failure.isEnd,
                report.clientCertificateRequested == true, request.clientIdentity == nil
            {
                wantsClientCertificate = true
            }
            return .accepted(report)
        }
        switch failure.code {
        case .alertReceived, .connectionClosed, .connectionReset, .protocolError:
            silence = 0
            return .refused(failure)
        // The server took the version, with what the stack does not report.
        case .chainTooLong:
            silence = 0
            return stop(failure.code.rawValue, failure.message, transport: transport.name)
        default:
            silence += failure.code.isUnreachable ? Self.maximumSilence : 1
            return stop(failure.code.rawValue, failure.message, transport: transport.name)
        }
    }

    /// True if the server has made its choices, whatever ended the handshake after them, as a server does that wants a
    /// client certificate, or one whose chain is too long to be reported.
    private static func isChosen(_ report: HandshakeReport) -> Bool {
        let hasCertificates = !report.chain.isEmpty || report.failure?.code == .chainTooLong
        return report.isProven || report.version != nil && report.cipherSuite != nil && hasCertificates
    }

    private func handshake(_ question: HandshakeRequest, through transport: any Transport) async -> HandshakeReport {
        guard let lateness else { return await transport.handshake(question) }
        let allowed = question.deadline.remaining
        var (report, lost) = await lateness.measure { await transport.handshake(question) }
        report.failure = report.failure?.attributed(lost: lost, of: allowed)
        return report
    }
}

extension HandshakeFailure {
    /// True if the connection ended without an alert.
    var isEnd: Bool { code == .connectionClosed || code == .connectionReset }

    /// True if a server that refuses the offer, and one that limits or can't serve the client, end like this alike.
    var mayBeLimit: Bool { isEnd || alert == .internalError }
}
