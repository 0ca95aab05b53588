public import ProbeKit

/// A chain made from a valid one by mutations; a seed and a number give the same chain again.
public struct ExploredChain: Sendable {
    /// The valid chain it was made from.
    public let shape: String
    /// The mutations in the order they are applied.
    public let mutations: [ExploredMutation]
    /// The question whether it is trusted.
    public let question: TrustQuestion

    /// Makes one of the chains of a seed.
    public init(seed: UInt64, number: Int) {
        var numbers = SeededNumbers(seed: seed, member: UInt64(number))
        let shape = ChainShape.allCases[numbers.below(ChainShape.allCases.count)]
        let chain = numbers.example(by: ChainRule.names) { ExploredChain(shape, $0) }
        // Every shape can be encoded without mutations.
        self = chain ?? ExploredChain(shape, []) ?? ExploredChain(empty: shape)
    }

    /// Makes a shape with mutations; nil if one of them does not apply to it.
    init?(_ shape: ChainShape, _ mutations: [ExploredMutation]) {
        var plan = shape.plan
        for mutation in mutations {
            guard let rule = ChainRule.named[mutation.rule] else { return nil }
            var numbers = SeededNumbers(seed: mutation.seed)
            guard rule.apply(&plan, &numbers) else { return nil }
        }
        guard let question = try? plan.question() else { return nil }
        self.shape = shape.rawValue
        self.mutations = mutations
        self.question = question
    }

    private init(empty shape: ChainShape) {
        self.shape = shape.rawValue
        mutations = []
        question = TrustQuestion(chain: [], anchors: .none, name: nil, instant: ChainPlan.instant)
    }

    /// The chains with one mutation fewer, and those with the same mutations on a simpler shape.
    public var simpler: [ExploredChain] {
        guard let own = ChainShape(rawValue: shape) else { return [] }
        let fewer = mutations.indices.compactMap { place in
            var rest = mutations
            rest.remove(at: place)
            return ExploredChain(own, rest)
        }
        let plainer = ChainShape.allCases.prefix { $0 != own }.compactMap { ExploredChain($0, mutations) }
        return fewer + plainer
    }
}

/// One way to change a chain.
struct ChainRule: Sendable {
    let name: String
    /// Changes a chain; returns false where the rule does not apply.
    let apply: @Sendable (inout ChainPlan, inout SeededNumbers) -> Bool

    init(_ name: String, _ apply: @escaping @Sendable (inout ChainPlan, inout SeededNumbers) -> Bool) {
        self.name = name
        self.apply = apply
    }

    /// All rules, in an order that stays: a chain is the number of its rules.
    static let all: [ChainRule] = candidates.filter { rule in
        // An issuer has no names to change, and a root nobody above it.
        ChainShape.allCases.contains { shape in
            (UInt64(0)..<16).contains { seed in
                var (plan, numbers) = (shape.plan, SeededNumbers(seed: seed))
                return rule.apply(&plan, &numbers)
            }
        }
    }

    private static let candidates: [ChainRule] =
        ["leaf", "issuer", "root"].flatMap { role in
            certificateRules.map { rule in
                ChainRule("\(role)/\(rule.name)") { plan, numbers in
                    let place = role == "leaf" ? 0 : role == "root" ? plan.root : plan.issuer
                    guard let place else { return false }
                    return rule.apply(&plan, place, &numbers)
                }
            }
        } + presentations + questions

    static let names = all.map(\.name)
    static let named = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// The rules for a certificate, whatever its place in the path.
    static let certificateRules: [CertificateRule] =
        CertificateRule.extensionValues + CertificateRule.extensionForms + CertificateRule.names + CertificateRule.keys
        + CertificateRule.dates + CertificateRule.encodings + CertificateRule.signatures
}

/// One way to change a certificate of a chain.
struct CertificateRule: Sendable {
    let name: String
    let apply: @Sendable (inout ChainPlan, Int, inout SeededNumbers) -> Bool

    init(_ name: String, _ apply: @escaping @Sendable (inout ChainPlan, Int, inout SeededNumbers) -> Bool) {
        self.name = name
        self.apply = apply
    }

    /// A rule that always applies, and knows nothing but the certificate.
    static func always(_ name: String, _ change: @escaping @Sendable (inout CertificatePlan) -> Void) -> Self {
        Self(name) { plan, place, _ in
            change(&plan.path[place])
            return true
        }
    }
}
