public import ProbeKit
public import ProbeNet
import ProbeOpenSSL

/// OpenSSL as a transport.
public struct OpenSSLTransport: Transport {
    private let firstUse = OpenSSLFirstUse()
    private let anchors = OpenSSLAnchors()
    private let network: ProbeNetwork

    /// Creates a transport; OpenSSL is opened for the first question. If it can't be set up, or its configuration leaves it
    /// nothing to offer, each handshake fails with the code `backend-error`.
    ///
    /// - Parameter network: the event loops of its connections, and the lookup of names.
    public init(network: ProbeNetwork = .shared) {
        self.network = network
    }

    /// `openssl`, with the version of the loaded library.
    public var identity: BackendIdentity { OpenSSLLibrary.identity }
    /// `openssl`.
    public var name: String { OpenSSLLibrary.name }
    /// The absence of libssl or libcrypto.
    public var absence: BackendAbsence? { OpenSSLLibrary.absence }

    /// All facts of a report; no keys in tokens, and no pin check of its own.
    public let capabilities: Set<TransportCapability> = [
        .presentedChain, .sni, .alpn, .versionRange, .group, .ocspStaple, .handshakeSCTs, .keyReading,
        .trustEvaluation, .verifiedPath, .clientCertificateRequest, .lateRefusal, .httpHead, .revocationLists,
        .policyInputs, .startTLS, .clientIdentity, .offer, .proxy, .localSocket, .sessionTicket,
    ]

    /// Returns one full handshake over TCP, and the HTTP exchange if there is one to make.
    public func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        let context: OpenSSLContext
        do throws(HandshakeFailure) {
            context = try firstUse.context()
        } catch {
            return HandshakeReport(failure: error)
        }
        return await HandshakeDriver.run(request, over: network) { request throws(HandshakeFailure) in
            try OpenSSLEngine(request, context: context, anchors: anchors)
        }
    }

    /// Returns a maker of engines, for a resolver that needs TLS below its own exchange.
    public static func engineMaker() -> EngineMaker { OpenSSLEngine.maker(OpenSSLAnchors()) }

    /// Returns OpenSSL's own trust decision, without a connection.
    @concurrent public func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        if let absence { return .unanswered(absence.description) }
        return OpenSSLTrust.evaluate(question, chain: OpenSSLCertificates(question.chain), anchors: anchors)
    }

    /// SHA-256 of the same library.
    public var digester: (any Digester)? { OpenSSLDigester() }

    /// Returns the key as OpenSSL would encode it.
    public func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        if let absence { return .unanswered(absence.description) }
        return OpenSSLCertificates.readKey(of: certificate)
    }
}
