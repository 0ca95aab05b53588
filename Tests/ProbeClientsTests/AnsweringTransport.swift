import ProbeKit
import Synchronization
import TransportOpenSSL

/// A stack with OpenSSL's capabilities whose handshakes are reports of the test's, without a connection.
final class AnsweringTransport: Transport {
    let identity = BackendIdentity(name: "answering", library: "none", version: "1")
    let capabilities = OpenSSLTransport().capabilities
    /// The requests so far.
    let requests = Mutex<[HandshakeRequest]>([])
    private let answer: @Sendable (HandshakeRequest) -> HandshakeReport

    init(_ answer: @escaping @Sendable (HandshakeRequest) -> HandshakeReport) { self.answer = answer }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        requests.withLock { $0.append(request) }
        return answer(request)
    }

    @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .refused([]) }

    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("not asked") }
}
