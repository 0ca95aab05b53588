import ProbeKit
import ProbePlatform
import X509

/// The one path of a verifier that does not search: what it takes at each step decides, and a path that breaks a rule is
/// not followed by another.
struct HabitualPath {
    private let leaf: ParsedCertificate
    /// The other certificates, in the order in which they were sent.
    private let sent: [ParsedCertificate]
    private let instant: Date
    private var graph: IssuerGraph

    /// More than any real path has.
    private static let maximumLength = 100

    init(leaf: ParsedCertificate, sent: [ParsedCertificate], instant: Date, graph: IssuerGraph) {
        self.leaf = leaf
        self.sent = sent
        self.instant = instant
        self.graph = graph
    }

    /// Returns the path from the leaf to an anchor; nil if there is none, or the budget is spent.
    mutating func path(_ paths: VerifierHabits.PathBuilding, _ budget: inout SearchBudget) -> [ParsedCertificate]? {
        if let anchor = graph.anchors.anchor(like: leaf) { return [anchor] }
        switch paths {
        case .allPaths: return nil
        case .trustedFirst: return path(prefersSent: false, &budget)
        case .sentFirst: return path(prefersSent: true, &budget)
        case .sentOrder: return sentPath(&budget)
        }
    }

    private mutating func path(prefersSent: Bool, _ budget: inout SearchBudget) -> [ParsedCertificate]? {
        var path = [leaf]
        while path.count < Self.maximumLength, let tip = path.last, let next = step(above: path, prefersSent, &budget) {
            guard budget.spend(1 + path.count / 8) else { return nil }
            if next.isAnchor { return path + [next.certificate] }
            // A copy of an anchor that was sent is that anchor.
            if let anchor = graph.anchors.anchor(like: next.certificate) { return path + [anchor] }
            guard tip.der != next.certificate.der else { break }
            path.append(next.certificate)
        }
        // The verifier that begins with the sent ones goes back for an anchor.
        for count in (0..<path.count).reversed() {
            guard let anchor = issuer(of: path[count], isAnchor: true, besides: path, &budget) else { continue }
            return Array(path.prefix(count + 1)) + [anchor.certificate]
        }
        return nil
    }

    private mutating func step(
        above path: [ParsedCertificate], _ prefersSent: Bool, _ budget: inout SearchBudget
    ) -> IssuerGraph.Candidate? {
        let tip = path[path.count - 1]
        return issuer(of: tip, isAnchor: !prefersSent, besides: path, &budget)
            ?? issuer(of: tip, isAnchor: prefersSent, besides: path, &budget)
    }

    /// Returns an issuer of a certificate, those before others that are valid at the instant.
    private mutating func issuer(
        of child: ParsedCertificate, isAnchor: Bool, besides path: [ParsedCertificate], _ budget: inout SearchBudget
    ) -> IssuerGraph.Candidate? {
        let candidates = graph.candidates(for: child).filter { candidate in
            candidate.isAnchor == isAnchor
                && (isAnchor || !path.contains { $0.isSameEntity(as: candidate.certificate) })
        }
        let dated = candidates.map { (candidate: $0, isValid: isValid($0.certificate)) }
        for (candidate, _) in dated.filter(\.isValid) + dated.filter({ !$0.isValid })
        where graph.isSigned(child, by: candidate.certificate, &budget) {
            return candidate
        }
        return nil
    }

    private func isValid(_ certificate: ParsedCertificate) -> Bool {
        (certificate.certificate
            .notValidBefore...max(
                certificate.certificate.notValidBefore, certificate.certificate.notValidAfter)).contains(instant)
    }

    private mutating func sentPath(_ budget: inout SearchBudget) -> [ParsedCertificate]? {
        var path = [leaf]
        for next in sent {
            guard let tip = path.last, path.count < Self.maximumLength else { return nil }
            if let anchor = graph.anchors.anchor(like: next), graph.isSigned(tip, by: anchor, &budget) {
                return path + [anchor]
            }
            guard tip.issuer == next.subject, graph.isSigned(tip, by: next, &budget) else { return nil }
            path.append(next)
        }
        guard let tip = path.last, let anchor = issuer(of: tip, isAnchor: true, besides: path, &budget) else {
            return nil
        }
        return path + [anchor.certificate]
    }
}
