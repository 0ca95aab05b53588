public import ProbeKit
public import ProbeNet

/// The transport over GnuTLS.
public struct GnuTLSTransport: Transport {
    private let anchors = GnuTLSAnchors()
    private let network: ProbeNetwork

    /// Creates a transport; all of its copies share their loaded anchors.
    ///
    /// - Parameter network: the event loops of its connections, and the lookup of names.
    public init(network: ProbeNetwork = .shared) {
        self.network = network
    }

    /// GnuTLS, with the loaded version of the library.
    public var identity: BackendIdentity { GnuTLSLibrary.identity }
    /// `gnutls`.
    public var name: String { GnuTLSLibrary.name }
    /// The absence of libgnutls.
    public var absence: BackendAbsence? { GnuTLSLibrary.absence }

    /// All but signed certificate timestamps: GnuTLS 3.7 neither asks for them nor shows those it receives.
    public let capabilities: Set<TransportCapability> = [
        .presentedChain, .sni, .alpn, .versionRange, .group, .ocspStaple, .keyReading, .trustEvaluation,
        .verifiedPath, .clientCertificateRequest, .lateRefusal, .httpHead, .revocationLists, .startTLS,
        .clientIdentity, .tokenKey, .offer, .proxy, .localSocket, .sessionTicket,
    ]

    /// Returns one full handshake over TCP, and the HTTP exchange if there is one to make.
    public func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        if let absence { return HandshakeReport(failure: absence.handshakeFailure) }
        return await HandshakeDriver.run(request, over: network) { [anchors] request throws(HandshakeFailure) in
            try GnuTLSEngine(request, anchors: anchors)
        }
    }

    /// Returns GnuTLS' trust decision on a chain, without a connection.
    @concurrent public func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        if let absence { return .unanswered(absence.description) }
        return GnuTLSTrust.evaluate(question, chain: GnuTLSCertificates(question.chain), anchors: anchors)
    }

    /// SHA-256 of the same library.
    public var digester: (any Digester)? { GnuTLSDigester() }

    /// Returns the key of a certificate as GnuTLS encodes it.
    public func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        if let absence { return .unanswered(absence.description) }
        return GnuTLSCertificates.readKey(of: certificate)
    }
}
