import ProbeKit
import X509

/// The issuers that a verifier which does not search takes.
extension HabitualPath {
    /// Returns the sent certificate that is taken as the issuer of a path's top; nil above one that is its own issuer,
    /// except for Mbed TLS.
    func sentIssuer(above path: [ParsedCertificate]) -> ParsedCertificate? {
        // Mbed TLS goes on from the certificate itself, whatever it is: x509_crt_find_parent begins at child->next.
        let goesOn = habits.issuers == .behind
        guard let tip = path.last, goesOn || path.count == 1 || !tip.isOwnIssuer else { return nil }
        let place = goesOn && path.count > 1 ? sent.firstIndex { $0 === tip } : nil
        return chosen(
            from: sent[(place.map { $0 + 1 } ?? 0)...].filter { candidate in
                candidate.subject == tip.issuer && fits(candidate, asIssuerOf: tip)
                    && (goesOn || !path.contains { $0.isSameEntity(as: candidate) })
            })
    }

    /// Returns the root that is taken as the issuer of a certificate, an anchor or one that is only known.
    mutating func root(
        above tip: ParsedCertificate, besides path: [ParsedCertificate], _ budget: inout SearchBudget
    ) -> ParsedCertificate? {
        var candidates: [ParsedCertificate] = []
        for root in roots.bySubject[tip.issuer] ?? [] where fits(root, asIssuerOf: tip) {
            let isNew = root.isAnchor(of: habits.anchors) || !path.contains { $0.isSameEntity(as: root) }
            guard isNew else { continue }
            // Mbed TLS passes over a trusted namesake: x509_crt_find_parent_in.
            if habits.issuers == .behind, !graph.isSigned(tip, by: root, &budget) { continue }
            candidates.append(root)
        }
        return chosen(from: candidates)
    }

    private func fits(_ issuer: ParsedCertificate, asIssuerOf child: ParsedCertificate) -> Bool {
        if habits.requiresKeyIdentifiers, !child.names(asIssuer: issuer) { return false }
        return switch habits.issuers {
        case .valid: true
        case .validAuthority, .firstAuthority, .behind: issuer.extensions.keyUsage?.keyCertSign != false
        }
    }

    private func chosen(from candidates: [ParsedCertificate]) -> ParsedCertificate? {
        switch habits.issuers {
        case .firstAuthority: candidates.first
        case .valid, .validAuthority, .behind:
            candidates.first { $0.isValid(at: instant, habits) } ?? candidates.first
        }
    }

    /// Returns the path of names that GnuTLS sorts out of what was sent (_gnutls_sort_clist), and its end among the anchors.
    ///
    /// It goes on above a certificate that is its own issuer, which a cross-certificate of the same name may follow, and
    /// ends below the first that the anchors have too.
    ///
    /// - Parameter isRetried: true for GnuTLS since 3.6.14, where the anchor in place of the last is tried as well if
    ///   something of the path has expired (SIGNER_OLD_OR_UNKNOWN in verify-high.c).
    func namedPath(isRetried: Bool, _ budget: inout SearchBudget) -> [ParsedCertificate]? {
        var path = [leaf]
        while path.count < Self.maximumLength, let tip = path.last,
            let next = sent.first(where: { $0.subject == tip.issuer && tip.namesKey(of: $0) && $0.der != tip.der }),
            !path.contains(where: { $0.der == next.der })
        {
            guard budget.spend(1 + path.count / 8) else { return nil }
            path.append(next)
        }
        Self.dropOwnIssuer(&path)
        // shorten_clist in verify-high.c
        if let place = path.indices.dropFirst().first(where: { place in
            path[place].isOwnIssuer && graph.anchors.anchor(like: path[place]) != nil
        }) {
            path.removeSubrange(place...)
        }
        guard let top = path.last, budget.spend(1 + path.count / 8) else { return nil }
        let named = graph.anchors.bySubject[top.issuer] ?? []
        let below = Self.cut(path, at: named)
        let anchor = below.last.flatMap { lastValid(of: named, above: $0) }
        if let anchor, !isRetried || (below + [anchor]).allSatisfy({ $0.isValid(at: instant, habits) }) {
            return below + [anchor]
        }
        let twin = graph.anchors.bySubject[top.subject]?.first { $0.key == top.key }
        if path.count > 1, let twin { return Self.cut(path, at: [twin]) + [twin] }
        return anchor.map { below + [$0] }
    }

    /// Returns the last valid anchor that the key identifier allows, else the first: find_issuer in GnuTLS's verify.c.
    private func lastValid(of anchors: [ParsedCertificate], above tip: ParsedCertificate) -> ParsedCertificate? {
        let above = anchors.filter { tip.namesKey(of: $0) }
        return above.last { $0.isValid(at: instant, habits) } ?? above.first
    }

    /// Returns a path below the first certificate above the leaf that has the name and the key of an anchor: its place is the
    /// anchor's (_gnutls_verify_crt_status in verify.c).
    private static func cut(
        _ path: [ParsedCertificate], at anchors: [ParsedCertificate]
    ) -> [ParsedCertificate] {
        let place = path.indices.dropFirst().first { place in
            anchors.contains { $0.key == path[place].key && $0.subject == path[place].subject }
        }
        return place.map { Array(path[..<$0]) } ?? path
    }
}

extension ParsedCertificate {
    /// True if the certificate names itself as its issuer, by the name and the key identifiers.
    var isOwnIssuer: Bool { isAnchor(of: .selfIssued) }
}
