import CProbeOpenSSL
package import ProbeKit
package import ProbeNet

/// One OpenSSL client handshake over memory.
package final class OpenSSLEngine: HandshakeEngine {
    private let request: HandshakeRequest
    private let connection: OpenSSLConnection
    private let anchors: OpenSSLAnchors

    package init(
        _ request: HandshakeRequest, context: OpenSSLContext, anchors: OpenSSLAnchors
    ) throws(HandshakeFailure) {
        self.request = request
        self.anchors = anchors
        try request.checkALPN()
        let offer = try request.offer.map { offer throws(HandshakeFailure) in try OpenSSLOffer(offer) }
        do throws(OpenSSLError) {
            connection = try OpenSSLConnection(context)
            try connection.offer(versions: request.versions, alpn: request.alpn)
            if let offer { try connection.offer(offer) }
            if asksForTicket { connection.askForTicket() }
            if let name = request.serverName.sni { try connection.setServerName(name) }
        } catch {
            throw request.offer == nil ? error.backendFailure : error.offerFailure
        }
        guard let identity = request.clientIdentity else { return }
        do throws(OpenSSLError) { try connection.show(OpenSSLIdentity(identity)) } catch { throw error.identityFailure }
        if request.allowsLateCertificateRequest { connection.allowLateCertificateRequest() }
    }

    /// Returns a maker of engines over one context, which is made for the first of them.
    package static func maker(_ anchors: OpenSSLAnchors) -> EngineMaker {
        let firstUse = OpenSSLFirstUse()
        return { request throws(HandshakeFailure) in
            try OpenSSLEngine(request, context: try firstUse.context(), anchors: anchors)
        }
    }

    package func receive(_ bytes: RawSpan) {
        connection.feed(bytes)
    }

    package func advance() -> HandshakeProgress {
        guard !connection.hasLostBytes else {
            return .failed(.outOfMemory)
        }
        let step = connection.handshake()
        // The list is counted as soon as it is there: the rest of the handshake may never come.
        let count = connection.withFacts { $0.certificateCount }
        guard count <= HandshakeLimits.certificates else {
            return .failed(.tooManyCertificates(count))
        }
        switch step {
        case .wantsInput: return .needsInput
        case .failed(let error):
            let isReadingCertificates = connection.withFacts { $0.isReadingCertificates }
            return .failed(error.handshakeFailure(isReadingCertificates: isReadingCertificates))
        case .closed:
            return .failed(.closedWithNotify())
        case .done:
            if let failure = connection.presented.disagreement(parsed: count) { return .failed(failure) }
            return .complete
        }
    }

    package func takeOutput() -> [UInt8] { connection.drain() }

    private var asksForTicket: Bool { request.offer?.sessionTicket == true }

    package var mayBeRefusedLate: Bool {
        guard connection.certificateWasRequested || asksForTicket else { return false }
        let version = connection.withFacts { $0.version }
        return version == .tls13
    }

    package var lateCertificateRequest: LateCertificateRequest? { connection.lateCertificateRequest }

    package func fill(_ report: inout HandshakeReport) -> TrustDecision? {
        report.sniSent = request.serverName.sni
        // Before the handshake is complete a request may still come.
        if connection.isComplete || connection.certificateWasRequested {
            report.clientCertificateRequested = connection.certificateWasRequested
        }
        if request.clientIdentity != nil { report.clientCertificateSent = connection.certificateWasSent == true }
        report.certificateRequestAnswered = connection.certificateWasSent != nil
        report.version = connection.negotiatedVersion
        connection.withFacts { $0.fill(&report) }
        if request.allowsLateCertificateRequest, report.version == .tls13 {
            report.clientCertificateRequestedLate = false
        }
        if asksForTicket, report.version != nil {
            report.sessionTicket = connection.withFacts { $0.hasSessionTicket }
        }
        // A chain that is too long is not reported: its first part would be judged as if it were complete.
        let count = connection.withFacts { $0.certificateCount }
        guard count <= HandshakeLimits.certificates,
            let certificates = OpenSSLCertificates(of: connection)
        else { return nil }
        report.chain = certificates.presented
        report.keys = certificates.keys
        let question = request.trustQuestion(about: report.chain)
        return { [anchors] in OpenSSLTrust.evaluate(question, chain: certificates, anchors: anchors) }
    }

    package func decrypt() -> DecryptedBytes {
        let (bytes, end) = connection.read()
        return switch end {
        case .wantsInput, .done: DecryptedBytes(bytes)
        case .closed: DecryptedBytes(bytes, end: connection.asksTooOften ? .askedTooOften : .closed)
        case .failed(let error):
            DecryptedBytes(bytes, end: RecordFailure(error.message, nativeCode: error.code, alert: error.alert))
        }
    }

    package func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {
        do throws(OpenSSLError) {
            try connection.write(plaintext)
        } catch {
            throw RecordFailure(error.message, nativeCode: error.code)
        }
    }

    package func close() { connection.close() }
}
