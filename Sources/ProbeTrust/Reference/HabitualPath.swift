import ProbeKit
import ProbePlatform

/// The one path of a verifier that does not search: what it takes at each step decides, and a path that breaks a rule is
/// not followed by another.
///
/// The choice is by names, as X509_check_issued(3) of OpenSSL makes it: a certificate that did not make the signature is
/// taken too, and ``firstUnsigned(in:_:)`` finds it afterwards.
struct HabitualPath {
    let leaf: ParsedCertificate
    /// The other certificates, in the order in which they were sent.
    let sent: [ParsedCertificate]
    /// All roots, those included at which no path may end.
    let roots: ParsedAnchors
    let instant: Date
    let habits: VerifierHabits
    /// The issuer relation, whose anchors are the roots at which a path may end.
    var graph: IssuerGraph

    /// More than any real path has.
    static let maximumLength = 100

    /// Returns the path from the leaf to an anchor; nil if there is none, or the budget is spent.
    mutating func path(_ budget: inout SearchBudget) -> [ParsedCertificate]? {
        if let anchor = graph.anchors.anchor(like: leaf) { return [anchor] }
        switch habits.paths {
        case .allPaths: return nil
        case .trustedFirst: return trustedPath(&budget)
        case .sentFirst: return sentFirstPath(&budget)
        case .sentNames: return namedPath(isRetried: false, &budget)
        case .sentNamesTwice: return namedPath(isRetried: true, &budget)
        case .sentOrder: return sentPath(&budget)
        }
    }

    /// Returns the place of the first certificate of a path that the next one did not sign; nil, too, if the budget is
    /// spent.
    mutating func firstUnsigned(in path: [ParsedCertificate], _ budget: inout SearchBudget) -> Int? {
        for place in path.indices.dropLast() where !graph.isSigned(path[place], by: path[place + 1], &budget) {
            return budget.isSpent ? nil : place
        }
        return nil
    }

    private mutating func trustedPath(_ budget: inout SearchBudget) -> [ParsedCertificate]? {
        var path = [leaf]
        while let tip = path.last {
            if root(above: tip, besides: path, &budget) != nil { return rooted(path, &budget) }
            guard path.count < Self.maximumLength, let next = sentIssuer(above: path),
                budget.spend(1 + path.count / 8)
            else { return nil }
            path.append(next)
        }
        return nil
    }

    private mutating func sentFirstPath(_ budget: inout SearchBudget) -> [ParsedCertificate]? {
        var path = [leaf]
        while path.count < Self.maximumLength, let next = sentIssuer(above: path) {
            guard budget.spend(1 + path.count / 8) else { return nil }
            path.append(next)
        }
        Self.dropOwnIssuer(&path)
        // OpenSSL goes back for a root that issued an earlier one: its alternate chains.
        for count in (1...path.count).reversed() {
            if let found = rooted(Array(path.prefix(count)), &budget) { return found }
        }
        return nil
    }

    /// Returns a path continued by roots alone, up to an anchor: from its roots OpenSSL does not return to what was sent.
    private mutating func rooted(
        _ below: [ParsedCertificate], _ budget: inout SearchBudget
    ) -> [ParsedCertificate]? {
        var path = below
        while path.count <= Self.maximumLength, let tip = path.last,
            let next = root(above: tip, besides: path, &budget), budget.spend(1 + path.count / 8)
        {
            path.append(next)
            if next.isAnchor(of: habits.anchors) { return path }
        }
        return nil
    }

    /// Removes certificates at the top that are their own issuers: whether a path is trusted, the roots decide (OpenSSL's
    /// X509_verify_cert drops one, GnuTLS's shorten_clist one and _gnutls_verify_crt_status another).
    static func dropOwnIssuer(_ path: inout [ParsedCertificate]) {
        while path.count > 1, let top = path.last, top.isOwnIssuer { path.removeLast() }
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
        guard let tip = path.last, let anchor = signer(of: tip, &budget) else { return nil }
        return path + [anchor]
    }

    /// Returns the anchor that made a signature, one that is valid before others.
    private mutating func signer(
        of child: ParsedCertificate, _ budget: inout SearchBudget
    ) -> ParsedCertificate? {
        let anchors = graph.candidates(for: child).filter(\.isAnchor).map(\.certificate)
        let valid = anchors.filter { $0.isValid(at: instant, habits) }
        for anchor in valid + anchors where graph.isSigned(child, by: anchor, &budget) { return anchor }
        return nil
    }
}
