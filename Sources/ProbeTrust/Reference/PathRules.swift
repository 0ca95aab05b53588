import ProbeKit
import X509

/// The rules for a complete path.
struct PathRules {
    let question: TrustQuestion
    let revocationLists: ParsedRevocationLists
    let isPublicSuffix: (@Sendable (String) -> Bool)?
    let habits: VerifierHabits

    /// Returns the problems of the leaf alone, unless it is an anchor: it has them on every path.
    func problems(ofLeaf leaf: ParsedCertificate) -> [PathProblem] {
        CertificateRules.common(leaf, at: question.instant, depth: 0, isAnchor: false, habits)
            + CertificateRules.leaf(leaf, question: question, isAnchor: false, habits)
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
        var problems = CertificateRules.leaf(leaf, question: question, isAnchor: path.count == 1, habits)
        for (depth, certificate) in path.enumerated() {
            let isAnchor = depth == path.count - 1
            problems += CertificateRules.common(
                certificate, at: question.instant, depth: depth, isAnchor: isAnchor, habits)
            guard depth > 0 else { continue }
            problems += CertificateRules.issuer(
                certificate, below: path[1..<depth], question: question, depth: depth, isAnchor: isAnchor, habits)
        }
        if let limit = question.maxDepth, path.count - 2 > limit {
            problems.append(
                .init(
                    .constraintViolated, "\(path.count - 2) intermediates, and at most \(limit) were allowed",
                    fix: "issue the certificate below fewer CAs"))
        }
        if habits.judgesNameConstraints {
            let usesCommonName =
                habits.acceptsCommonName
                && question.name.map {
                    ServerIdentity.matches(commonNameOf: leaf, name: $0)
                } ?? false
            problems += NameConstraintRules.problems(ofPath: path, usesCommonName: usesCommonName, &budget)
        }
        if habits.judgesPolicies {
            problems += PolicyRules.problems(ofPath: path, inputs: question.policies, &budget)
        }
        return problems
            + RevocationRules.problems(ofPath: path, revocationLists, at: question.instant, &budget)
            + StapleRules.problems(ofPath: path, staple: question.staple, at: question.instant, &budget)
    }

    /// Returns the remarks on a path that has no problem.
    func remarks(ofPath path: [ParsedCertificate], _ budget: inout SearchBudget) -> [TrustReading.Remark] {
        AcceptedForms.remarks(ofPath: path) + path.dropLast().flatMap { AcceptedForms.remarks(of: $0) }
            + path.dropFirst().flatMap(AcceptedForms.remarks(ofIssuer:))
            + AcceptedForms.remarks(ofLeaf: path.first, isPublicSuffix: isPublicSuffix)
            + RevocationRules.remarks(ofPath: path, revocationLists, at: question.instant, &budget)
            + StapleRules.remarks(ofPath: path, question)
    }
}

/// Forms of an accepted path that the standards leave undefined or forbid, but every stack accepts.
enum AcceptedForms {
    /// Remarks on the path's length.
    static func remarks(ofPath path: [ParsedCertificate]) -> [TrustReading.Remark] {
        guard path.count == 1 else { return [] }
        return [
            .warning(
                "anchor-as-leaf", "the certificate that is judged is itself one of the anchors",
                fix: "give the CA that issued it as the anchor: as it is, only this certificate is trusted")
        ]
    }

    /// Remarks on a certificate below the anchor.
    static func remarks(of parsed: ParsedCertificate) -> [TrustReading.Remark] {
        guard parsed.extensions.isKeyUsagePadded else { return [] }
        return [
            .warning(
                "key-usage-padding",
                "the key usage of '\(parsed.certificate.subject)' ends in zero bits, which is not DER",
                fix: "ask the CA to encode the key usage without trailing zero bits")
        ]
    }

    /// Remarks on a certificate above the leaf.
    static func remarks(ofIssuer parsed: ParsedCertificate) -> [TrustReading.Remark] {
        guard parsed.extensions.constraints?.hasLeadingPeriod ?? false else { return [] }
        return [
            .note(
                "name-constraint-leading-period",
                "a DNS name constraint of '\(parsed.certificate.subject)' begins with a period: it covers the names below it, "
                    + "and not the name itself")
        ]
    }

    /// Remarks on the server's certificate.
    static func remarks(
        ofLeaf leaf: ParsedCertificate?, isPublicSuffix: (@Sendable (String) -> Bool)?
    ) -> [TrustReading.Remark] {
        guard let leaf, let names = leaf.extensions.names, let isPublicSuffix else { return [] }
        for case .dnsName(let name) in names.prefix(maximumNames) where name.hasPrefix("*.") {
            let parent = name.dropFirst(2).lowercased()
            guard parent.contains("."), parent.utf8.count <= ConstrainedName.maximumHostBytes, isPublicSuffix(parent)
            else { continue }
            return [
                .warning(
                    "wildcard-public-suffix",
                    "'\(leaf.certificate.subject)' is for '\(name)', and anyone can register names under '\(parent)'",
                    fix: "issue the certificate for names of one owner")
            ]
        }
        return []
    }

    /// The maximum number of names of a certificate; the list is only searched for wildcards.
    private static let maximumNames = 1000
}

/// A rule that a path breaks. Its message is written only if the path is the reported one: a hostile set of
/// certificates has thousands of paths, and names that take longer to print than to compare.
struct PathProblem {
    let cause: TrustCause
    let depth: Int?
    private let fix: String?
    private let message: () -> String

    init(_ cause: TrustCause, _ message: @autoclosure @escaping () -> String, depth: Int? = nil, fix: String? = nil) {
        self.cause = cause
        self.depth = depth
        self.fix = fix
        self.message = message
    }

    /// Creates a problem whose message is written already.
    init(_ problem: TrustReading.Problem) {
        self.init(problem.cause, problem.message, depth: problem.depth, fix: problem.fix)
    }

    /// The problem with its message.
    var reported: TrustReading.Problem { .init(cause, message(), depth: depth, fix: fix) }
}

extension TrustReading {
    /// More than anyone reads.
    private static let maximumProblems = 32

    /// Returns the answer "refused", for the most severe of a path's problems.
    static func refused(path problems: [PathProblem]) -> TrustReading {
        .refused(problems.sorted { $0.cause < $1.cause }.prefix(maximumProblems).map(\.reported))
    }
}
