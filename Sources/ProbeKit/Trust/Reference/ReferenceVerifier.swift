/// The verifier that every stack's trust decision is held against: swift-certificates reads certificates and checks
/// signatures, our search builds paths and our rules judge them, a budget bounds the work.
///
/// RFC 5280, RFC 9525 and the CA/B baseline requirements arbitrate; where they are silent the stricter reading holds.
public final class ReferenceVerifier: Sendable {
    /// The anchors that were used last, parsed once per run and not once per target.
    private let anchors = BoundedMemory<PinDigest, ParsedAnchors>(limit: 8)
    private let issuers = ParsedIssuers()

    /// A verifier that has seen no certificates yet.
    public init() {}

    /// Judges a chain. It always answers, at the latest when its budget of work is spent.
    public func evaluate(_ question: TrustQuestion) async -> TrustReading {
        guard let leafDER = question.chain.first else {
            return .refused([.init(.malformed, "no certificate was presented")])
        }
        var budget = SearchBudget()
        guard budget.spend(reading: leafDER) else {
            return .refused([.init(.tooComplex, "the leaf is too large, or has too many elements", depth: 0)])
        }
        let leaf: ParsedCertificate
        switch ParsedCertificate.parse(leafDER) {
        case .success(let parsed): leaf = parsed
        case .failure(let reason): return .refused([.init(reason.cause, reason.message, depth: 0)])
        }

        var intermediates: [ParsedCertificate] = []
        var unreadable: [UnreadableCertificate] = []
        var seen: Set = [leafDER]
        for der in question.chain.dropFirst() {
            guard budget.spend(reading: der) else {
                return .refused([.init(.tooComplex, "the certificates are too large or too many")])
            }
            guard seen.insert(der).inserted else { continue }
            switch issuers.parse(der) {
            case .success(let parsed): intermediates.append(parsed)
            // One extra certificate that can't be read must not spoil the rest.
            case .failure(let reason):
                unreadable.append(reason)
                // It was looked at a second time to say why.
                _ = budget.spend(reading: der)
            }
        }
        var search = PathSearch(
            question: question, leaf: leaf, intermediates: intermediates,
            anchors: anchors.value(for: question.anchors.digest) { ParsedAnchors(question.anchors) }, budget: budget)
        return search.run(unreadable: unreadable)
    }
}
