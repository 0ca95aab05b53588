import FoundationEssentials
import SwiftASN1
import Synchronization
import X509

/// What a complete path has to satisfy; every failing path's problems are kept, all of them.
final class ServerTrustPolicy: VerifierPolicy, Sendable {
    /// Every critical extension of every certificate at hand: the verifier hands all paths over, and this policy refuses
    /// the unknown ones itself, with a cause.
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier]

    private let question: TrustQuestion
    private let anchors: ParsedAnchors
    private let rejected = Mutex<[[TrustReading.Problem]]>([])

    init(question: TrustQuestion, anchors: ParsedAnchors, certificates: [Certificate]) {
        self.question = question
        self.anchors = anchors
        verifyingCriticalExtensions = Array(
            Set(certificates.flatMap { $0.extensions.filter(\.critical).map(\.oid) }))
    }

    /// The problems of each complete path that was refused.
    var rejectedPaths: [[TrustReading.Problem]] { rejected.withLock { $0 } }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        let path = Array(chain)
        let problems = problems(ofPath: path)
        guard !problems.isEmpty else { return .meetsPolicy }
        rejected.withLock { $0.append(problems) }
        return .failsToMeetPolicy(reason: "refused by the reference policy")
    }

    /// What is wrong with the leaf alone.
    func problems(ofLeaf leaf: Certificate) -> [TrustReading.Problem] {
        CertificateRules.common(leaf, at: question.instant, depth: 0, isAnchor: false)
            + CertificateRules.leaf(leaf, question: question, isAnchor: false)
    }

    private func problems(ofPath path: [Certificate]) -> [TrustReading.Problem] {
        guard let leaf = path.first else { return [] }
        let leafIsAnchor = path.count == 1
        var problems = CertificateRules.leaf(leaf, question: question, isAnchor: leafIsAnchor)
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
        return problems + NameConstraintRules.problems(ofPath: path)
            + StapleRules.problems(ofPath: path, staple: question.staple, at: question.instant)
    }
}
