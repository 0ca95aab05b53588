public import ProbeKit
import ProbePlatform

/// The reason why a mismatched pin nearly matched: it is of another kind, or of a certificate at another position.
public struct NearMatch: Hashable, Sendable {
    /// The kind of data that the pin is the digest of.
    public let kind: PinKind
    /// The pin of the stated kind that the same certificate has.
    public let right: Pin
    /// The explanation: what the pin would have matched.
    public let explanation: String
    /// The change to make; nil if no pin of that certificate could match.
    public let fix: Fix?
    /// The index of the certificate, if another valid path than the searched one has it.
    let elsewhere: Int?

    /// Looks for any pin of a group that counts at an instant; nil if no certificate has one, whatever its kind.
    ///
    /// Each digest is looked up in the group's index, however many pins there are.
    init?(_ group: PinGroup, at second: Date, in connection: ConnectionEvidence, chain: [Int]) {
        let others = connection.certificates.indices.filter { !chain.contains($0) }
        for index in chain + others {
            guard let digests = try? connection.certificates[index].digests.get() else { continue }
            let made = PinKind.allCases.flatMap { stated in
                ([stated] + PinKind.allCases.filter { $0 != stated }).map { Pin(kind: stated, digest: digests[$0]) }
            }
            guard let pin = made.first(where: { group.index.contains($0) && group.counts($0, at: second) }) else {
                continue
            }
            self.init(pin, of: group, in: connection, chain: chain)
            return
        }
        return nil
    }

    /// Looks for a pin among all digests of all certificates; nil if it is of none of them.
    ///
    /// - Parameters:
    ///   - group: the pin's group.
    ///   - chain: indices of the certificates that are searched, the leaf first.
    public init?(_ pin: Pin, of group: PinGroup, in connection: ConnectionEvidence, chain: [Int]) {
        let others = connection.certificates.indices.filter { !chain.contains($0) }
        for index in chain + others {
            guard let digests = try? connection.certificates[index].digests.get() else { continue }
            let kinds = [pin.kind] + PinKind.allCases.filter { $0 != pin.kind }
            guard let kind = kinds.first(where: { digests[$0] == pin.digest }) else { continue }
            let depth = chain.firstIndex(of: index)
            // Among those that are sent it is all the same which path has it.
            let isElsewhere = depth == nil && group.chain == .validated && connection.onValidPaths.contains(index)
            self.kind = kind
            right = Pin(kind: pin.kind, digest: digests[pin.kind])
            elsewhere = isElsewhere ? index : nil
            let name = connection.certificates[index].name
            let place =
                depth.map { "certificate \($0), \(name)" }
                ?? "\(name), which \(isElsewhere ? "is on another valid path" : Self.absence(of: index, in: connection))"
            let subject = group.pins.count > 1 ? "the \(pin.kind.name) pin \(pin.digest.base64)" : "that pin"
            explanation =
                kind == pin.kind
                ? "\(subject) is of \(place), where this group does not look"
                : "\(subject) is the \(kind.name) hash of \(place), and you stated \(pin.kind.name)"
            fix =
                if let depth {
                    Self.fix(right, at: depth, group, in: connection, chain: chain)
                } else if kind == pin.kind, Self.isOnPath(index, group, in: connection) {
                    "the validated path has it: \(.searchValidatedPath)"
                } else {
                    nil
                }
            return
        }
        return nil
    }

    /// Returns the change that makes a pin of the stated kind match.
    private static func fix(
        _ right: Pin, at depth: Int, _ group: PinGroup, in connection: ConnectionEvidence, chain: [Int]
    ) -> Fix {
        if group.position.includes(index: depth) { return "\(.pin(right, group.position))" }
        guard case .first(let limit) = group.position else {
            // Clients that look nowhere else can only have a pin of what is there.
            let there = chain.enumerated().first { group.position.includes(index: $0.offset) }
                .flatMap { try? connection.certificates[$0.element].digests.get() }
                .map { Pin(kind: right.kind, digest: $0[right.kind]) }
            return "\(.movePin(right, from: group.position, to: depth == 0 ? .leaf : .ca, instead: there))"
        }
        // Clients look at no more, whatever position is written (requirement 101).
        let within = chain.prefix(limit).last.flatMap { try? connection.certificates[$0].digests.get() }
        guard let within else { return "pin one of the certificates that are looked at" }
        let pin = Pin(kind: right.kind, digest: within[right.kind])
        return "\(.pin(pin, group.position)), which is looked at"
    }

    /// Returns the reason why a certificate that is on no further path is not searched, after "which".
    private static func absence(of index: Int, in connection: ConnectionEvidence) -> String {
        guard connection.certificates[index].source == .presented else { return "the server does not send" }
        return connection.validated == nil ? "no valid path uses" : "the validated chain does not use"
    }

    /// Returns true if a group that looks at what is sent would find a certificate on the validated path, at its position.
    private static func isOnPath(_ index: Int, _ group: PinGroup, in connection: ConnectionEvidence) -> Bool {
        group.chain == .presented
            && connection.deciding(by: .both).contains { path in
                path.indices.firstIndex(of: index).map { group.position.includes(index: $0) } ?? false
            }
    }
}
