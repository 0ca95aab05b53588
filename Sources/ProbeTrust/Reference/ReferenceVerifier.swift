public import ProbeKit
import ProbePins

/// The verifier that every stack's trust decision is compared with: swift-certificates parses certificates and checks
/// signatures, our search builds paths and our rules judge them, a budget bounds the work.
///
/// RFC 5280, RFC 9525 and the CA/B baseline requirements arbitrate; where they are silent the stricter reading applies.
public final class ReferenceVerifier: Sendable {
    /// The anchors that were used last, parsed once per run and not once per target.
    private let anchors = BoundedMemory<OrderedStore, ParsedAnchors>(limit: 32)
    /// Certificates that were parsed before.
    private let known = KnownCertificates()

    private let isPublicSuffix: (@Sendable (String) -> Bool)?

    /// Creates a verifier that has seen no certificates yet.
    ///
    /// - Parameter isPublicSuffix: returns true if anyone can register names under a domain, if a list of such domains
    ///   is available; called only for a wildcard right below a domain of two labels or more.
    public init(isPublicSuffix: (@Sendable (String) -> Bool)? = nil) {
        self.isPublicSuffix = isPublicSuffix
    }

    /// Judges a chain. It always answers, at the latest when its budget is spent.
    public func evaluate(_ question: TrustQuestion) async -> TrustReading {
        await evaluate(question, furtherPaths: 0).trust
    }

    /// Judges a chain, and then searches for other valid paths with the rest of the budget.
    ///
    /// - Parameter limit: the maximum number of further paths; 0 skips the search.
    public func evaluate(
        _ question: TrustQuestion, furtherPaths limit: Int
    ) async -> (trust: TrustReading, further: FurtherPaths) {
        await evaluate(question, furtherPaths: limit, certificates: certificates())
    }

    /// Judges a chain as a shipped client's verifier does.
    public func evaluate(_ question: TrustQuestion, habits: VerifierHabits) async -> TrustReading {
        await evaluate(question, furtherPaths: 0, certificates: certificates(), habits: habits).trust
    }

    /// Returns an empty memory of the certificates of one probe, which shares those seen before.
    package func certificates() -> ReadCertificates { ReadCertificates(known: known) }

    /// Judges a chain whose certificates others may have parsed, or will.
    package func evaluate(
        _ question: TrustQuestion, furtherPaths limit: Int, certificates: ReadCertificates,
        habits: VerifierHabits = VerifierHabits()
    ) async -> (trust: TrustReading, further: FurtherPaths) {
        WorkCounter.note(.referenceVerdict)
        guard let leafDER = question.chain.first else {
            return (.refused([.init(.malformed, "no certificate was presented")]), .none)
        }
        var budget = SearchBudget()
        guard budget.spend(reading: leafDER) else {
            return (
                .refused([
                    .init(
                        .tooComplex, "the leaf is too large, or has too many elements", depth: 0,
                        fix: UnreadableCertificate.smaller)
                ]), .none
            )
        }
        let leaf: ParsedCertificate
        let read = certificates[leafDER]
        switch Self.leaf(read, among: question.anchors) {
        case .success(let parsed):
            leaf = parsed
            certificates.known.keep(read, isLeaf: true)
        case .failure(let reason):
            return (.refused([.init(reason.cause, reason.message, depth: 0, fix: reason.fix)]), .none)
        }

        var intermediates: [ParsedCertificate] = []
        var unreadable: [UnreadableCertificate] = []
        var seen: Set = [leafDER]
        for der in question.chain.dropFirst() {
            guard budget.spend(reading: der) else {
                return (.refused([.init(.tooComplex, "the certificates are too large or too many")]), .none)
            }
            guard seen.insert(der).inserted else { continue }
            let certificate = certificates[der]
            switch certificate.parsed {
            case .success(let parsed):
                intermediates.append(parsed)
                certificates.known.keep(certificate, isLeaf: false)
            // An extra certificate that can't be read must not invalidate the rest.
            case .failure(let reason):
                unreadable.append(reason)
                // It was parsed a second time for the message.
                _ = budget.spend(reading: der)
            }
        }
        let anchors = anchors.value(for: OrderedStore(question.anchors)) {
            ParsedAnchors(question.anchors, known: certificates.known)
        }
        var search = PathSearch(
            rules: PathRules(
                question: question, revocationLists: anchors.revocationLists, isPublicSuffix: isPublicSuffix,
                habits: habits),
            leaf: leaf, intermediates: intermediates, anchors: anchors, budget: budget)
        let trust = search.run(unreadable: unreadable)
        return (trust, trust.isAccepted && limit > 0 ? search.furtherPaths(atMost: limit) : .none)
    }

    /// Returns the leaf; one that is an anchor is read like those.
    private static func leaf(
        _ read: ReadCertificate, among anchors: TrustAnchors
    ) -> Result<ParsedCertificate, UnreadableCertificate> {
        if case .failure = read.parsed, anchors.certificates.contains(read.der) { return read.anchor }
        return read.parsed
    }
}

/// Anchors in the verifier's form: a name and a key, whatever they are signed with. Nothing can chain to an unreadable one,
/// whose reason is worth reporting.
struct ParsedAnchors: Sendable {
    let bySubject: [ComparableName: [ParsedCertificate]]
    let unreadable: [UnreadableCertificate]
    /// The revocation lists that came with them.
    let revocationLists: ParsedRevocationLists

    init(_ anchors: TrustAnchors, known: KnownCertificates = KnownCertificates()) {
        var certificates: [ParsedCertificate] = []
        var unreadable: [UnreadableCertificate] = []
        for der in anchors.certificates {
            switch known.anchor(der).anchor {
            case .success(let parsed): certificates.append(parsed)
            case .failure(let reason): unreadable.append(reason)
            }
        }
        bySubject = Dictionary(grouping: certificates, by: \.subject)
        self.unreadable = unreadable
        revocationLists = ParsedRevocationLists(anchors.revocationLists)
    }

    init(
        _ bySubject: [ComparableName: [ParsedCertificate]], unreadable: [UnreadableCertificate],
        revocationLists: ParsedRevocationLists
    ) {
        self.bySubject = bySubject
        self.unreadable = unreadable
        self.revocationLists = revocationLists
    }

    /// Returns the anchor that is this very certificate.
    func anchor(like certificate: ParsedCertificate) -> ParsedCertificate? {
        bySubject[certificate.subject]?.first { $0.der == certificate.der }
    }
}
