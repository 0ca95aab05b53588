import ProbeKit
import X509

/// One search for a path from a leaf to an anchor that meets the rules.
///
/// swift-certificates reads the certificates and checks their signatures. Its own search is not used: it checks a
/// signature again for every path, of which hostile certificates make exponentially many, and stops only at the last
/// one.
struct PathSearch {
    private let rules: PathRules
    private let leaf: ParsedCertificate
    private let sent: [ParsedCertificate]
    /// All roots, those included at which no path may end.
    private let roots: ParsedAnchors
    private var graph: IssuerGraph
    private var budget: SearchBudget
    /// The steps at which the search continues; it stops at each path that meets the rules.
    private var pending: [Step]
    private var steps = 0
    private var leading: Set<ObjectIdentifier>?
    private var hasBegun = false
    /// The complete path with the least severe problems, which is most likely the intended one.
    private var best: [PathProblem]?
    private var rejectedPaths = 0

    /// The maximum path length of OpenSSL and BoringSSL.
    private static let maximumLength = 100
    /// Steps after which it is worth asking whether there is an anchor at all.
    private static let stepsBeforeSurvey = 256
    /// The number of complete paths examined if the leaf is refused on any.
    private static let pathsOfRefusedLeaf = 16

    /// A state of the search: a certificate, and the ones below it.
    private final class Step {
        let candidate: IssuerGraph.Candidate
        let below: Step?
        let count: Int

        init(_ candidate: IssuerGraph.Candidate, below: Step?) {
            self.candidate = candidate
            self.below = below
            count = (below?.count ?? 0) + 1
        }

        var certificate: ParsedCertificate { candidate.certificate }

        /// From the leaf upwards.
        var path: [ParsedCertificate] {
            Array(sequence(first: self, next: \.below).map(\.certificate).reversed())
        }

        func contains(_ certificate: ParsedCertificate) -> Bool {
            sequence(first: self, next: \.below).contains { $0.certificate.isSameEntity(as: certificate) }
        }
    }

    init(
        rules: PathRules, leaf: ParsedCertificate, intermediates: [ParsedCertificate], anchors: ParsedAnchors,
        budget: SearchBudget
    ) {
        self.rules = rules
        self.leaf = leaf
        sent = intermediates
        roots = anchors
        let (ends, known) = anchors.divided(by: rules.habits.anchors)
        graph = IssuerGraph(
            anchors: ends, intermediates: known + intermediates,
            requiresKeyIdentifiers: rules.habits.requiresKeyIdentifiers)
        self.budget = budget
        pending = [Step(.init(certificate: leaf, isAnchor: false), below: nil)]
    }

    /// Returns the result; `unreadable` certificates may explain why there is no path.
    mutating func run(unreadable: [UnreadableCertificate]) -> TrustReading {
        if let path = findPath() {
            return .accepted(path: path.map(\.der), remarks: rules.remarks(ofPath: path, &budget))
        }
        let leafProblems = rules.problems(ofLeaf: leaf)
        if let best, !budget.isSpent || !leafProblems.isEmpty { return .refused(path: best) }
        if budget.isSpent {
            return .refused([.init(.tooComplex, "the search for a valid path was given up: too much work")])
        }
        let missing = MissingIssuer(leaf: leaf, unreadable: unreadable + graph.anchors.unreadable).problem(
            graph: &graph, &budget)
        return .refused(
            path: [PathProblem(missing)] + leafProblems
                + unreadable.compactMap { certificate in
                    certificate.cause == .malformed
                        ? nil
                        : PathProblem(
                            certificate.cause, "of an intermediate: \(certificate.message)", fix: certificate.fix)
                })
    }

    /// Searches for valid paths beside the one that ``run(unreadable:)`` found, with the rest of the budget.
    mutating func furtherPaths(atMost limit: Int) -> FurtherPaths {
        var paths: [[[UInt8]]] = []
        while let path = findPath() {
            guard paths.count < limit else { return FurtherPaths(paths, isComplete: false) }
            paths.append(path.map(\.der))
        }
        return FurtherPaths(paths, isComplete: !budget.isSpent)
    }

    /// Returns the next path that meets the rules.
    private mutating func findPath() -> [ParsedCertificate]? {
        if !hasBegun {
            hasBegun = true
            if rules.habits.paths != .allPaths { return habitualPath() }
            if let anchor = graph.anchors.anchor(like: leaf), isAccepted([anchor]) { return [anchor] }
        }
        let isRefusedAnyway = !rules.problems(ofLeaf: leaf).isEmpty
        while let step = pending.popLast(), budget.spend(1 + step.count / 8) {
            let tip = step.certificate
            if let below = step.below, !graph.isSigned(below.certificate, by: tip, &budget) { continue }
            if step.candidate.isAnchor {
                if isAccepted(step.path) { return step.path }
                if isRefusedAnyway, rejectedPaths >= Self.pathsOfRefusedLeaf { return nil }
                continue
            }
            steps += 1
            if steps == Self.stepsBeforeSurvey { leading = graph.leadingToAnchors(from: leaf, &budget) }
            if let leading, !leading.contains(ObjectIdentifier(tip)) { continue }
            guard step.count < Self.maximumLength else {
                _ = budget.spend(.max)
                return nil
            }
            for candidate in graph.candidates(for: tip).reversed() {
                guard budget.spend(1 + step.count / 8) else { return nil }
                if !step.contains(candidate.certificate) { pending.append(Step(candidate, below: step)) }
            }
        }
        return nil
    }

    /// Returns the one path of a verifier that does not search, if it meets the rules.
    private mutating func habitualPath() -> [ParsedCertificate]? {
        pending = []
        var habit = HabitualPath(
            leaf: leaf, sent: sent, roots: roots, instant: rules.question.instant, habits: rules.habits, graph: graph)
        guard let path = habit.path(&budget) else { return nil }
        if let depth = habit.firstUnsigned(in: path, &budget) {
            best = [MissingIssuer.badSignature(of: path[depth], depth: depth)] + rules.problems(ofPath: path, &budget)
            return nil
        }
        return !budget.isSpent && isAccepted(path) ? path : nil
    }

    private mutating func isAccepted(_ path: [ParsedCertificate]) -> Bool {
        let problems = rules.problems(ofPath: path, &budget)
        guard !problems.isEmpty else { return true }
        rejectedPaths += 1
        if best.map({ problems.count < $0.count }) ?? true { best = problems }
        return false
    }
}

/// Explains why no path reaches an anchor: follows issuers by name and signature to the end of the path.
struct MissingIssuer {
    let leaf: ParsedCertificate
    let unreadable: [UnreadableCertificate]

    func problem(graph: inout IssuerGraph, _ budget: inout SearchBudget) -> TrustReading.Problem {
        var path = [leaf]
        while true {
            let tip = path[path.count - 1]
            let depth = path.count - 1
            let candidates = graph.candidates(for: tip)
            var issuer: IssuerGraph.Candidate?
            for candidate in candidates where issuer == nil && budget.spend(1 + path.count / 8) {
                guard !path.contains(where: { $0.isSameEntity(as: candidate.certificate) }) else { continue }
                if graph.isSigned(tip, by: candidate.certificate, &budget) { issuer = candidate }
            }
            guard let issuer else {
                return end(at: tip, depth: depth, candidates.map(\.certificate), &graph, &budget)
            }
            // A search would have ended there; a verifier that follows one path takes another.
            if issuer.isAnchor {
                return .init(.unknownIssuer, "the one path that is followed reaches no anchor", depth: depth)
            }
            path.append(issuer.certificate)
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
            return .init(
                .tooComplex, "the issuer '\(issuer)' has an RSA key of \(bits) bits", depth: depth + 1,
                fix: CertificateRules.shorterKey)
        }
        for candidate in candidates where graph.isSigned(tip, by: candidate, &budget) {
            return .init(.unknownIssuer, "the path goes in a circle and reaches no anchor", depth: depth)
        }
        if candidates.contains(where: { Self.claims($0, toHaveIssued: tip) }) {
            return Self.badSignature(of: tip, depth: depth).reported
        }
        if let found = unreadable.first(where: { $0.subject.map(ComparableName.init) == tip.issuer }) {
            return .init(
                found.cause, "of the issuer '\(issuer)': \(found.message)", depth: depth + 1, fix: found.fix)
        }
        return .init(.unknownIssuer, "no certificate of the issuer '\(issuer)' was found", depth: depth)
    }

    /// Returns the problem of a certificate that another one claims to have signed.
    static func badSignature(of certificate: ParsedCertificate, depth: Int) -> PathProblem {
        PathProblem(
            .badSignature, "the signature of '\(certificate.certificate.subject)' is not its issuer's", depth: depth)
    }

    /// Returns true if the key identifiers name `issuer`'s key, so that a bad signature is not merely a namesake's.
    private static func claims(_ issuer: ParsedCertificate, toHaveIssued certificate: ParsedCertificate) -> Bool {
        guard let wanted = certificate.extensions.authorityKey, let has = issuer.extensions.subjectKey else {
            return issuer.der != certificate.der
        }
        return wanted == has
    }
}
