import ProbeKit

/// The questions put to one server, one handshake each, within the limits of the survey.
struct Interview {
    /// The result of one offer.
    enum Answer {
        /// The server took it.
        case accepted(HandshakeReport)
        /// The server refused it: an alert or a message that breaks the protocol came back, or the connection ended twice.
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
    private static let maximalSilence = 2

    private let request: SurveyRequest
    private let deadline: Deadline
    private let lateness: (any LatenessMeter)?
    private var silence = 0
    private(set) var handshakes = 0
    /// The address that was dialled.
    private(set) var address: String?
    /// The server's first refusal.
    private(set) var refusal: HandshakeFailure?
    /// True if the server ended a handshake because the client showed no certificate.
    private(set) var wantsClientCertificate = false

    init(_ request: SurveyRequest, lateness: (any LatenessMeter)?) {
        self.request = request
        self.lateness = lateness
        deadline = .after(request.timeout)
    }

    /// True once nothing more is asked, because the server can't be reached or does not answer.
    var isOver: Bool { silence >= Self.maximalSilence }

    /// Takes the last silence for that of one question, if the server had answered the one before.
    mutating func forgive() {
        if silence == 1 { silence = 0 }
    }

    /// Puts an offer to the server, and once more if the connection ends without an alert: that may be a fault on the way
    /// as well as a refusal.
    ///
    /// - Parameter part: the part of the survey, for the reason why it stops.
    mutating func ask(_ offer: ClientOffer, through transport: any Transport, about part: String) async -> Answer {
        var answer = await askOnce(offer, through: transport, about: part)
        guard case .refused(let failure) = answer else { return answer }
        if Self.ends.contains(failure.code) { answer = await askOnce(offer, through: transport, about: part) }
        if case .accepted = answer { return answer }
        refusal = refusal ?? failure
        return answer
    }

    private static let ends: Set<HandshakeFailure.Code> = [.connectionClosed, .connectionReset]

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
            if let failure = report.failure, failure.code == .alertReceived || Self.ends.contains(failure.code),
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
            silence += failure.code.isUnreachable ? Self.maximalSilence : 1
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
