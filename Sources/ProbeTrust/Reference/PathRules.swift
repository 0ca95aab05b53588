import ProbeKit

/// The rules for a complete path.
struct PathRules {
    let question: TrustQuestion
    let revocationLists: ParsedRevocationLists
    let isPublicSuffix: (@Sendable (String) -> Bool)?

    /// Returns the problems of the leaf alone, unless it is an anchor: it has them on every path.
    func problems(ofLeaf leaf: ParsedCertificate) -> [PathProblem] {
        CertificateRules.common(leaf, at: question.instant, depth: 0, isAnchor: false)
            + CertificateRules.leaf(leaf, question: question, isAnchor: false)
    }

    /// Returns the problems of a path.
    ///
    /// - Parameter path: the certificates from the leaf to the anchor.
    func problems(ofPath path: [ParsedCertificate], _ budget: inout SearchBudget) -> [PathProblem] {
        guard let leaf = path.first else { return [] }
        // The rules of one certificate, and the leaf's names.
        let names = leaf.extensions.names?.count ?? 0
        guard budget.spend(20 * path.count + names) else {
            return [.init(.tooComplex, "there are too many paths to judge them all")]
        }
        var problems = CertificateRules.leaf(leaf, question: question, isAnchor: path.count == 1)
        for (depth, certificate) in path.enumerated() {
            let isAnchor = depth == path.count - 1
            problems += CertificateRules.common(certificate, at: question.instant, depth: depth, isAnchor: isAnchor)
            guard depth > 0 else { continue }
            problems += CertificateRules.issuer(
                certificate, below: path[1..<depth], question: question, depth: depth, isAnchor: isAnchor)
        }
        if let limit = question.maxDepth, path.count - 2 > limit {
            problems.append(
                .init(.constraintViolated, "\(path.count - 2) intermediates, and at most \(limit) were allowed"))
        }
        return problems + NameConstraintRules.problems(ofPath: path, &budget)
            + PolicyRules.problems(ofPath: path, inputs: question.policies, &budget)
            + RevocationRules.problems(ofPath: path, revocationLists, at: question.instant, &budget)
            + StapleRules.problems(ofPath: path, staple: question.staple, at: question.instant, &budget)
    }

    /// Returns the remarks on a path that has no problem.
    func remarks(ofPath path: [ParsedCertificate], _ budget: inout SearchBudget) -> [TrustReading.Remark] {
        path.dropLast().flatMap { AcceptedForms.remarks(of: $0) }
            + path.dropFirst().flatMap(AcceptedForms.remarks(ofIssuer:))
            + AcceptedForms.remarks(ofLeaf: path.first, isPublicSuffix: isPublicSuffix)
            + RevocationRules.remarks(ofPath: path, revocationLists, at: question.instant, &budget)
    }
}
