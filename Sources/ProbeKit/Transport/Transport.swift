/// One TLS stack, made to report facts.
///
/// A transport never sees a pin and never judges: a refused or broken handshake is a report with the facts so far. It
/// waits no longer than the request's deadline, reads no clock but the instants it is given, keeps no sessions between
/// calls, and may be called from many tasks at once. A verification result is reused only for equal inputs: the chain, the
/// anchors with their revocation lists, the instant to the second, the purpose, the depth and the policies.
public protocol Transport: Backend {
    /// The transport's capabilities; the prober rejects a request that needs more.
    var capabilities: Set<TransportCapability> { get }

    /// Connects, runs one full handshake, evaluates the stack's own trust, makes the request's HTTP exchange if there is one
    /// and it is approved, and closes. Without an exchange no application data is sent.
    func handshake(_ request: HandshakeRequest) async -> HandshakeReport

    /// Returns the stack's own trust decision on a chain, without a connection, or the failure because of which it has none.
    @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading

    /// The stack's own reading of a certificate's public key, compared with ours off the hot path.
    ///
    /// - Parameter certificate: DER of one certificate.
    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading

    /// The library's own SHA-256, which certificates seen through this transport are digested with; nil where the transport
    /// brings none, and the program's own serves.
    var digester: (any Digester)? { get }
}

extension Transport {
    /// None of its own.
    public var digester: (any Digester)? { nil }
}

/// A transport whose library has its own public-key pin check, which can be applied to a key that we read.
///
/// It is a second check of the data that SPKI pins are compared with, closer to the clients that ship such pins than
/// the key's encoding is. It declares ``TransportCapability/pinCheck``.
public protocol KeyConfirming: Transport {
    /// Checks with the library whether a server's leaf has the key that we read from it, over a connection of its own.
    ///
    /// The transport still never sees a pin: it checks the SubjectPublicKeyInfo in `leaf`. Neither chain nor name is
    /// judged.
    ///
    /// - Parameters:
    ///   - leaf: the leaf as DER, as an earlier handshake showed it.
    ///   - request: the server's endpoint, and the deadline.
    func confirmKey(ofLeaf leaf: [UInt8], _ request: HandshakeRequest) async -> KeyConfirmation
}

/// The result of a library's own pin check of a key that we read.
@nonexhaustive public enum KeyConfirmation: Hashable, Sendable {
    /// It finds the same key in the leaf.
    case confirmed
    /// It finds another key in the leaf: one of the two readings is wrong (decided: read-twice).
    case denied
    /// It never got to the key.
    case unanswered(HandshakeFailure)
}

/// A feature of transports. A request that needs an undeclared one is rejected before a byte is sent (decided:
/// no-fallback).
public struct TransportCapability: RawRepresentable, Hashable, Sendable, Codable, Comparable {
    /// The stable name, in kebab case.
    public let rawValue: String

    /// Creates a capability with a stable name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reports the certificates as the server sent them.
    public static let presentedChain = TransportCapability(rawValue: "presented-chain")
    /// Sends a server name of the caller's choice, or none.
    public static let sni = TransportCapability(rawValue: "sni")
    /// Offers application protocols and reports the chosen one.
    public static let alpn = TransportCapability(rawValue: "alpn")
    /// Limits the offered protocol versions.
    public static let versionRange = TransportCapability(rawValue: "version-range")
    /// Sends the ClientHello of a ``ClientOffer``, or refuses by name what it can't offer.
    public static let offer = TransportCapability(rawValue: "offer")
    /// Asks for a session ticket where the offer says so, and reports whether the server gave one.
    public static let sessionTicket = TransportCapability(rawValue: "session-ticket")
    /// Reports the key exchange group.
    public static let group = TransportCapability(rawValue: "group")
    /// Asks for and reports a stapled OCSP response.
    public static let ocspStaple = TransportCapability(rawValue: "ocsp-staple")
    /// Reports signed certificate timestamps that came in the handshake.
    public static let handshakeSCTs = TransportCapability(rawValue: "handshake-scts")
    /// Reports the stack's own encoding of each public key.
    public static let keyReading = TransportCapability(rawValue: "key-reading")
    /// Has a public-key pin check of its own (``KeyConfirming``).
    public static let pinCheck = TransportCapability(rawValue: "pin-check")
    /// Evaluates the trust of any chain at any instant, without a connection.
    public static let trustEvaluation = TransportCapability(rawValue: "trust-evaluation")
    /// Judges chains by certificate revocation lists that come with the anchors.
    public static let revocationLists = TransportCapability(rawValue: "revocation-lists")
    /// Accepts the inputs of path validation that are about certificate policies.
    public static let policyInputs = TransportCapability(rawValue: "policy-inputs")
    /// Shows the path that its trust decision took, which pins are judged on.
    public static let verifiedPath = TransportCapability(rawValue: "verified-path")
    /// Reports whether the server asked for a client certificate.
    public static let clientCertificateRequest = TransportCapability(rawValue: "client-certificate-request")
    /// Waits, after a handshake of TLS 1.3 in which a client certificate was asked for, for the server's refusal.
    public static let lateRefusal = TransportCapability(rawValue: "late-refusal")

    /// Makes one HTTP HEAD request over the connection, in HTTP/1.1 and HTTP/2.
    public static let httpHead = TransportCapability(rawValue: "http-head")

    /// Speaks the protocols that start TLS (``StartTLS``).
    public static let startTLS = TransportCapability(rawValue: "starttls")
    /// Shows a client certificate of the caller's to a server that asks for one.
    public static let clientIdentity = TransportCapability(rawValue: "client-certificate")
    /// Shows one whose key is in a PKCS #11 token (``ClientIdentity/Key``).
    public static let tokenKey = TransportCapability(rawValue: "token-key")
    /// Connects through a proxy.
    public static let proxy = TransportCapability(rawValue: "proxy")
    /// Connects to a socket of the file system.
    public static let localSocket = TransportCapability(rawValue: "local-socket")

    /// Orders by name, for stable output.
    public static func < (left: TransportCapability, right: TransportCapability) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension TrustQuestion {
    /// The capabilities that a transport needs to answer, beside evaluating trust.
    public var requiredCapabilities: Set<TransportCapability> {
        var required: Set<TransportCapability> = []
        if !anchors.revocationLists.isEmpty { required.insert(.revocationLists) }
        if !policies.isDefault { required.insert(.policyInputs) }
        return required
    }
}

/// A TLS library's bare client from C, with nothing of ours around it: the baseline for a probe's handshake.
///
/// It connects to a port of 127.0.0.1, does one full handshake, lets the library verify chain and name at the present
/// time, and closes. It waits ten seconds for a server's bytes, and is only for the caller's own servers.
public protocol HandshakeFloor: Sendable {
    /// The name of the transport over the same library.
    static var transport: String { get }

    /// Creates a client that trusts one CA.
    ///
    /// - Parameter anchor: the authority's certificate as DER.
    /// - Throws: ``HandshakeFailure`` with the code `backend-error`, when the library can't be set up.
    init(anchor: [UInt8]) throws(HandshakeFailure)

    /// Makes one connection, and returns true if the handshake completed and the chain was accepted.
    ///
    /// - Parameters:
    ///   - port: the server's port on 127.0.0.1.
    ///   - name: the name to ask for and to verify.
    func handshake(port: UInt16, name: String) -> Bool
}
