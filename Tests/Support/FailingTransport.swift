package import ProbeKit
package import Synchronization

/// Fails at once, always in one way.
package final class FailingTransport: Transport {
    package let identity = BackendIdentity(name: "failing", library: "none", version: "0")
    package let capabilities: Set<TransportCapability> = [
        .presentedChain, .sni, .alpn, .versionRange, .keyReading, .trustEvaluation, .httpHead,
    ]
    /// The number of handshakes that were asked for.
    package let count = Mutex(0)
    private let code: HandshakeFailure.Code
    private let meanwhile: @Sendable () -> Void

    /// - Parameter meanwhile: runs during each handshake.
    package init(_ code: HandshakeFailure.Code, meanwhile: @escaping @Sendable () -> Void = {}) {
        self.code = code
        self.meanwhile = meanwhile
    }

    package func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        count.withLock { $0 += 1 }
        meanwhile()
        return HandshakeReport(failure: HandshakeFailure(code, "it fails"))
    }

    package func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        .refused([.init(.other, "it fails")])
    }

    package func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("it fails") }
}
