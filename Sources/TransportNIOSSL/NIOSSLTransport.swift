public import ProbeKit
public import ProbeNet

/// BoringSSL as a transport: the copy that swift-nio-ssl brings along.
///
/// It offers the cipher suites and groups of a NIOSSL client, verifies with BoringSSL's defaults and compares names as
/// NIOSSL does, so that a report shows what such a client would see. Like such a client it does not judge stapled OCSP
/// responses. It accepts two more kinds of keys, P-521 and Ed25519, which a NIOSSL client accepts only if configured.
public struct NIOSSLTransport: Transport {
    private let firstUse = NIOSSLFirstUse()
    private let anchors = NIOSSLAnchors()
    private let network: ProbeNetwork

    /// Creates a transport on the BoringSSL of this build. If it can't be set up, each handshake fails with the code
    /// `backend-error`.
    ///
    /// - Parameter network: the event loops of its connections, and the lookup of names.
    public init(network: ProbeNetwork = .shared) {
        self.network = network
    }

    /// `nio`, with the API version of the BoringSSL that is linked in.
    public var identity: BackendIdentity { BoringSSLLibrary.identity }
    /// `nio`.
    public var name: String { BoringSSLLibrary.name }

    /// All facts of a report but whether a ticket came; no keys in tokens, and no pin check of its own.
    public let capabilities: Set<TransportCapability> = [
        .presentedChain, .sni, .alpn, .versionRange, .group, .ocspStaple, .handshakeSCTs, .keyReading,
        .trustEvaluation, .verifiedPath, .clientCertificateRequest, .lateRefusal, .httpHead, .revocationLists,
        .policyInputs, .startTLS, .clientIdentity, .offer, .proxy, .localSocket,
    ]

    /// Returns one full handshake over TCP, and the HTTP exchange if there is one to make.
    public func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        let context: BoringSSLContext
        do throws(HandshakeFailure) {
            context = try firstUse.context()
        } catch {
            return HandshakeReport(failure: error)
        }
        return await HandshakeDriver.run(request, over: network) { request throws(HandshakeFailure) in
            try NIOSSLEngine(request, context: context, anchors: anchors)
        }
    }

    /// Returns BoringSSL's own trust decision, without a connection.
    @concurrent public func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        NIOSSLTrust.evaluate(question, chain: NIOSSLCertificates(question.chain), anchors: anchors)
    }

    /// SHA-256 of the same library.
    public var digester: (any Digester)? { BoringSSLDigester() }

    /// Returns the key as BoringSSL would encode it.
    public func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        NIOSSLCertificates.readKey(of: certificate)
    }
}
