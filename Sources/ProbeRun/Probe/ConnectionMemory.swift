public import ProbeKit
import ProbePins
public import ProbePlatform
import Synchronization

/// The cached facts about one connection while it is made: whether the same check of the same server passed over the
/// same stack with the same chain a short while ago (requirement 8, decided: cache-keys).
///
/// The handshake has been made by then, and chain, pins and keys are judged on it as always. Such a success replaces
/// what costs the server more: the HTTP exchange for its time, and the connection of the library's own pin check.
final class ConnectionMemory: Sendable {
    private let cache: any SuccessCache
    private let check: Check
    private let transport: BackendIdentity
    private let instant: Date
    private let recalled = Mutex<[CacheKey: Date?]>([:])

    /// Creates a memory; nil if a check's successes do not count.
    ///
    /// - Parameter instant: the instant of the judgement.
    init?(_ cache: any SuccessCache, of check: Check, through transport: BackendIdentity, at instant: Date) {
        guard check.cacheLifetime != .never else { return nil }
        self.cache = cache
        self.check = check
        self.transport = transport
        self.instant = instant
    }

    /// Returns the time at which the check last passed with the chain of a handshake, if that still counts. A
    /// connection gets one answer, however often it asks: otherwise half of its result could depend on a record that
    /// expires meanwhile.
    func success(with report: HandshakeReport) async -> Date? {
        guard report.failure == nil, !report.chain.isEmpty else { return nil }
        let key = CacheKey(check, through: transport, chain: report.chain, at: instant)
        if let known = recalled.withLock({ $0[key] }) { return known }
        let last = await cache.lastSuccess(of: key).flatMap { check.cacheLifetime.covers($0, at: instant) ? $0 : nil }
        recalled.withLock { $0[key] = last }
        return last
    }

    /// Remembers a connection that passes, unless that depended on a remembered success, or something asked for is
    /// missing. One that does not show its window to be open for the server can't vouch for that later.
    func keep(_ connection: ObservedConnection) async {
        let evidence = connection.evidence
        guard evidence.remembered == nil, !evidence.report.chain.isEmpty else { return }
        if case .unanswered? = evidence.keyConfirmation { return }
        guard connection.passes else { return }
        let isUnconfirmed = PinsMatch.leavesWindowUnconfirmed(connection.findings, serverTime: evidence.serverTime)
        guard !check.hasOpenWindow(at: instant) || !isUnconfirmed else { return }
        await cache.recordSuccess(
            of: CacheKey(check, through: transport, chain: evidence.report.chain, at: instant), at: instant,
            for: check.cacheLifetime)
    }
}

extension CacheKey {
    /// Creates the key of one connection's verdict: host, port and SNI, the dialled endpoint, the stack, all that the
    /// check asks at that instant, and the certificates the server presented. A new leaf is a miss, and so is another
    /// intermediate, a pin that has expired since, or a window that has begun or ended.
    ///
    /// A caller's own policies are included by their type only, and the expected certificates and the time that has to be
    /// left to a path are not included: all of them are judged again on every connection, and a success replaces none.
    ///
    /// - Parameter chain: the certificates as presented, as DER.
    public init(_ check: Check, through transport: BackendIdentity, chain: [[UInt8]], at instant: Date) {
        self.init(
            kind: .pins,
            [
                [check.target.description, check.nameInHello.sni ?? "", check.target.endpoint.description],
                [check.service ?? ""], [transport.description], [check.anchors.storeDigest.hex, check.trust.rawValue],
                check.anchors.stores.flatMap { [$0.name, $0.storeDigest.hex] },
                [check.minimumTLS.rawValue], check.alpn, check.demands.map { String(reflecting: type(of: $0)) },
                [check.serverDate.rawValue], check.pins.map { Self.text($0, at: instant) },
                chain.map { PinDigest.sha256(of: $0).hex },
                check.clientIdentity?.chain.map { PinDigest.sha256(of: $0).hex } ?? [],
                check.offer.map(Self.text) ?? [], Self.text(check.route),
                check.mailHost.map(Self.text) ?? [],
            ])
    }

    private static func text(_ route: HandshakeRequest.Route) -> [String] {
        switch route {
        case .proxy(let proxy): ["proxy", proxy.description, proxy.anchors.storeDigest.hex]
        case .socket(let path): ["socket", path]
        default: []
        }
    }

    private static func text(_ host: MailHost) -> [String] {
        [host.owner] + host.names.map(\.description)
            + host.usable.map { "\($0.usage) \($0.selector) \($0.matching) \(Hex.encode($0.data))" }
    }

    /// A list that is nil differs from an empty one.
    private static func text(_ offer: ClientOffer) -> [String] {
        [
            offer.versions, offer.cipherSuites, offer.groups, offer.signatureAlgorithms, offer.alpn,
            offer.sessionTicket ? [] : nil,
        ].map { list in
            list.map { "+" + $0.joined(separator: ",") } ?? "-"
        }
    }

    private static func text(_ group: PinGroup, at instant: Date) -> String {
        func text(_ last: Date?) -> String {
            last.map { "\($0.timeIntervalSince1970),\(instant > $0)" } ?? ""
        }
        let pins = group.pins.map { "\($0)<\(text(group.pinExpiries[$0]))" }.sorted().joined(separator: ",")
        let window = group.window.map { window in
            [
                "\(window.start.timeIntervalSince1970)", "\(window.end.timeIntervalSince1970)",
                "\(window.contains(instant))", window.fallback.rawValue, "\(window.maximumSkew)",
                window.onMissingDate.rawValue,
            ].joined(separator: ",")
        }
        let expiry = group.expiry.map { "\(text($0.last)),\($0.afterwards.rawValue)" }
        return [
            "\(group.position)", group.chain.rawValue, pins, window ?? "", expiry ?? "", "\(group.isEnforced)",
        ].joined(separator: ";")
    }
}
