public import ProbeKit
import ProbePlatform

/// The reason why a mismatched pin nearly matched: it is of another kind, or of a certificate at another position.
public struct NearMatch: Hashable, Sendable {
    /// The kind of data that the pin is the digest of.
    public let kind: PinKind
    /// The explanation: what the pin would have matched.
    public let explanation: String
    /// The pin to write instead; nil if no pin of that certificate could match.
    public let fix: Fix?

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
            self.init(pin, in: connection, chain: chain, of: group)
            return
        }
        return nil
    }

    /// Looks for a pin among all digests of all certificates; nil if it is of none of them.
    ///
    /// - Parameter chain: indices of the certificates that are searched, the leaf first.
    public init?(_ pin: Pin, in connection: ConnectionEvidence, chain: [Int]) {
        self.init(pin, in: connection, chain: chain, of: nil)
    }

    private init?(_ pin: Pin, in connection: ConnectionEvidence, chain: [Int], of group: PinGroup?) {
        let others = connection.certificates.indices.filter { !chain.contains($0) }
        for index in chain + others {
            guard let digests = try? connection.certificates[index].digests.get() else { continue }
            let kinds = [pin.kind] + PinKind.allCases.filter { $0 != pin.kind }
            guard let kind = kinds.first(where: { digests[$0] == pin.digest }) else { continue }
            let name = connection.certificates[index].name
            self.kind = kind
            let depth = chain.firstIndex(of: index)
            let isSent = connection.certificates[index].source == .presented
            let beside =
                if !isSent {
                    "the server does not send"
                } else if connection.onValidPaths.contains(index) {
                    "is on another valid path"
                } else if connection.validated == nil {
                    "no valid path uses"
                } else {
                    "the validated chain does not use"
                }
            let place = depth.map { "certificate \($0), \(name)" } ?? "\(name), which \(beside)"
            explanation =
                kind == pin.kind
                ? "that pin is of \(place), where this group does not look"
                : "that pin is the \(kind.name) hash of \(place), and you stated \(pin.kind.name)"
            let position: PinPosition = depth == 0 ? .leaf : .ca
            fix =
                if depth != nil {
                    "write \(.pin(Pin(kind: kind, digest: pin.digest), position))"
                } else if let group, kind == pin.kind, Self.isOnPath(index, group, in: connection) {
                    "the validated path has it: \(.searchValidatedPath)"
                } else {
                    nil
                }
            return
        }
        return nil
    }

    /// Returns true if a group that looks at what is sent would find a certificate on the validated path, at its position.
    private static func isOnPath(_ index: Int, _ group: PinGroup, in connection: ConnectionEvidence) -> Bool {
        group.chain == .presented
            && connection.deciding(by: .both).contains { path in
                path.indices.firstIndex(of: index).map { group.position.includes(index: $0) } ?? false
            }
    }
}
