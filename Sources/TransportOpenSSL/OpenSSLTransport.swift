import CProbeOpenSSL
public import ProbeKit
public import ProbeNet

/// OpenSSL as a transport.
public struct OpenSSLTransport: Transport {
    private let firstUse = OpenSSLFirstUse()
    private let anchors = OpenSSLAnchors()
    private let network: ProbeNetwork

    /// Creates a transport on the loaded OpenSSL.
    ///
    /// - Parameter network: the event loops of its connections, and the lookup of names.
    /// - Throws: ``HandshakeFailure`` with the code `backend-error`, if the library can't be set up. If its
    ///   configuration leaves it nothing to offer, each handshake fails with that code.
    public init(network: ProbeNetwork = .shared) throws(HandshakeFailure) {
        self.network = network
        OpenSSLError.clear()
        guard OPENSSL_init_ssl(0, nil) == 1 else { throw OpenSSLError.take("OPENSSL_init_ssl").backendFailure }
    }

    /// `openssl`, with the version of the loaded library.
    public var identity: BackendIdentity { .openSSL }

    /// All capabilities: OpenSSL shows all facts of a report.
    public var capabilities: Set<TransportCapability> {
        [
            .presentedChain, .sni, .alpn, .versionRange, .group, .ocspStaple, .handshakeSCTs, .keyReading,
            .trustEvaluation, .verifiedPath, .clientCertificateRequest, .lateRefusal, .httpHead, .revocationLists,
            .policyInputs, .startTLS, .clientIdentity, .offer, .proxy, .localSocket, .sessionTicket,
        ]
    }

    /// Returns one full handshake over TCP, and the HTTP exchange if there is one to make.
    public func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        let context: OpenSSLContext
        do throws(OpenSSLError) {
            context = try firstUse.context()
        } catch {
            return HandshakeReport(failure: error.backendFailure)
        }
        return await HandshakeDriver.run(request, over: network) { request throws(HandshakeFailure) in
            try OpenSSLEngine(request, context: context, anchors: anchors)
        }
    }

    /// Returns a maker of engines, for a resolver that needs TLS below its own exchange.
    public static func engineMaker() -> EngineMaker { engineMaker(OpenSSLAnchors()) }

    /// Returns a maker of engines, for a stack over OpenSSL that needs TLS below its own.
    package static func engineMaker(_ anchors: OpenSSLAnchors) -> EngineMaker {
        let firstUse = OpenSSLFirstUse()
        return { request throws(HandshakeFailure) in
            let context: OpenSSLContext
            do throws(OpenSSLError) {
                context = try firstUse.context()
            } catch {
                throw error.backendFailure
            }
            return try OpenSSLEngine(request, context: context, anchors: anchors)
        }
    }

    /// Returns OpenSSL's own trust decision, without a connection.
    @concurrent public func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        OpenSSLTrust.evaluate(question, chain: OpenSSLCertificates(question.chain), anchors: anchors)
    }

    /// SHA-256 of the same library.
    public var digester: (any Digester)? { OpenSSLDigester() }

    /// Returns the key as OpenSSL would encode it.
    public func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        OpenSSLCertificates.readKey(of: certificate)
    }
}
