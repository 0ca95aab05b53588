import ProbeKit
import ProbeNet

/// One BoringSSL client handshake over memory.
final class NIOSSLEngine: HandshakeEngine {
    private let request: HandshakeRequest
    private let connection: BoringSSLConnection
    private let anchors: NIOSSLAnchors

    init(_ request: HandshakeRequest, context: BoringSSLContext, anchors: NIOSSLAnchors) throws(HandshakeFailure) {
        self.request = request
        self.anchors = anchors
        try request.checkALPN()
        let offer = try request.offer.map { offer throws(HandshakeFailure) in try BoringSSLOffer(offer) }
        do throws(BoringSSLError) {
            connection = try BoringSSLConnection(context)
            try connection.offer(versions: request.versions, alpn: request.alpn)
            if let offer { try connection.offer(offer) }
            if let name = request.serverName.sni { try connection.setServerName(name) }
        } catch {
            throw request.offer == nil ? error.backendFailure : error.offerFailure
        }
        guard let identity = request.clientIdentity else { return }
        do throws(BoringSSLError) { try connection.show(identity) } catch { throw error.identityFailure }
    }

    func receive(_ bytes: RawSpan) {
        connection.feed(bytes)
    }

    func advance() -> HandshakeProgress {
        guard !connection.hasLostBytes else {
            return .failed(.outOfMemory)
        }
        let step = connection.handshake()
        let count = connection.certificateCount
        guard count <= HandshakeLimits.certificates else {
            return .failed(.tooManyCertificates(count))
        }
        return switch step {
        case .wantsInput: .needsInput
        case .failed(let error):
            .failed(error.handshakeFailure(isReadingCertificates: connection.isAwaitingCertificates))
        case .closed:
            .failed(.closedWithNotify())
        case .done: .complete
        }
    }

    func takeOutput() -> [UInt8] { connection.drain() }

    var mayBeRefusedLate: Bool { connection.certificateWasRequested && connection.version == .tls13 }

    func fill(_ report: inout HandshakeReport) -> TrustDecision? {
        report.sniSent = request.serverName.sni
        let presented = connection.chain
        // Before the handshake is complete a request may still come.
        if connection.isComplete || connection.certificateWasRequested {
            report.clientCertificateRequested = connection.certificateWasRequested
        }
        if request.clientIdentity != nil { report.clientCertificateSent = connection.certificateWasSent == true }
        report.certificateRequestAnswered = connection.certificateWasSent != nil
        report.clientCertificateIssuers = connection.clientCertificateIssuers
        if connection.hasNegotiated {
            report.version = connection.version
            report.cipherSuite = connection.cipherSuite
            report.group = connection.group
            report.signatureAlgorithm = connection.signatureAlgorithm
            report.alpn = connection.alpn
            report.ocspStaple = connection.ocspStaple
            report.handshakeSCTs = connection.handshakeSCTs
        }
        // A chain that is too long or cut short is not reported: a part of it would be judged as if it were complete.
        guard 1...HandshakeLimits.certificates ~= presented.count else { return nil }
        report.chain = presented
        let certificates = NIOSSLCertificates(presented)
        report.keys = certificates.keys
        let question = request.trustQuestion(about: report.chain)
        // If another endpoint was dialled, by its name too, the address is not the one that a client dials.
        let dialled = request.dialsOwnAddress ? report.peerAddress.flatMap(IPAddress.init) : nil
        return { [anchors] in NIOSSLTrust.evaluate(question, chain: certificates, anchors: anchors, dialled: dialled) }
    }

    func decrypt() -> DecryptedBytes {
        let (bytes, end) = connection.read()
        return switch end {
        case .wantsInput, .done: DecryptedBytes(bytes)
        case .closed: DecryptedBytes(bytes, end: .closed)
        case .failed(let error):
            DecryptedBytes(bytes, end: RecordFailure(error.message, nativeCode: error.code, alert: error.alert))
        }
    }

    func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {
        do throws(BoringSSLError) {
            try connection.write(plaintext)
        } catch {
            throw RecordFailure(error.message, nativeCode: error.code)
        }
    }

    func close() { connection.close() }
}
