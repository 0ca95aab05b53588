import ProbeDNS
public import ProbeKit
public import ProbePins
import ProbePlatform
public import ProbeTrust

/// Everything that one probe of one target finds out and judges.
public struct Check: Sendable {
    /// The probed target.
    public private(set) var target: Target
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
    public private(set) var anchors: TrustAnchors
    /// The verifier whose trust decision counts.
    public private(set) var trust: TrustMode
    /// Pins: every group must match.
    public private(set) var pins: [PinGroup]
    /// The pins that are only in one platform's own file, by the platform: it may have versions that don't read the file.
    public private(set) var platformPins: [String: [PinGroup]] = [:]
    /// Certificates the chain has to have, compared attribute by attribute.
    public let certificates: [CertificateExpectation]
    /// The oldest TLS version the policy accepts.
    public private(set) var minimumTLS: TLSVersion
    /// The application protocols to offer.
    public let alpn: [String]
    /// The content of the ClientHello; nil leaves it to the stack.
    public private(set) var offer: ClientOffer?
    /// Further policies, judged before trust.
    public private(set) var demands: [any Policy]
    /// The rule for asking the server for its time.
    public private(set) var serverDate: ServerDateMode
    /// The time left to a certificate of the path at which the check fails; nil only warns.
    public let expiresWithin: Duration?
    /// The model to look for in DNS, if any.
    public private(set) var model: ModelCheck?
    /// The time for which a connection that passed counts, if the prober has a cache of them (requirement 8).
    public private(set) var cacheLifetime: CacheLifetime
    /// The time limit of one probe of the target.
    public private(set) var timeout: Duration
    /// The identity for a server that asks for a client certificate; nil shows none.
    public private(set) var clientIdentity: ClientIdentity?
    /// The way to the target.
    public private(set) var route: HandshakeRequest.Route
    /// Names those who take a path that pins don't hold on, for its finding; nil if nobody is known.
    private var pathTakers: PathTakers?
    /// The steps of fixes as the file that the pins are from can hold them; nil leaves them to the program.
    private var fileWords: Fix.Step.Words?

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

    /// Returns the same demands on another target, and on no alternates.
    func aimed(at target: Target) -> Check {
        var check = self
        check.target = target
        check.alternates = []
        return check
    }

    /// Returns the same check within another time.
    ///
    /// - Parameter endpoint: dialled instead of the target's own; nil leaves that as it is.
    public func within(_ timeout: Duration, dialling endpoint: Endpoint? = nil) -> Check {
        var check = self
        check.timeout = timeout
        check.target = target.dialled(at: endpoint)
        return check
    }

    /// Returns the same check as another client makes it: with its roots and its offer, judged by the reference alone.
    ///
    /// - Parameters:
    ///   - minimumTLS: the oldest version that it offers, which it accepts.
    ///   - policies: those of the client's platform.
    public func made(
        withAnchors anchors: TrustAnchors, offer: ClientOffer? = nil, minimumTLS: TLSVersion? = nil,
        policies: [any Policy] = []
    ) -> Check {
        var check = self
        check.anchors = anchors
        check.offer = offer
        check.trust = .reference
        // A demand above the usual one is the app's own.
        if let minimumTLS, self.minimumTLS <= .tls12 { check.minimumTLS = minimumTLS }
        check.demands += policies
        return check
    }

    /// The same check of a client that sends no server name; what the certificate has to prove is then not known.
    public var withoutServerName: Check {
        guard let unnamed = IPAddress("192.0.2.1") else { return self }
        var check = self
        check.target = Self.target(target, named: unnamed)
        check.alternates = alternates.map { Self.target($0, named: unnamed) }
        return check
    }

    private static func target(_ target: Target, named address: IPAddress) -> Target {
        guard target.name.sni != nil else { return target }
        return Target(name: .ip(address), port: target.port, connect: target.endpoint, startTLS: target.startTLS)
    }

    /// Returns the same check of these targets, each tried when those before it did not answer.
    public func trying(_ targets: [Target]) -> Check {
        guard let first = targets.first else { return self }
        var check = self
        check.target = first
        check.alternates = Array(targets.dropFirst())
        return check
    }

    /// Returns the same check, every verdict of which has this finding too.
    public func announcing(_ finding: Finding) -> Check {
        var check = self
        check.demands.append(Announced(finding))
        return check
    }

    /// Returns the same check, some of whose pins are only in files of platforms.
    public func withPlatformPins(_ pins: [String: [PinGroup]]) -> Check {
        var check = self
        check.platformPins = pins
        return check
    }

    /// Returns the same check by a client that does not read some platforms' own files of pins; nil if that changes
    /// nothing. Pins that are in a file that it reads too stay.
    public func withoutPins(ofPlatforms platforms: Set<String>) -> Check? {
        let files = Dictionary(grouping: platformPins) { platforms.contains($0.key) }
            .mapValues { $0.flatMap(\.value) }
        let read = files[false] ?? []
        let unread = (files[true] ?? []).filter { !read.contains($0) }
        guard !unread.isEmpty else { return nil }
        var check = self
        check.pins.removeAll(where: unread.contains)
        for platform in platforms { check.platformPins[platform] = nil }
        return check
    }

    /// Returns the same check with one more policy, judged before trust.
    public func demanding(_ policy: any Policy) -> Check {
        var check = self
        check.demands.append(policy)
        return check
    }

    /// Returns the same check, whose fixes for pins are worded as the file that they are from can hold them; nil leaves
    /// them to the program.
    public func wording(_ words: Fix.Step.Words?) -> Check {
        var check = self
        check.fileWords = words
        return check
    }

    /// Returns the same check, whose finding about another valid path says who takes that.
    public func naming(_ takers: @escaping PathTakers) -> Check {
        var check = self
        check.pathTakers = takers
        return check
    }

    /// Returns the same check by another way to the target.
    public func taking(_ route: HandshakeRequest.Route) -> Check {
        var check = self
        check.route = route
        return check
    }

    /// Returns the same check with another question about models.
    public func asking(_ model: ModelCheck?) -> Check {
        var check = self
        check.model = model
        return check
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

    /// The same check, as far as it needs no connection.
    var withoutConnection: Check {
        var check = aimed(at: target)
        check.serverDate = .whenItDecides
        check.model = nil
        check.clientIdentity = nil
        check.route = .direct
        return check
    }

    /// Returns the same check with other lifetimes of its remembered successes.
    ///
    /// - Parameters:
    ///   - models: for how long a listed model counts; nil changes nothing.
    ///   - connections: for how long a connection counts; likewise.
    public func remembered(models: CacheLifetime? = nil, connections: CacheLifetime? = nil) -> Check {
        var check = self
        if let models { check.model = model?.remembered(for: models) }
        if let connections { check.cacheLifetime = connections }
        return check
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
                TrustedChain(trust)
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
    var mailHost: MailHost? { mailHosts?[target.name] }

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

/// The rule for asking the server for its time, with an HTTP HEAD request over the connection.
public enum ServerDateMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// If the verdict depends on it: a pinned certificate was replaced within its transition window.
    case whenItDecides = "when-it-decides"
    /// On every connection that passes so far.
    case always
    /// Never: transition windows then tolerate nothing, unless the window allows a missing date.
    case never
}
