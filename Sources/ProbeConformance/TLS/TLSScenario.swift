public import ProbeKit
public import ProbeLab
import ProbePlatform
public import ProbeRun

/// One promise about probing a TLS server, as data: a server, a check, and the expected result.
///
/// The promise holds for every transport alike. Beside the scenario's own promise, the server's certificates are
/// reported byte for byte, SNI has the target's name and never an address, no application data is sent except the
/// allowed requests (requirement 108), and the probe ends in time (decided: deadlines).
public struct TLSScenario: Sendable, Identifiable, CustomStringConvertible {
    /// The instant around which the lab's certificates are valid; any would do.
    static let epoch = Date(timeIntervalSince1970: 1_793_534_400)

    /// A certificate that is trusted to begin with.
    public enum Anchor: Hashable, Sendable {
        /// An authority's.
        case authority(LabAuthority)
        /// The server's own.
        case leaf(LabIdentityName)
    }

    /// A known and permitted difference of one transport from the promise.
    public struct Deviation: Hashable, Sendable {
        /// The outcome it has instead; the promised one where only a fact of the evidence differs.
        public let outcome: Outcome
        /// The code of the finding that decides it; nil if any will do.
        public let code: String?
        /// Its trust result without a connection, if it differs from the handshake's: a cause, or `accepted`.
        public let offlineTrust: String?
        /// The difference of the stack, in a sentence.
        public let reason: String

        /// Creates a deviation.
        public init(_ outcome: Outcome, code: String? = nil, offlineTrust: String? = nil, _ reason: String) {
            self.outcome = outcome
            self.code = code
            self.offlineTrust = offlineTrust
            self.reason = reason
        }
    }

    /// Stable, with slashes: `tls/pins/spki-leaf`.
    public let id: String
    /// The promise.
    public let sentence: String
    /// The promise's source: an RFC section, a requirement, or a decision of ours, named as such.
    public let source: String
    /// The peer.
    public let peer: LabPeer
    /// The loopback address it listens on.
    public var address = IPAddress.loopback4
    /// The target's name as given by the user.
    public var name = "good.test"
    /// The protocol that starts TLS, as given by the user.
    public var startTLS: StartTLS?
    /// The protocol of a proxy, which is at the server's endpoint; the target is not dialled then.
    public var proxy: HandshakeRequest.Proxy.Scheme?
    /// The credentials for it, `user:password`.
    public var proxyCredentials: String?
    /// The identity for a server that asks for a client certificate.
    public var clientIdentity: LabIdentityName?
    /// The trust anchors.
    public var anchors: [Anchor] = [.authority(.root)]
    /// The revocation lists that come with them.
    public var revocationLists: [RevocationListRecipe] = []
    /// The pins: every group must match.
    public var pins: [PinGroupRecipe] = []
    /// Certificates the chain has to have: every one.
    public var certificates: [CertificateRecipe] = []
    /// The named policies to apply.
    public var policies: [String] = []
    /// True if the anchors count as the system's.
    public var anchorsAreSystem = false
    /// True if the check of a client that reads names exactly counts too.
    public var readsNamesExactly = false
    /// The verifier whose trust decision counts.
    public var trust = TrustMode.both
    /// The oldest version the policy accepts.
    public var minimumTLS = TLSVersion.tls12
    /// The protocols to offer.
    public var alpn: [String] = []
    /// The content of the ClientHello; nil leaves it to the stack.
    public var offer: ClientOffer?
    /// The instant of the check, in seconds from the PKI's epoch.
    public var instant = 0
    /// The rule for asking the server for its time.
    public var serverDate = ServerDateMode.whenItDecides
    /// The number of HTTP requests that the server has to receive; 0 means no byte inside TLS, nil any number.
    public var requests: Int? = 0
    /// The time limit of the whole probe.
    public var timeout = Duration.seconds(5)
    /// The capabilities that a transport needs for the promise to apply, beside those of every handshake: without them
    /// it is asked for nothing that it could refuse, and less is known.
    public var needs: Set<TransportCapability> = []
    /// The outcome.
    public private(set) var expected: Outcome
    /// The code of the finding that decides it; nil if the outcome passes.
    public private(set) var expectedCode: String?
    /// A question about the chain that is asked beside the handshake's, without a connection.
    var question: ChainQuestion?
    /// The facts expected of the evidence and the findings.
    public var facts: [TLSFact] = []
    /// The transports that are known to differ, by name.
    public var deviations: [String: Deviation] = [:]

    /// The id and the sentence.
    public var description: String { "\(id): \(sentence)" }

    init(
        _ id: String, _ sentence: String, source: String, _ peer: LabPeer, _ expected: Outcome, code: String? = nil
    ) {
        self.id = "tls/" + id
        self.sentence = sentence
        self.source = source
        self.peer = peer
        self.expected = expected
        expectedCode = code
    }

    /// Creates a scenario over a server that only presents an identity.
    init(
        _ id: String, _ sentence: String, source: String, _ identity: LabIdentityName, _ expected: Outcome,
        code: String? = nil
    ) {
        self.init(id, sentence, source: source, .tls(LabTLSRecipe(identity)), expected, code: code)
    }

    /// Returns the same with another outcome.
    func with(_ expected: Outcome, code: String?) -> TLSScenario {
        with {
            $0.expected = expected
            $0.expectedCode = code
        }
    }

    func with(_ change: (inout TLSScenario) -> Void) -> TLSScenario {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns true if the promise applies to a transport.
    public func isAsked(of transport: any Transport) -> Bool { needs.isSubset(of: transport.capabilities) }

    /// Returns the outcome expected of a transport with this name.
    public func expectedOutcome(of transport: String) -> Outcome { deviations[transport]?.outcome ?? expected }

    /// The identity that the server presents to this target; nil if it is not a TLS server.
    var presented: LabIdentityName? {
        guard case .tls(let recipe) = peer else { return nil }
        return (try? ServerName(name))?.sni.flatMap { recipe.identitiesByName[$0] } ?? recipe.identity
    }
}
