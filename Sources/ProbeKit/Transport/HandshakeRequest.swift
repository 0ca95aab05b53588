public import ProbePlatform

/// One handshake to run.
public struct HandshakeRequest: Sendable {
    /// The endpoint to dial.
    public let endpoint: Endpoint
    /// The identity to ask the server for: sent as SNI if it is a DNS name, and used by native trust.
    public let serverName: ServerName
    /// The protocol versions to offer.
    public let versions: ClosedRange<TLSVersion>
    /// The application protocols to offer, preferred first; empty offers none.
    public let alpn: [String]
    /// The anchors for the stack's own trust decision.
    public let anchors: TrustAnchors
    /// The instant at which that decision is made.
    public let instant: Date
    /// The deadline, after which the connection is closed.
    public let deadline: Deadline
    /// The HTTP request to make once the handshake is judged; nil makes none.
    public let exchange: HTTPExchange?
    /// The protocol that starts TLS on the connection; nil speaks TLS from the first byte.
    public let startTLS: StartTLS?
    /// The identity for a server that asks for a client certificate; nil shows none.
    public let clientIdentity: ClientIdentity?
    /// The content of the ClientHello; nil leaves it to the stack. Its versions and application protocols, if it has any,
    /// are ``versions`` and ``alpn``.
    public let offer: ClientOffer?
    /// The way to the endpoint.
    public let route: Route
    /// True if ``endpoint`` is an address where a client of the server dials too, found by a lookup.
    package var isAtOwnAddress = false
    /// The identity to ask the server for before TLS, where the protocol that starts it has a word for one: ``serverName``,
    /// unless the client sends no SNI.
    package var nameBeforeTLS: ServerName

    /// Creates a request.
    public init(
        endpoint: Endpoint,
        serverName: ServerName,
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        alpn: [String] = [],
        anchors: TrustAnchors,
        instant: Date,
        deadline: Deadline,
        exchange: HTTPExchange? = nil,
        startTLS: StartTLS? = nil,
        clientIdentity: ClientIdentity? = nil,
        offer: ClientOffer? = nil,
        route: Route = .direct
    ) {
        self.endpoint = endpoint
        self.serverName = serverName
        nameBeforeTLS = serverName
        self.versions = offer?.versionRange ?? versions
        self.alpn = offer?.alpn ?? alpn
        self.anchors = anchors
        self.instant = instant
        self.deadline = deadline
        self.exchange = exchange
        self.startTLS = startTLS
        self.clientIdentity = clientIdentity
        self.offer = offer
        self.route = route
    }

    /// The capabilities that a transport needs for this request. Every key is decoded twice, so a transport that can't
    /// decode keys is of no use.
    public var requiredCapabilities: Set<TransportCapability> {
        var required: Set<TransportCapability> = [.presentedChain, .keyReading, .trustEvaluation, .versionRange]
        if serverName.sni != nil { required.insert(.sni) }
        if !alpn.isEmpty { required.insert(.alpn) }
        if exchange != nil { required.insert(.httpHead) }
        if offer != nil { required.insert(.offer) }
        if offer?.sessionTicket == true { required.insert(.sessionTicket) }
        if !anchors.revocationLists.isEmpty { required.insert(.revocationLists) }
        if startTLS != nil { required.insert(.startTLS) }
        required.formUnion(clientIdentity?.requiredCapabilities ?? [])
        if let capability = route.capability { required.insert(capability) }
        return required
    }

    /// True if the ClientHello lets the server ask for a certificate after the handshake (RFC 8446 section 4.2.6), where
    /// the stack can: there is one, and no ``offer``, which has the extensions that it names.
    public var allowsLateCertificateRequest: Bool { clientIdentity != nil && offer == nil }

    /// True if the address that is dialled is one where a client of the server dials too, and not that of another endpoint.
    package var dialsOwnAddress: Bool { isAtOwnAddress || endpoint.host == serverName }

    /// Returns the trust question about a chain seen in this handshake.
    ///
    /// - Parameters:
    ///   - chain: the certificates as presented.
    ///   - staple: the state of the stapled OCSP response.
    public func trustQuestion(about chain: [[UInt8]], staple: TrustQuestion.Staple = .notAsked) -> TrustQuestion {
        TrustQuestion(chain: chain, anchors: anchors, name: serverName, instant: instant, staple: staple)
    }
}

extension HandshakeRequest {
    /// Checks that the protocols to offer can be encoded (RFC 7301 section 3.1), and that the stack supports them.
    ///
    /// - Parameters:
    ///   - maximumCount: the stack's maximum number of protocols; nil if unlimited.
    ///   - maximumLength: the stack's maximum length of a name, in bytes.
    /// - Throws: ``HandshakeFailure`` with the code `unsupported`.
    public func checkALPN(maximumCount: Int? = nil, maximumLength: Int = 255) throws(HandshakeFailure) {
        if let maximumCount, alpn.count > maximumCount {
            throw HandshakeFailure(
                .unsupported, "\(alpn.count) ALPN protocols can't be offered; the stack takes \(maximumCount)")
        }
        guard let name = alpn.first(where: { !(1...maximumLength).contains($0.utf8.count) }) else { return }
        throw HandshakeFailure(
            .unsupported,
            "an ALPN name of \(name.utf8.count) bytes can't be offered; the stack takes 1 to \(maximumLength)")
    }
}

/// Limits on the memory that a peer can make us use, the same for every transport, so that a hostile peer gets the same
/// result from all.
public enum HandshakeLimits: Sendable {
    /// The maximum number of certificates of a presented chain.
    public static let certificates = PinPosition.deepest
    /// The maximum size of a certificate message, in bytes.
    public static let certificateMessageBytes = 512 * 1024
    /// The most bytes that a peer may send before the handshake is complete, records and all: none that ends needs as many,
    /// and one that does not end would keep us busy to the deadline.
    public static let handshakeBytes = 1024 * 1024
    /// The failure of a handshake whose peer sent more than ``handshakeBytes``.
    public static let excess = HandshakeFailure(
        .protocolError, "the peer sent more than \(handshakeBytes) bytes and did not complete the handshake")
    /// The maximum number of reported issuers of client certificates.
    public static let clientCertificateIssuers = 100
    /// The maximum number of requests for a client certificate after the handshake: each costs a signature, which other
    /// targets wait for.
    public static let lateCertificateRequests = 4
    /// The time that a server gets to refuse a client without a certificate, beyond the time that the handshake took. Tests
    /// of servers that do refuse wait for as long as that takes.
    @TaskLocal package static var refusalPatience: Duration = .seconds(1)
}
