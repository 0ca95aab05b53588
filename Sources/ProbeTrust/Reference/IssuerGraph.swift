import ProbeKit

/// The issuer relation by names and signatures: each signature is checked once, whatever paths it is on.
struct IssuerGraph {
    /// A certificate that may have issued another one.
    struct Candidate {
        let certificate: ParsedCertificate
        let isAnchor: Bool
    }

    private struct Edge: Hashable {
        let child: ObjectIdentifier
        let key: PinDigest
    }

    let anchors: ParsedAnchors
    private let intermediates: [ComparableName: [ParsedCertificate]]
    private let requiresKeyIdentifiers: Bool
    private var signatures: [Edge: Bool] = [:]
    private var known: [ObjectIdentifier: [Candidate]] = [:]

    /// - Parameter requiresKeyIdentifiers: true if an issuer is only the certificate that the authority key identifier
    ///   names.
    init(anchors: ParsedAnchors, intermediates: [ParsedCertificate], requiresKeyIdentifiers: Bool = false) {
        self.anchors = anchors
        self.requiresKeyIdentifiers = requiresKeyIdentifiers
        self.intermediates = Dictionary(grouping: intermediates, by: \.subject)
    }

    /// Returns the certificates with the name of the issuer: anchors first, and those before others whose key
    /// identifier fits.
    mutating func candidates(for child: ParsedCertificate) -> [Candidate] {
        let place = ObjectIdentifier(child)
        if let candidates = known[place] { return candidates }
        let candidates = search(for: child)
        known[place] = candidates
        return candidates
    }

    private func search(for child: ParsedCertificate) -> [Candidate] {
        let known = (anchors.bySubject[child.issuer] ?? []).map { Candidate(certificate: $0, isAnchor: true) }
        let sent = (intermediates[child.issuer] ?? []).map { Candidate(certificate: $0, isAnchor: false) }
        let sorted = Self.sorted(known, for: child) + Self.sorted(sent, for: child)
        return requiresKeyIdentifiers ? sorted.filter { child.names(asIssuer: $0.certificate) } : sorted
    }

    /// Key identifiers only help to find a path, they do not decide (RFC 5280 section 4.2.1.1).
    private static func sorted(_ candidates: [Candidate], for child: ParsedCertificate) -> [Candidate] {
        guard candidates.count > 1, let wanted = child.extensions.authorityKey else { return candidates }
        return candidates.filter { $0.certificate.extensions.subjectKey == wanted }
            + candidates.filter { $0.certificate.extensions.subjectKey == nil }
            + candidates.filter { candidate in
                candidate.certificate.extensions.subjectKey.map { $0 != wanted } ?? false
            }
    }

    /// Returns true if the key of `issuer` made the signature of `child`; false, too, if the budget does not suffice.
    mutating func isSigned(
        _ child: ParsedCertificate, by issuer: ParsedCertificate, _ budget: inout SearchBudget
    ) -> Bool {
        let edge = Edge(child: ObjectIdentifier(child), key: issuer.key)
        if let known = signatures[edge] { return known }
        guard budget.spend(verifying: child.der.count, by: issuer) else { return false }
        let isSigned = child.isSigned(by: issuer)
        signatures[edge] = isSigned
        return isSigned
    }

    /// Returns the certificates from which signatures lead to an anchor, among those reached from `leaf`; each is
    /// visited once, however many paths there are.
    mutating func leadingToAnchors(from leaf: ParsedCertificate, _ budget: inout SearchBudget) -> Set<ObjectIdentifier>
    {
        var pending = [leaf]
        var seen: Set = [ObjectIdentifier(leaf)]
        var issued: [ObjectIdentifier: [ObjectIdentifier]] = [:]
        var leading: [ObjectIdentifier] = []
        while let child = pending.popLast() {
            for candidate in candidates(for: child) {
                guard budget.spend(1), isSigned(child, by: candidate.certificate, &budget) else { continue }
                if candidate.isAnchor {
                    leading.append(ObjectIdentifier(child))
                } else {
                    let issuer = ObjectIdentifier(candidate.certificate)
                    issued[issuer, default: []].append(ObjectIdentifier(child))
                    if seen.insert(issuer).inserted { pending.append(candidate.certificate) }
                }
            }
        }
        var found: Set<ObjectIdentifier> = []
        while let certificate = leading.popLast() {
            if found.insert(certificate).inserted { leading += issued[certificate] ?? [] }
        }
        return found
    }
}

extension SearchBudget {
    /// Spends the cost of checking one signature over a number of bytes, and returns true if the budget sufficed;
    /// false, too, for a key that is never used.
    mutating func spend(verifying byteCount: Int, by signer: ParsedCertificate) -> Bool {
        signer.rsaBits ?? 0 <= ParsedCertificate.maximumRSABits
            // Hashing the signed bytes has a cost too.
            && spend(signer.verificationCost + byteCount / 300)
    }
}
