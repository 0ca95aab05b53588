import ProbeKit
import ProbePlatform

/// Searches for one group's pins in a connection's chain: through the group's index, on every deciding path.
struct PinGroupSearch {
    private let group: PinGroup
    private let second: Date
    private let connection: ConnectionEvidence
    private let trust: TrustMode

    /// Creates a search for the pins that count at an instant.
    ///
    /// - Parameter trust: whose paths decide.
    init(_ group: PinGroup, at second: Date, in connection: ConnectionEvidence, trust: TrustMode) {
        self.group = group
        self.second = second
        self.connection = connection
        self.trust = trust
    }

    /// The result: a finding that names the match, or the message about a mismatch.
    enum Result {
        /// A pin matches on every deciding path.
        ///
        /// - Parameter vouches: true if the matching certificate is on a valid path.
        case matched(Finding, vouches: Bool)
        /// No pin matches on any of them.
        case mismatched(message: String, fix: Fix)
        /// A pin matches on one of them and none on another.
        case divided(message: String, fix: Fix)
    }

    private struct Match {
        let depth: Int
        let index: Int
        let pin: Pin
    }

    func run() -> Result {
        let searched = connection.chains(group.chain, by: trust).map { (path: $0, matches: matches(in: $0.indices)) }
        guard let holding = searched.first(where: { !$0.matches.isEmpty }) else {
            return mismatch(chain: searched.first?.path.indices ?? [])
        }
        if let failing = searched.first(where: { $0.matches.isEmpty }) {
            return divided(holding: holding.path, failing: failing.path)
        }
        if group.chain == .presented { return presented(holding.matches) }
        return .matched(.note("pin-matched", stage: .pins, matched(searched.map(\.matches))), vouches: true)
    }

    /// Returns a warning if the pins match, but would not for a client that takes another valid path.
    ///
    /// - Parameter takers: names those clients.
    func dependence(_ takers: PathTakers?) -> Finding? {
        guard group.dependsOnPath,
            let dependence = PathDependence(in: connection, trust: trust, where: { matches(in: $0).isEmpty })
        else { return nil }
        return dependence.finding(
            "the pins of \(group) don't hold on", takers: takers,
            fix: common(to: dependence.deciding, dependence.failing))
    }

    private func matches(in chain: [Int]) -> [Match] {
        matches(in: chain) { group.pin(of: $0, at: second) }
    }

    private func matches(in chain: [Int], by match: (CertificateDigests) -> Pin?) -> [Match] {
        chain.enumerated().compactMap { depth, index in
            // A certificate whose key can't be read is skipped (requirement 61).
            guard group.position.includes(index: depth),
                let digests = try? connection.certificates[index].digests.get(), let pin = match(digests)
            else { return nil }
            return Match(depth: depth, index: index, pin: pin)
        }
    }

    /// The pin of a searched certificate that has expired, in words; nil if none has. Only for groups without a match.
    var stopped: String? {
        guard !group.pinExpiries.isEmpty else { return nil }
        for path in connection.chains(group.chain, by: trust) {
            guard let match = matches(in: path.indices, by: { group.index.match($0) }).first,
                let last = group.pinExpiries[match.pin]
            else { continue }
            return
                "\(describe(match)) is of certificate \(match.depth), \(name(match)), and stopped counting after \(RFC3339.format(last))"
        }
        return nil
    }

    /// The fix for a pin that has expired, and would match.
    static let renewal: Fix = "move its expiry"

    /// Returns the message of a match: the first certificate, and how wide the group is.
    ///
    /// - Parameter matches: those of each path, none of them empty.
    private func matched(_ matches: [[Match]]) -> String {
        guard let first = matches.first?.first else { return "" }
        var message = "\(describe(first)) matches certificate \(first.depth), \(name(first))"
        // The pins are alternatives, so the group is as wide as the widest of them (decided: widest-pin).
        let widest = matches.compactMap(\.last)
        if let last = widest.first, last.depth > first.depth {
            message += "; certificate \(last.depth) is pinned too"
        }
        var scopes: [String] = []
        for match in widest where match.depth > 0 && !scopes.contains(name(match)) { scopes.append(name(match)) }
        if !scopes.isEmpty {
            message += "; effective scope: any certificate issued under \(scopes.joined(separator: " or "))"
        }
        return message
    }

    /// Anyone can add a pinned certificate to a chain: it matches in clients that search the presented chain, and
    /// proves nothing (decided: presented-chain).
    private func presented(_ matches: [Match]) -> Result {
        let onPaths = connection.onValidPaths
        let valid = matches.filter { onPaths.contains($0.index) }
        if !valid.isEmpty {
            return .matched(.note("pin-matched", stage: .pins, matched([valid])), vouches: true)
        }
        let match = matches[0]
        return .matched(
            .warning(
                "pin-not-validated", stage: .pins,
                "\(describe(match)) matches certificate \(match.depth), \(name(match)), which was only sent along: it is on no valid path, and whoever sends it passes",
                fix:
                    "pin a certificate of the validated path, and \(.searchValidatedPath)"
            ), vouches: false)
    }

    private func divided(holding: ValidatedPath, failing: ValidatedPath) -> Result {
        .divided(
            message:
                "the pins of \(group) hold on the path of \(holding.takers.joined(separator: " and ")), \(connection.text(of: holding.indices)), and not on that of \(failing.takers.joined(separator: " and ")), \(connection.text(of: failing.indices))",
            fix: common(to: [holding], [failing]))
    }

    private func mismatch(chain: [Int]) -> Result {
        let isUnvalidated = group.chain == .validated && connection.deciding(by: trust).isEmpty
        let looked =
            isUnvalidated
            ? "the leaf, which is all there is without a validated path" : group.position.searched(in: chain.count)
        let message = "no pin of \(group) matches \(looked): pinned \(pinned)"
        if let stopped { return .mismatched(message: "\(message); \(stopped)", fix: Self.renewal) }
        let near = NearMatch(group, at: second, in: connection, chain: chain)
        return .mismatched(
            message: message + (near.map { "; \($0.explanation)" } ?? seen(chain: chain)),
            fix: fix(near, chain: chain, isUnvalidated: isUnvalidated))
    }

    private static let acceptance: Fix = "have the chain accepted first: pins of CAs are looked for on its path"

    private func fix(_ near: NearMatch?, chain: [Int], isUnvalidated: Bool) -> Fix {
        if let fix = near?.fix { return fix }
        // A pin of a CA may be right, and the leaf's key is not one to pin for it.
        if isUnvalidated, group.position.includes(index: 1) { return Self.acceptance }
        if let index = near?.elsewhere {
            let others = connection.others(than: trust).filter { $0.indices.contains(index) }
            return common(to: others, connection.deciding(by: trust))
        }
        return fix(chain: chain)
    }

    private func describe(_ match: Match) -> String { "the \(match.pin.kind.name) pin \(match.pin.digest.base64)" }

    private func name(_ match: Match) -> String { connection.certificates[match.index].name }

    private var counting: some Sequence<Pin> { group.pins.lazy.filter { group.counts($0, at: second) } }

    private var kind: PinKind? { counting.first { _ in true }?.kind }

    /// The maximum number of pins listed.
    private static let listed = 8

    private var pinned: String {
        let total = group.pinExpiries.isEmpty ? group.pins.count : counting.reduce(0) { count, _ in count + 1 }
        let pins = counting.prefix(Self.listed).map { "\($0.kind.name) \($0.digest.base64)" }.joined(separator: ", ")
        return total > Self.listed ? "\(pins) and \(total - Self.listed) more" : pins
    }

    /// Returns a description of the digests that the searched certificates have instead.
    private func seen(chain: [Int]) -> String {
        guard let kind else { return "; the group is empty" }
        let digests = searched(chain).map { "\($0.depth): \($0.digests[kind].base64)" }
        return digests.isEmpty
            ? "; there is no such certificate" : "; the server has \(digests.joined(separator: ", "))"
    }

    private func fix(chain: [Int]) -> Fix {
        guard let kind, let first = searched(chain).first else {
            return "pin a certificate that the server's chain has"
        }
        let changed = kind == .cert ? "certificate" : "key"
        return "if this server is yours and its \(changed) was changed on purpose, \(pin(kind, first.digests[kind]))"
    }

    /// Advice that leaves the paths as they are, and advice that closes those on which no pin holds.
    private func common(to holding: [ValidatedPath], _ failing: [ValidatedPath]) -> Fix {
        let send = connection.serving(holding, not: failing)
        guard let shared = shared(by: holding + failing) else {
            return send.map { "\($0), or pin something of each of them" } ?? "pin something of each of them"
        }
        let pin: Fix = "\(shared), which all of them have"
        return send.map { "\(pin), or \($0)" } ?? pin
    }

    /// Returns the pin of the first certificate whose digest is on each of some paths; nil if they have none in common.
    private func shared(by paths: [ValidatedPath]) -> Fix.Step? {
        guard let kind, let first = paths.first else { return nil }
        let others = paths.dropFirst().map { path in Set(searched(path.indices).map { $0.digests[kind] }) }
        return searched(first.indices).map { $0.digests[kind] }
            .first { digest in others.allSatisfy { $0.contains(digest) } }
            .map { pin(kind, $0) }
    }

    private func pin(_ kind: PinKind, _ digest: PinDigest) -> Fix.Step {
        .pin(Pin(kind: kind, digest: digest), group.position)
    }

    private func searched(_ chain: [Int]) -> [(depth: Int, digests: CertificateDigests)] {
        chain.enumerated().compactMap { depth, index in
            guard group.position.includes(index: depth), let digests = try? connection.certificates[index].digests.get()
            else { return nil }
            return (depth, digests)
        }
    }
}

extension PinPosition {
    /// Returns a description of the certificates that were searched in a chain of `count`.
    fileprivate func searched(in count: Int) -> String {
        switch self {
        case .leaf: "the leaf"
        case .ca: "any CA certificate of the chain"
        case .any: count == 1 ? "the only certificate of the chain" : "any of the \(count) certificates of the chain"
        case .first(let limit):
            min(limit, count) == 1
                ? "the first certificate of the chain" : "the first \(min(limit, count)) certificates of the chain"
        }
    }
}
