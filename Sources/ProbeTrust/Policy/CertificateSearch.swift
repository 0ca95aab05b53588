import ProbeKit
import ProbePins

/// Searches for the certificates of one expectation in a connection's chain, on every deciding path.
struct CertificateSearch {
    private let expectation: CertificateExpectation
    private let wanted: [ReadCertificate]
    private let connection: ConnectionEvidence
    private let trust: TrustMode

    /// Creates a search.
    ///
    /// - Parameter trust: whose paths decide.
    init(_ expectation: CertificateExpectation, in connection: ConnectionEvidence, trust: TrustMode) {
        self.expectation = expectation
        self.connection = connection
        self.trust = trust
        wanted = expectation.certificates.map(ReadCertificate.init)
    }

    private struct Candidate {
        let depth: Int
        let index: Int
        let comparison: CertificateComparison
        let isOnValidPath: Bool

        /// The number of equal attributes, and of two candidates with as many the one that proves something.
        var weight: (Int, Int) { (comparison.equalCount, isOnValidPath ? 1 : 0) }
    }

    /// A note that names the certificate, a warning if it proves nothing, or one error.
    var finding: Finding {
        let judged = connection.chains(expectation.chain, by: trust).map { path in
            (path: path, finding: judge(path.indices))
        }
        guard let holding = judged.first(where: { $0.finding.severity != .error }),
            let failing = judged.first(where: { $0.finding.severity == .error })
        else { return judged[0].finding }
        return .error(
            .stacksDisagree, code: "paths-differ", stage: .pins,
            "the certificate of \(expectation.name) is on the path of \(holding.path.takers.joined(separator: " and ")), \(connection.text(of: holding.path.indices)), and not on that of \(failing.path.takers.joined(separator: " and ")), \(connection.text(of: failing.path.indices)); \(failing.finding.message)",
            fix: shared("both paths", or: connection.serving([holding.path], not: [failing.path])))
    }

    /// Returns a warning if a client that takes another valid path does not find the certificate.
    ///
    /// - Parameter takers: names those clients.
    func dependence(_ takers: PathTakers?) -> Finding? {
        guard expectation.chain == .validated, expectation.position.includes(index: 1),
            let dependence = PathDependence(
                in: connection, trust: trust, where: { nearest(in: $0)?.comparison.isEqual != true })
        else { return nil }
        return dependence.finding(
            "the certificate of \(expectation.name) is not on", takers: takers,
            fix: shared("all of them", or: connection.serving(dependence.deciding, not: dependence.failing)))
    }

    /// Advice that leaves the paths as they are, and advice that closes some.
    private func shared(_ paths: String, or send: Fix?) -> Fix {
        let expect: Fix = "expect a certificate that \(paths) have"
        return send.map { "\(expect), or \($0)" } ?? expect
    }

    private func judge(_ chain: [Int]) -> Finding {
        let fix: Fix = "if it was replaced on purpose, expect the new one: probe pins shows what the server has"
        guard let nearest = nearest(in: chain) else {
            return .error(
                .pinMismatch, code: "certificate-differs", stage: .pins,
                "no readable certificate at \(expectation.position) to compare with \(expectation.name)",
                fix: isUndecided ? Self.acceptance : fix)
        }
        let name = "certificate \(nearest.depth), \(connection.certificates[nearest.index].name)"
        guard nearest.comparison.isEqual else {
            let results = nearest.comparison.results
            // The certificate itself, of which an attribute is compared that it does not have.
            guard results[.hash]?.isEqual != true else {
                return .error(
                    .pinMismatch, code: "certificate-differs", stage: .pins,
                    "\(name) is that of \(expectation.name), byte for byte, and does not pass: the comparison needs a subject key identifier, which it lacks",
                    fix: "issue the certificate with one, or \(pin(nearest))")
            }
            return isUndecided
                ? .error(
                    .pinMismatch, code: "certificate-differs", stage: .pins,
                    "the leaf, which is all there is without a validated path, is not that of \(expectation.name)",
                    fix: Self.acceptance)
                : .error(
                    .pinMismatch, code: "certificate-differs", stage: .pins,
                    "no certificate at \(expectation.position) is that of \(expectation.name); the nearest is \(name): \(nearest.comparison.text)",
                    fix: lacksIdentifier(nearest)
                        ? "if it was replaced on purpose, issue the new one with a subject key identifier, which the comparison needs, and expect it, or \(pin(nearest))"
                        : fix)
        }
        guard nearest.isOnValidPath else {
            return .warning(
                "pin-not-validated", stage: .pins,
                "\(name) is that of \(expectation.name), which was only sent along: it is on no valid path, and whoever sends it passes",
                fix: "expect a certificate of the validated path, and \(.searchValidatedPath)")
        }
        return .note(
            "certificate-matched", stage: .pins, "\(name) is that of \(expectation.name): \(nearest.comparison.text)")
    }

    /// Returns the step that holds the chain to a certificate by its hash alone, whatever else it has.
    private func pin(_ candidate: Candidate) -> Fix.Step {
        .pin(
            Pin(kind: .cert, digest: .sha256(of: connection.certificates[candidate.index].der)), expectation.position)
    }

    /// Returns true if a candidate has no subject key identifier, so that it is equal to none, itself included.
    private func lacksIdentifier(_ candidate: Candidate) -> Bool {
        guard case .missing(nil, _)? = candidate.comparison.results[.subjectKeyIdentifier] else { return false }
        return true
    }

    private static let acceptance: Fix = "have the chain accepted first: certificates of CAs are looked for on its path"

    /// True if only the leaf is known to belong to the chain, and a certificate above it may be meant.
    private var isUndecided: Bool {
        expectation.chain == .validated && expectation.position.includes(index: 1)
            && connection.deciding(by: trust).isEmpty
    }

    /// Returns the certificate at the expected position that has the most in common with one that is wanted, and of several
    /// the first.
    private func nearest(in chain: [Int]) -> Candidate? {
        let onValidPaths = connection.onValidPaths
        var nearest: Candidate?
        for (depth, index) in chain.enumerated() where expectation.position.includes(index: depth) {
            let seen = connection.certificates[index].read
            for expected in wanted {
                guard let comparison = try? CertificateComparison(seen: seen, expected: expected) else { continue }
                let candidate = Candidate(
                    depth: depth, index: index, comparison: comparison, isOnValidPath: onValidPaths.contains(index))
                if nearest.map({ $0.weight < candidate.weight }) ?? true { nearest = candidate }
            }
        }
        return nearest
    }
}
