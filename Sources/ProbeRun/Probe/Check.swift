import ProbeDNS
public import ProbeKit
public import ProbePins
import ProbePlatform
public import ProbeTrust

/// Everything that one probe of one target finds out and judges.
public struct Check: Sendable {
    /// The probed target.
    public internal(set) var target: Target
    /// The name a profile gives it, like `production/api`; nil if it was named on the command line.
    public let service: String?
    /// The targets to try instead, in order, when the target can't be reached (requirement 49).
    public internal(set) var alternates: [Target]
    /// The part of the target's addresses that it is about; nil is all of them, of which the first that answers is judged.
    public internal(set) var part: AddressPart?
    /// The records that led to the targets, and the target that they were followed from; nil if none were.
    package internal(set) var course: FollowedCourse?
    /// The mail hosts by the names that they prove, whose TLSA records count instead of the anchors; nil asks for no DANE.
    package internal(set) var mailHosts: [ServerName: MailHost]?
    /// The trust anchors.
    public internal(set) var anchors: TrustAnchors
    /// The verifier whose trust decision counts.
    public internal(set) var trust: TrustMode
    /// Pins: every group must match.
    public internal(set) var pins: [PinGroup]
    /// The pins that are only in one platform's own file, by the platform: it may have versions that don't read the file.
    public internal(set) var platformPins: [String: [PinGroup]] = [:]
    /// Certificates the chain has to have, compared attribute by attribute.
    public let certificates: [CertificateExpectation]
    /// The oldest TLS version the policy accepts.
    public internal(set) var minimumTLS: TLSVersion
    /// The application protocols to offer.
    public let alpn: [String]
    /// The content of the ClientHello; nil leaves it to the stack.
    public internal(set) var offer: ClientOffer?
    /// Further policies, judged before trust.
    public internal(set) var demands: [any Policy]
    /// The rule for asking the server for its time.
    public internal(set) var serverDate: ServerDateMode
    /// The time left to a certificate of the path at which the check fails; nil only warns.
    public let expiresWithin: Duration?
    /// The model to look for in DNS, if any.
    public internal(set) var model: ModelCheck?
    /// The time for which a connection that passed counts, if the prober has a cache of them (requirement 8).
    public internal(set) var cacheLifetime: CacheLifetime
    /// The time limit of one probe of the target.
    public internal(set) var timeout: Duration
    /// The identity for a server that asks for a client certificate; nil shows none.
    public internal(set) var clientIdentity: ClientIdentity?
    /// The way to the target.
    public internal(set) var route: HandshakeRequest.Route
    /// False for a client that sends no server name.
    var sendsName = true
    /// Names those who take a path that pins don't hold on, for its finding; nil if nobody is known.
    var pathTakers: PathTakers?
    /// The steps of fixes as the file that the pins are from can hold them; nil leaves them to the program.
    var fileWords: Fix.Step.Words?

    /// Creates a check.
    public init(
        target: Target, service: String? = nil, alternates: [Target] = [], anchors: TrustAnchors,
        trust: TrustMode = .both, pins: [PinGroup] = [], certificates: [CertificateExpectation] = [],
        minimumTLS: TLSVersion = .tls12, alpn: [String] = [], offer: ClientOffer? = nil, demands: [any Policy] = [],
        serverDate: ServerDateMode = .whenItDecides, expiresWithin: Duration? = nil, model: ModelCheck? = nil,
        cacheLifetime: CacheLifetime = .pins, timeout: Duration = .seconds(10),
        clientIdentity: ClientIdentity? = nil, route: HandshakeRequest.Route = .direct
    ) {
        self.target = target
        self.service = service
        self.alternates = alternates
        self.anchors = anchors
        self.trust = trust
        self.pins = pins
        self.certificates = certificates
        self.minimumTLS = minimumTLS
        self.alpn = alpn
        self.offer = offer
        self.demands = demands
        self.serverDate = serverDate
        self.expiresWithin = expiresWithin
        self.model = model
        self.cacheLifetime = cacheLifetime
        self.timeout = timeout
        self.clientIdentity = clientIdentity
        self.route = route
    }

    /// The capabilities that the check needs beyond those of every handshake.
    public var optionalCapabilities: Set<TransportCapability> {
        var needed = Self.optionalCapabilities(alpn: alpn, serverDate: serverDate)
        if target.startTLS != nil { needed.insert(.startTLS) }
        needed.formUnion(clientIdentity?.requiredCapabilities ?? [])
        if let capability = route.capability { needed.insert(capability) }
        return needed
    }

    /// Returns the capabilities that a check of these demands needs beyond those of every handshake.
    public static func optionalCapabilities(alpn: [String], serverDate: ServerDateMode) -> Set<TransportCapability> {
        var needed: Set<TransportCapability> = []
        if !alpn.isEmpty { needed.insert(.alpn) }
        if serverDate == .always { needed.insert(.httpHead) }
        return needed
    }

    /// The policies for the evidence, in the order of the stages.
    public var policy: some Policy {
        AllOf {
            connectionPolicy
            if let model { ModelListed(model) }
        }
    }

    /// The policies for one connection.
    public var connectionPolicy: some Policy {
        AllOf {
            ChainSupplied()
            HandshakeCompletes()
            ClientCertificateAsked()
            AlternateUsed()
            if let mailHost { DANEPublished(host: mailHost) }
            ProvenEvidence {
                MinimumVersion(minimumTLS)
                KeyExchangePermitted()
                for demand in demands { demand }
                if judgesTrust { TrustedChain(trust) }
                EveryStoreTrusts()
                ExpiresSoon(failingWithin: expiresWithin)
                KeyEncodingsAgree()
                PinsMatch(pins, trust: trust, takers: pathTakers, words: fileWords)
                CertificateMatches(certificates, trust: trust, takers: pathTakers)
            }
            if serverDate == .always { ReportServerClock() }
            RememberedConnection()
        }
    }

    /// The target's TLSA records; nil if DANE is not asked for.
    var mailHost: MailHost? {
        mailHosts.map { hosts in
            hosts[target.name]
                ?? MailHost(
                    owner: "_\(target.port)._tcp.\(target.name)", names: [], answer: .failed("nobody asked for them"))
        }
    }

    /// False for a mail host without TLSA records that can be used, which ``DANEPublished`` fails: a mail server then
    /// authenticates nobody, or does not connect (RFC 7672 sections 2.1 and 2.2), and no root store stands in for the records.
    var judgesTrust: Bool { mailHost.map { !$0.usable.isEmpty } ?? true }

    /// True if pins or expected certificates are looked for above the leaf, where other valid paths have others.
    var asksForPaths: Bool {
        pins.contains { $0.position.includes(index: 1) } || certificates.contains { $0.position.includes(index: 1) }
    }

    /// Returns true if the server may have to be asked for its time at an instant. One that starts TLS has no HTTP.
    func mayAskServer(at instant: Date) -> Bool {
        guard target.startTLS == nil else { return false }
        return serverDate == .always || serverDate == .whenItDecides && hasOpenWindow(at: instant)
    }

    /// Returns true if an instant is in the transition window of a group that a window can relax.
    func hasOpenWindow(at instant: Date) -> Bool {
        pins.contains { !$0.pinsKeys && $0.window?.contains(instant) ?? false }
    }
}
