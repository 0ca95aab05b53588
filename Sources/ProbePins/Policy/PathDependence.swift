package import ProbeKit

/// The valid paths on which what a client looks for is missing, although it is on those that decide.
package struct PathDependence {
    private let connection: ConnectionEvidence
    /// The paths that decide.
    package let deciding: [ValidatedPath]
    /// The paths on which it is missing.
    package let failing: [ValidatedPath]

    /// Creates the paths; nil if there are none.
    ///
    /// - Parameters:
    ///   - trust: whose paths decide.
    ///   - isMissing: returns true if a path, as indices, does not have it.
    package init?(in connection: ConnectionEvidence, trust: TrustMode, where isMissing: ([Int]) -> Bool) {
        let failing = connection.others(than: trust).filter { isMissing($0.indices) }
        guard !failing.isEmpty else { return nil }
        self.connection = connection
        self.failing = failing
        deciding = connection.chains(.validated, by: trust)
    }

    /// Returns the warning.
    ///
    /// - Parameters:
    ///   - subject: what is missing, up to the words for the path: "the pins of spki@ca don't hold on".
    ///   - takers: names those who take such a path.
    package func finding(_ subject: String, takers: PathTakers?, fix: Fix) -> Finding {
        let first = failing[0]
        let more = failing.count > 1 ? ", nor on \(failing.count - 1) more" : ""
        let usual = Set(deciding.compactMap(\.indices.last)).map { connection.certificates[$0].der }
        let named = failing.compactMap(\.indices.last).reduce(into: [String]()) { named, anchor in
            if let words = takers?(connection.certificates[anchor].der, usual), !named.contains(words) {
                named.append(words)
            }
        }
        return .warning(
            "pin-depends-on-path", stage: .pins,
            "\(subject) another valid path, \(connection.text(of: first.indices)), which \(taker(of: first)) takes\(more)\(named.map { "; " + $0 }.joined())",
            fix: fix)
    }

    /// Returns the verifier that accepted a path, else the clients that would.
    private func taker(of path: ValidatedPath) -> String {
        if !path.takers.isEmpty { return path.takers.joined(separator: " and ") }
        guard let anchor = path.indices.last else { return "another client" }
        let anchors = Set(deciding.compactMap(\.indices.last)).sorted()
        if anchors.contains(anchor) { return "a client that tries the certificates in another order" }
        let usual = anchors.map { connection.text(of: [$0]) }.joined(separator: " or ")
        return "a client that trusts \(connection.text(of: [anchor])) and not \(usual), or prefers it,"
    }
}
