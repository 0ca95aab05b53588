import ProbeKit
import X509

/// Certificate policies along a path (RFC 5280 sections 6.1.2 to 6.1.5).
enum PolicyRules {
    /// The number of certificates that may follow before something applies.
    private struct Countdown {
        private(set) var left: Int
        /// The certificate that set it; nil for the question.
        private(set) var cause: Certificate?

        init(isOver: Bool, length: Int) { left = isOver ? 0 : length + 1 }

        var isOver: Bool { left == 0 }

        mutating func step() { if left > 0 { left -= 1 } }

        mutating func shorten(to limit: Int?, by certificate: Certificate) {
            guard let limit, limit < left else { return }
            (left, cause) = (limit, certificate)
        }
    }

    /// Returns the policy problems of a path. An anchor's own policies are ignored: it is a name and a key (section
    /// 6.1.1 (d)).
    ///
    /// - Parameter path: the certificates from the leaf to the anchor.
    static func problems(
        ofPath path: [ParsedCertificate], inputs: TrustQuestion.PolicyInputs, _ budget: inout SearchBudget
    ) -> [PathProblem] {
        let below = path.dropLast()
        var graph = PolicyGraph()
        var explicit = Countdown(isOver: inputs.requiresExplicitPolicy, length: below.count)
        var any = Countdown(isOver: inputs.inhibitsAnyPolicy, length: below.count)
        var mapping = Countdown(isOver: inputs.inhibitsMapping, length: below.count)
        for (depth, certificate) in below.enumerated().reversed() {
            let policies = certificate.extensions.policies
            guard budget.spend(policies.count + graph.width) else {
                return [.init(.tooComplex, "too many certificate policies to compare", depth: depth)]
            }
            let isLeaf = depth == 0
            graph.descend(
                to: policies.policies, anyCounts: !any.isOver || (!isLeaf && certificate.isSelfIssued))
            guard !explicit.isOver || !graph.isEmpty else { return [missing(at: certificate, depth, explicit.cause)] }
            if isLeaf {
                explicit.step()
                if policies.requireExplicitPolicy == 0 {
                    explicit.shorten(to: 0, by: certificate.certificate)
                }
                continue
            }
            if policies.mappings.contains(where: { $0.issuer == .any || $0.subject == .any }) {
                return [
                    .init(
                        .constraintViolated, "'\(certificate.certificate.subject)' maps a policy from or to anyPolicy",
                        depth: depth)
                ]
            }
            graph.apply(policies.mappings, isAllowed: !mapping.isOver)
            if !certificate.isSelfIssued {
                explicit.step()
                mapping.step()
                any.step()
            }
            explicit.shorten(to: policies.requireExplicitPolicy, by: certificate.certificate)
            mapping.shorten(to: policies.inhibitPolicyMapping, by: certificate.certificate)
            any.shorten(to: policies.inhibitAnyPolicy, by: certificate.certificate)
        }
        guard let leaf = below.first, explicit.isOver, !graph.isValid(for: inputs.acceptable) else { return [] }
        return [missing(at: leaf, 0, explicit.cause)]
    }

    private static func missing(
        at certificate: ParsedCertificate, _ depth: Int, _ cause: Certificate?
    ) -> PathProblem {
        let who = cause.map { "'\($0.subject)' requires" } ?? "the question requires"
        return .init(
            .constraintViolated,
            "\(who) a certificate policy, and none is valid down to '\(certificate.certificate.subject)'", depth: depth)
    }
}
