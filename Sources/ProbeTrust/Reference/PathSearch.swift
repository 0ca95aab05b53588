import ProbeKit

/// One search for a path from a leaf to an anchor that meets the rules.
///
/// swift-certificates reads the certificates and checks their signatures. Its own search is not used: it checks a
/// signature again for every path, of which hostile certificates make exponentially many, and stops only at the last
/// one.
struct PathSearch {
    private let rules: PathRules
    private let leaf: ParsedCertificate
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
        graph = IssuerGraph(anchors: anchors, intermediates: intermediates)
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
            path: [PathProblem(missing.cause, missing.message, depth: missing.depth)] + leafProblems
                + unreadable.compactMap { certificate in
                    certificate.cause == .malformed
                        ? nil : PathProblem(certificate.cause, "of an intermediate: \(certificate.message)")
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

    private mutating func isAccepted(_ path: [ParsedCertificate]) -> Bool {
        let problems = rules.problems(ofPath: path, &budget)
        guard !problems.isEmpty else { return true }
        rejectedPaths += 1
        if best.map({ problems.count < $0.count }) ?? true { best = problems }
        return false
    }
}
