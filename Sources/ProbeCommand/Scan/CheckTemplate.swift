import ProbeClients
import ProbeKit
import ProbePins
import ProbeRun
import ProbeScan
import ProbeTrust

/// The command line's options for every target, read once.
struct CheckTemplate: Sendable {
    let anchors: TrustAnchors
    /// The question about models of every target.
    var model: ModelCheck?
    /// Findings that every verdict has too.
    var notes: [Finding] = []
    private let dial: Endpoint?
    private let routes: TargetRoutes
    private let startsTLS: Bool
    let clientIdentity: ClientIdentity?
    private let pins: [PinGroup]
    private let pinChain: PinChain
    let certificates: [CertificateExpectation]
    private let trust: TrustMode
    private let minimumTLS: TLSVersion
    private let alpn: [String]
    private let serverDate: ServerDateMode
    private let expiresWithin: Duration?
    private let policies: [any Policy]
    private let emulatesName: Bool
    private let limit: Duration

    init(
        _ connection: ConnectionOptions, _ revocation: RevocationOptions, _ reach: ReachOptions,
        _ policy: PolicyOptions, model: ModelCheck?
    ) throws(InputError) {
        self.model = model
        dial = connection.dial
        routes = try reach.proxy.routes(connection)
        startsTLS = reach.startTLS != nil
        clientIdentity = try reach.identity()
        pins = policy.pins
        pinChain = policy.chain
        certificates = try policy.certificates()
        trust = policy.trustMode
        minimumTLS = policy.minimumTLS
        alpn = policy.protocols
        serverDate = policy.serverDateMode
        expiresWithin = policy.expiresWithin?.value
        policies = try policy.policies()
        emulatesName = policy.emulate != nil
        limit = connection.limit
        anchors = try connection.anchors(revocation)
        try AnchorOptions.refuse(trust, with: anchors)
    }

    /// The capabilities that the checks need beyond those of every handshake.
    var optionalCapabilities: Set<TransportCapability> {
        Check.optionalCapabilities(alpn: alpn, serverDate: serverDate).union(startsTLS ? [.startTLS] : [])
            .union(clientIdentity?.requiredCapabilities ?? []).union(routes.capabilities)
    }

    /// Returns the check of one target; the fields of its line take precedence over the command line.
    ///
    /// - Parameter timeout: the time left to the target; nil is all of it.
    func check(of scanned: ScanTarget, within timeout: Duration?) -> Check {
        let target = scanned.choosesPlace ? scanned.target : scanned.target.dialled(at: dial)
        let check = Check(
            target: target, service: scanned.service, anchors: anchors, trust: trust,
            pins: scanned.pins.map { PinText.groups($0, in: pinChain) } ?? pins, certificates: certificates,
            minimumTLS: minimumTLS, alpn: alpn, demands: policies + (emulatesName ? [EmulatedName(target.name)] : []),
            serverDate: serverDate, expiresWithin: expiresWithin, model: model,
            timeout: timeout ?? scanned.timeout ?? limit, clientIdentity: scanned.clientIdentity ?? clientIdentity)
        let routes = scanned.choosesPlace ? routes.toOwnAddress : routes
        // The environment's proxies were checked before the first target was read.
        let routed = ((try? routes.applied(to: check)) ?? check).naming(KnownTakers.words)
        return notes.reduce(routed) { $0.announcing($1) }
    }
}
