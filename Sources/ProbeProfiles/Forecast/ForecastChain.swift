import ProbeKit
import ProbePins
import ProbePlatform

/// A service's chain as it is, and as it would be after a change: certificates that are known only by their digests.
struct ForecastChain {
    /// The change. Each of the later ones includes those before it.
    enum Change: Comparable {
        case none
        case sameKey
        /// The leaf is replaced by the certificate that is pinned beside it, whose key is taken to be the same.
        case pinnedSuccessor
        case backupKey
        case newKey
        case newIntermediate
        case newRoot
    }

    private struct Link {
        var name: String
        var digests: CertificateDigests
        /// The key's algorithm and size; nil if they are not known.
        var key: String?
        let source: CertificateEvidence.Source
    }

    /// From the leaf to the root.
    private let links: [Link]
    /// True if the last certificate is an anchor; else there is no trusted path, and only the leaf is known to belong
    /// to it.
    private let isTrusted: Bool
    /// The evidence of the chain as it is; nil if it is supposed.
    let served: ConnectionEvidence?
    /// The last second of the leaf; nil if it is not known.
    let notAfter: Date?
    /// The intermediates of the trusted path, with the last second of each.
    private let intermediates: [(name: String, notAfter: Date)]
    /// The pins that the service keeps for later.
    private let backups: ForecastBackups
    /// The reason why the chain has no trusted path; nil if it has one, or nobody judged it.
    private let problem: TrustReading.Problem?

    /// The intermediate that ends first, if it ends before the leaf.
    var endsBeforeLeaf: (name: String, notAfter: Date)? {
        guard let first = intermediates.min(by: { $0.notAfter < $1.notAfter }), let notAfter else { return nil }
        return first.notAfter < notAfter ? first : nil
    }

    /// Returns the reason why every client refuses the chain after an event, whatever is pinned; nil if none does.
    func refusal(after entry: ForecastEntry) -> String? {
        problem.flatMap { untrusted($0, after: entry.change) } ?? ended(after: entry)
    }

    /// Returns the reason of a chain without a trusted path. A new leaf removes the faults of the old one, and leads to the same
    /// place.
    private func untrusted(_ problem: TrustReading.Problem, after change: Change) -> String? {
        guard Self.outlivesLeaf(problem) else {
            return change == .none ? "every client refuses the chain: \(problem.message)" : nil
        }
        guard change < .newIntermediate else { return nil }
        return Self.leadsNowhere(problem)
            ? "every client refuses the chain, which leads to no trusted root: \(problem.message)"
            : "every client refuses the chain, of which only the leaf is replaced: \(problem.message)"
    }

    private static func outlivesLeaf(_ problem: TrustReading.Problem) -> Bool {
        leadsNowhere(problem) || problem.depth.map { $0 > 0 } ?? false
    }

    private static func leadsNowhere(_ problem: TrustReading.Problem) -> Bool {
        problem.cause == .unknownIssuer || problem.cause == .selfSigned
    }

    /// Returns the reason of a chain that keeps an ended intermediate in its place. What happens in a window, or when pins
    /// expire, is far enough away that the CA has renewed its own.
    private func ended(after entry: ForecastEntry) -> String? {
        guard entry.date == nil || entry.event == .replacedBeforeExpiry, entry.change < .newIntermediate,
            let ended = intermediates.first(where: { $0.notAfter < entry.instant })
        else { return nil }
        return
            "every client refuses \(ended.name), whose last day is \(RFC3339.day(ended.notAfter)), and this does not replace it"
    }

    /// Creates the chain that a server presents, with the validated path.
    ///
    /// - Parameter backups: the pins that wait beside this chain.
    init(served connection: ConnectionEvidence, backups: ForecastBackups) {
        let path = connection.validated ?? connection.presented
        links = path.enumerated().map { depth, index in
            let certificate = connection.certificates[index]
            return Link(
                name: certificate.name,
                digests: (try? certificate.digests.get()) ?? Self.fresh("unreadable \(depth)"),
                key: certificate.details?.key, source: certificate.source)
        }
        isTrusted = connection.validated != nil
        served = connection
        notAfter = path.first.flatMap { connection.certificates[$0].details?.notAfter }
        intermediates = (connection.validated == nil ? [] : path.dropFirst().dropLast()).compactMap { index in
            let certificate = connection.certificates[index]
            return certificate.details.map { (certificate.name, $0.notAfter) }
        }
        let problems = connection.validated == nil ? connection.referenceTrust?.problems ?? [] : []
        problem =
            problems.first(where: Self.leadsNowhere) ?? problems.first(where: Self.outlivesLeaf) ?? problems.first
        self.backups = backups
    }

    /// Creates a chain of leaf, intermediate and root that meets pins of which only the positions are known.
    ///
    /// - Parameter highest: true if pins are of the highest certificate their position allows, else of the lowest. The
    ///   real chain is between the two.
    init(meeting sets: [PinSet], highest: Bool) {
        let places = ["the leaf", "the intermediate", "the root"]
        var pinned: [[PinKind: PinDigest]] = places.map { _ in [:] }
        // Sets that fit only one position are placed first.
        for set in sets.filter({ $0.position == .leaf }) + sets.filter({ $0.position != .leaf }) {
            let depths = places.indices.filter {
                set.position.includes(index: $0) && (set.chain == .validated || $0 < places.count - 1)
            }
            let candidates = highest ? depths.reversed() : depths
            let active = set.members.filter { !$0.isBackup }.map(\.pin)
            let fits = (active.isEmpty ? set.members.map(\.pin) : active).lazy.flatMap { pin in
                candidates.lazy.filter { pinned[$0][pin.kind] ?? pin.digest == pin.digest }.map { ($0, pin) }
            }
            if let (depth, pin) = fits.first { pinned[depth][pin.kind] = pin.digest }
        }
        links = places.enumerated().map { depth, name in
            let fresh = Self.fresh(name)
            let digests = CertificateDigests(
                cert: pinned[depth][.cert] ?? fresh.cert, spki: pinned[depth][.spki] ?? fresh.spki,
                rawKey: pinned[depth][.rawkey] ?? fresh.rawKey)
            return Link(name: name, digests: digests, source: depth == places.count - 1 ? .anchor : .presented)
        }
        isTrusted = true
        served = nil
        notAfter = nil
        intermediates = []
        problem = nil
        backups = ForecastBackups(sets)
    }

    /// True if there is a certificate between leaf and root.
    var hasIntermediate: Bool { links.count > 2 || !isTrusted && links.count > 1 }

    /// Returns true if the service has a backup pin that counts at an instant.
    func hasBackup(at instant: Date) -> Bool { !backups.isEmpty(at: instant) }

    /// Returns true if a certificate for the leaf's place is pinned that is not served yet, and counts at an instant.
    func hasPinnedSuccessor(at instant: Date) -> Bool {
        links.first.map { backups.successor(of: $0.digests, at: instant) != nil } ?? false
    }

    /// Returns true if each pin of a group is of the chain as it is, or has expired by itself: none is left for what follows.
    func exhausts(_ group: PinGroup, at instant: Date) -> Bool {
        group.pins.allSatisfy { pin in
            links.contains { $0.digests[pin.kind] == pin.digest }
                || group.pinExpiries[pin].map { $0 < instant } ?? false
        }
    }

    /// Returns the evidence that a client would see after a change.
    func evidence(_ change: Change, at instant: Date) -> ConnectionEvidence {
        let certificates = links(after: change, at: instant).map {
            CertificateEvidence(supposed: $0.name, digests: $0.digests, source: $0.source)
        }
        return ConnectionEvidence(
            transport: BackendIdentity(name: "forecast", library: "forecast", version: "1"), report: HandshakeReport(),
            missing: [], certificates: certificates,
            referenceTrust: isTrusted ? .accepted(path: certificates.map(\.der)) : nil, anchors: .none,
            instant: instant, serverTime: .known(instant, skew: 0))
    }

    /// Returns the trusted path after a change, as TrustKit walks it; empty without one.
    func trustKitPath(_ change: Change, at instant: Date) -> [TrustKitKeys.Link] {
        guard isTrusted else { return [] }
        return links(after: change, at: instant).map {
            TrustKitKeys.Link(name: $0.name, key: $0.key, spki: $0.digests.spki)
        }
    }

    private func links(after change: Change, at instant: Date) -> [Link] {
        var links = links
        guard !links.isEmpty else { return [] }
        func renew(_ depth: Int, _ name: String) {
            links[depth].name = name
            links[depth].digests = Self.fresh("\(change) \(depth)")
            links[depth].key = nil
        }
        func keepKey() {
            let old = links[0].digests
            links[0].name = "the renewed leaf"
            links[0].digests = CertificateDigests(
                cert: Self.fresh("\(change)").cert, spki: old.spki, rawKey: old.rawKey)
        }
        switch change {
        case .none: break
        case .sameKey: keepKey()
        case .pinnedSuccessor:
            guard let digests = backups.successor(of: links[0].digests, at: instant) else {
                keepKey()
                break
            }
            if digests.spki != links[0].digests.spki { links[0].key = nil }
            links[0].name = "the pinned successor"
            links[0].digests = digests
        case .backupKey:
            keepKey()
            for depth in links.indices.reversed() { put(backupsFor: depth, at: instant, in: &links) }
        case .newKey: renew(0, "the new leaf")
        case .newIntermediate, .newRoot:
            renew(0, "the new leaf")
            let last = change == .newRoot || !isTrusted ? links.count : links.count - 1
            for depth in links.indices.prefix(last).dropFirst() { renew(depth, "the new CA certificate \(depth)") }
        }
        return links
    }

    /// Assigns the backups that belong to a certificate.
    private func put(backupsFor depth: Int, at instant: Date, in links: inout [Link]) {
        guard let digests = backups.certificate(at: depth, or: Self.fresh("backup \(depth)"), at: instant) else {
            return
        }
        links[depth].key = nil
        links[depth].name = depth == 0 ? "the leaf with the backup's key" : "the backup's CA"
        links[depth].digests = digests
    }

    /// Digests that no pin has.
    private static func fresh(_ label: String) -> CertificateDigests {
        func digest(_ part: String) -> PinDigest { .sha256(of: Array("forecast: \(label): \(part)".utf8)) }
        return CertificateDigests(cert: digest("certificate"), spki: digest("SPKI"), rawKey: digest("raw key"))
    }
}
