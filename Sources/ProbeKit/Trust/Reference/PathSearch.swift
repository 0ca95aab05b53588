import X509

/// One search for a path from a leaf to an anchor that meets the policy.
struct PathSearch {
    let question: TrustQuestion
    let leaf: ParsedCertificate
    let intermediates: [ParsedCertificate]
    let anchors: ParsedAnchors
    let unreadable: [UnreadableCertificate]

    /// Candidate issuers looked at before a chain counts as too complex.
    private static let budgetUnits = 200

    func run() async -> TrustReading {
        let budget = SearchBudget(units: Self.budgetUnits)
        let pool = Dictionary(grouping: intermediates.map(\.certificate)) { ComparableName($0.subject) }
        let policy = ServerTrustPolicy(question: question, anchors: anchors, certificates: allCertificates)
        var verifier = Verifier(
            rootCertificates: CertificateStore(custom: MeteredStore(anchors.bySubject, budget: budget))
        ) { policy }
        let result = await verifier.validate(
            leaf: leaf.certificate,
            intermediates: CertificateStore(custom: MeteredStore(pool, budget: budget)))
        if case .validCertificate(let path) = result { return .accepted(path: path.map(der(of:))) }
        return .refused(problems(of: policy, budget: budget))
    }

    private var allCertificates: [Certificate] {
        [leaf.certificate] + intermediates.map(\.certificate) + anchors.certificates.map(\.certificate)
    }

    private func der(of certificate: Certificate) -> [UInt8] {
        let known = [leaf] + intermediates + anchors.certificates
        // The verifier only ever returns certificates it was given.
        return known.first { $0.certificate == certificate }?.der ?? []
    }

    private func problems(of policy: ServerTrustPolicy, budget: SearchBudget) -> [TrustReading.Problem] {
        if budget.isSpent {
            return [.init(.tooComplex, "more than \(Self.budgetUnits) candidate issuers and no valid path among them")]
        }
        // Of the complete paths, the one with the least to complain about is the one a person meant.
        if let best = policy.rejectedPaths.min(by: { $0.count < $1.count }) { return best }
        return [missingIssuer()] + leafProblems(policy)
            + unreadable.compactMap { reason in
                reason.cause == .malformed ? nil : .init(reason.cause, "of an intermediate: \(reason.message)")
            }
    }

    /// What is wrong with the leaf whatever its issuer: name, dates and the like are worth knowing too.
    private func leafProblems(_ policy: ServerTrustPolicy) -> [TrustReading.Problem] {
        policy.problems(ofLeaf: leaf.certificate)
    }

    /// Follows issuers by name and signature to where the path ends, and says why it ends there.
    private func missingIssuer() -> TrustReading.Problem {
        var tip = leaf.certificate
        var path: [Certificate] = []
        while path.count <= intermediates.count {
            let depth = path.count
            path.append(tip)
            let wanted = ComparableName(tip.issuer)
            let candidates = (anchors.certificates + intermediates).map(\.certificate).filter {
                ComparableName($0.subject) == wanted
            }
            if let issuer = candidates.first(where: {
                !path.contains($0) && $0.publicKey.isValidSignature(tip.signature, for: tip)
            }) {
                tip = issuer
                continue
            }
            if tip.issuer == tip.subject, tip.publicKey.isValidSignature(tip.signature, for: tip) {
                return depth == 0
                    ? .init(.selfSigned, "'\(tip.subject)' signed itself and is not an anchor", depth: 0)
                    : .init(.unknownIssuer, "the chain ends in '\(tip.subject)', which is not an anchor", depth: depth)
            }
            if candidates.contains(where: { claimsToHaveIssued($0, tip) }) {
                return .init(.badSignature, "the signature of '\(tip.subject)' is not its issuer's", depth: depth)
            }
            if let issuer = unreadable.first(where: { $0.subject == tip.issuer }) {
                return .init(issuer.cause, "of the issuer '\(tip.issuer)': \(issuer.message)", depth: depth + 1)
            }
            return .init(.unknownIssuer, "no certificate of the issuer '\(tip.issuer)' was found", depth: depth)
        }
        return .init(.unknownIssuer, "the path goes in a circle", depth: path.count)
    }

    /// Whether key identifiers say that `issuer`'s key is the one, so that a wrong signature is no mere namesake.
    private func claimsToHaveIssued(_ issuer: Certificate, _ certificate: Certificate) -> Bool {
        guard let wanted = (try? certificate.extensions.authorityKeyIdentifier)?.keyIdentifier,
            let has = (try? issuer.extensions.subjectKeyIdentifier)?.keyIdentifier
        else { return issuer != certificate }
        return wanted == has
    }
}
