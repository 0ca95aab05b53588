import ProbeKit
import X509

/// Explains why no path reaches an anchor: follows issuers by name and signature to the end of the path.
struct MissingIssuer {
    let leaf: ParsedCertificate
    let unreadable: [UnreadableCertificate]

    func problem(graph: inout IssuerGraph, _ budget: inout SearchBudget) -> TrustReading.Problem {
        var path = [leaf]
        while true {
            let tip = path[path.count - 1]
            let depth = path.count - 1
            let candidates = graph.candidates(for: tip).map(\.certificate)
            var issuer: ParsedCertificate?
            for candidate in candidates where issuer == nil && budget.spend(1 + path.count / 8) {
                guard !path.contains(where: { $0.isSameEntity(as: candidate) }) else { continue }
                if graph.isSigned(tip, by: candidate, &budget) { issuer = candidate }
            }
            guard let issuer else { return end(at: tip, depth: depth, candidates, &graph, &budget) }
            path.append(issuer)
        }
    }

    private func end(
        at tip: ParsedCertificate, depth: Int, _ candidates: [ParsedCertificate], _ graph: inout IssuerGraph,
        _ budget: inout SearchBudget
    ) -> TrustReading.Problem {
        let (subject, issuer) = (tip.certificate.subject, tip.certificate.issuer)
        if tip.isSelfIssued, graph.isSigned(tip, by: tip, &budget) {
            return depth == 0
                ? .init(.selfSigned, "'\(subject)' signed itself and is not an anchor", depth: 0)
                : .init(.unknownIssuer, "the chain ends in '\(subject)', which is not an anchor", depth: depth)
        }
        if let bits = candidates.lazy.compactMap(\.rsaBits).first(where: { $0 > ParsedCertificate.maximumRSABits }) {
            return .init(.tooComplex, "the issuer '\(issuer)' has an RSA key of \(bits) bits", depth: depth + 1)
        }
        for candidate in candidates where graph.isSigned(tip, by: candidate, &budget) {
            return .init(.unknownIssuer, "the path goes in a circle and reaches no anchor", depth: depth)
        }
        if candidates.contains(where: { Self.claims($0, toHaveIssued: tip) }) {
            return .init(.badSignature, "the signature of '\(subject)' is not its issuer's", depth: depth)
        }
        if let found = unreadable.first(where: { $0.subject.map(ComparableName.init) == tip.issuer }) {
            return .init(found.cause, "of the issuer '\(issuer)': \(found.message)", depth: depth + 1)
        }
        return .init(.unknownIssuer, "no certificate of the issuer '\(issuer)' was found", depth: depth)
    }

    /// Returns true if the key identifiers name `issuer`'s key, so that a bad signature is not merely a namesake's.
    private static func claims(_ issuer: ParsedCertificate, toHaveIssued certificate: ParsedCertificate) -> Bool {
        guard let wanted = certificate.extensions.authorityKey, let has = issuer.extensions.subjectKey else {
            return issuer.der != certificate.der
        }
        return wanted == has
    }
}
