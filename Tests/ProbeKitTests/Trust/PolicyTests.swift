import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import Testing

@testable import ProbeTrust

/// Certificate policies as RFC 5280 section 6.1 has them, as verdicts of the reference verifier.
@Suite struct PolicyTests {
    private static let (one, two, three, any) = ("2.999.1", "2.999.2", "2.999.3", "2.5.29.32.0")

    private static let root = LabCertificateRecipe.root
    private static func middle(_ extensions: [LabExtension]) -> LabCertificateRecipe {
        .middle.changed { $0.extensions = extensions }
    }
    private static func leaf(_ policies: String...) -> LabCertificateRecipe {
        .leaf("test").changed { $0.extensions = policies.isEmpty ? [] : [.policies(policies)] }
    }

    private static func top(_ extensions: LabExtension...) -> LabCertificateRecipe {
        .authority("Test Top", issuer: nil) { $0.extensions = extensions }
    }
    /// An authority of the same name, with another key.
    private static func again(_ extensions: LabExtension...) -> LabCertificateRecipe {
        top().changed {
            $0.key = LabKeyID(.p256, "again")
            $0.extensions = extensions
        }
    }

    private func reading(
        _ leaf: LabCertificateRecipe, below authorities: [LabCertificateRecipe],
        inputs: TrustQuestion.PolicyInputs = TrustQuestion.PolicyInputs()
    ) async throws -> TrustReading {
        try await TestChain.reading(leaf: leaf, below: authorities, policies: inputs)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let leaf: LabCertificateRecipe
        let authorities: [LabCertificateRecipe]
        let inputs: TrustQuestion.PolicyInputs
        let isAccepted: Bool

        init(
            _ description: String, _ isAccepted: Bool, leaf: LabCertificateRecipe,
            below authorities: [LabCertificateRecipe],
            inputs: TrustQuestion.PolicyInputs = TrustQuestion.PolicyInputs()
        ) {
            testDescription = description
            self.leaf = leaf
            self.authorities = authorities + [root]
            self.inputs = inputs
            self.isAccepted = isAccepted
        }
    }

    private static func acceptable(_ policies: String...) -> TrustQuestion.PolicyInputs {
        TrustQuestion.PolicyInputs(
            acceptable: Set(policies.compactMap { PolicyIdentifier($0) }), requiresExplicitPolicy: true)
    }
    private static let explicit = TrustQuestion.PolicyInputs(requiresExplicitPolicy: true)
    private static let require = LabExtension.policyConstraints(require: 0)

    static let cases: [Case] = [
        Case("no policy is required", true, leaf: leaf(), below: [middle([])]),
        Case(
            "a required one is missing in the leaf", false, leaf: leaf(), below: [middle([.policies([one]), require])]),
        Case("and in the issuer", false, leaf: leaf(one), below: [middle([require])]),
        Case("both have it", true, leaf: leaf(one), below: [middle([.policies([one]), require])]),
        Case("they have different ones", false, leaf: leaf(two), below: [middle([.policies([one]), require])]),
        Case("the issuer has any", true, leaf: leaf(two), below: [middle([.policies([any]), require])]),
        Case("the leaf has any", true, leaf: leaf(any), below: [middle([.policies([one]), require])]),
        Case(
            "any is inhibited from the leaf on", false, leaf: leaf(any),
            below: [middle([.policies([one]), require, .inhibitAny(0)])]),
        Case(
            "any is inhibited one later", true, leaf: leaf(any),
            below: [middle([.policies([one]), require, .inhibitAny(1)])]),
        Case(
            "a policy is required two later", true, leaf: leaf(),
            below: [middle([.policyConstraints(require: 2)])]),
        Case("one later, which is the leaf", false, leaf: leaf(), below: [middle([.policyConstraints(require: 1)])]),
        Case(
            "the leaf requires one itself", false,
            leaf: leaf().changed { $0.extensions = [require] }, below: [middle([])]),
        Case(
            "the question requires one", false, leaf: leaf(), below: [middle([])], inputs: explicit),
        Case("and it is there", true, leaf: leaf(one), below: [middle([.policies([one])])], inputs: explicit),
        Case(
            "the question names another", false, leaf: leaf(one), below: [middle([.policies([one])])],
            inputs: acceptable(two)),
        Case(
            "one of several is enough", true, leaf: leaf(one, two), below: [middle([.policies([one, two])])],
            inputs: acceptable(two, three)),
        Case(
            "any all the way stands for it", true, leaf: leaf(any), below: [middle([.policies([any])])],
            inputs: acceptable(two)),
        Case(
            "any is inhibited by the question", false, leaf: leaf(any), below: [middle([.policies([any])])],
            inputs: TrustQuestion.PolicyInputs(requiresExplicitPolicy: true, inhibitsAnyPolicy: true)),
        Case(
            "a mapped policy goes on under its new name", true, leaf: leaf(two),
            below: [middle([.policies([one]), .mappings([(one, two)]), require])]),
        Case(
            "and not under its old one", false, leaf: leaf(one),
            below: [middle([.policies([one]), .mappings([(one, two)]), require])]),
        Case(
            "the question means the name before the mapping", true, leaf: leaf(two),
            below: [middle([.policies([one]), .mappings([(one, two)])])], inputs: acceptable(one)),
        Case(
            "and not the one after it", false, leaf: leaf(two),
            below: [middle([.policies([one]), .mappings([(one, two)])])], inputs: acceptable(two)),
        Case(
            "a mapping from any", true, leaf: leaf(two),
            below: [middle([.policies([any]), .mappings([(one, two)])])], inputs: acceptable(one)),
        Case(
            "mapping is inhibited by the question", false, leaf: leaf(two),
            below: [middle([.policies([one]), .mappings([(one, two)])])],
            inputs: TrustQuestion.PolicyInputs(requiresExplicitPolicy: true, inhibitsMapping: true)),
        Case(
            "mapping is inhibited by the authority above", false, leaf: leaf(two),
            below: [
                middle([.policies([one]), .mappings([(one, two)]), require]),
                .authority("Test Top", issuer: nil).with(.policies([one]), .policyConstraints(inhibitMapping: 0)),
            ]),
        Case(
            "an anyPolicy is never mapped", false, leaf: leaf(two),
            below: [middle([.policies([any]), .mappings([(any, two)])])]),
        Case(
            "an authority of the same name does not count", true, leaf: leaf(),
            below: [
                .authority("Test Top", issuer: nil) { $0.key = LabKeyID(.p256, "again") },
                .authority("Test Top", issuer: nil).with(.policyConstraints(require: 2)),
            ]),
        Case(
            "the question names any", true, leaf: leaf(one), below: [middle([.policies([one])])],
            inputs: acceptable(any)),
        Case(
            "a policy that is mapped to anyPolicy, though none is required", false, leaf: leaf(),
            below: [middle([.policies([one]), .mappings([(one, any)])])]),
        Case(
            "a policy that is mapped from anyPolicy, though none is required", false, leaf: leaf(),
            below: [middle([.policies([any]), .mappings([(any, one)])])]),
        Case(
            "who is below requires one later than who is above", false, leaf: leaf(),
            below: [
                middle([.policies([one]), .policyConstraints(require: 5)]),
                top(.policyConstraints(require: 0), .policies([one])),
            ]),
        Case(
            "who is below inhibits mapping later than who is above", false, leaf: leaf(two),
            below: [
                middle([.policies([one]), .mappings([(one, two)])]),
                again(.policies([one]), .policyConstraints(inhibitMapping: 5)),
                top(.policies([one]), .policyConstraints(inhibitMapping: 0)),
            ], inputs: explicit),
        Case(
            "who is below inhibits any later than who is above", false, leaf: leaf(any),
            below: [
                middle([.policies([one]), .inhibitAny(5)]), top(.policies([one]), .inhibitAny(0)),
            ], inputs: explicit),
        Case(
            "any of an authority with its issuer's name counts", true, leaf: leaf(one),
            below: [again(.policies([any])), top(.policies([one]), .inhibitAny(0))], inputs: explicit),
        Case(
            "any of an authority with another name does not", false, leaf: leaf(one),
            below: [middle([.policies([any])]), top(.policies([one]), .inhibitAny(0))], inputs: explicit),
        Case(
            "any of a leaf with its issuer's name does not", false,
            leaf: leaf(any).changed { $0.commonName = "Test Top" },
            below: [top(.policies([one]), .inhibitAny(0))], inputs: explicit),
        Case(
            "policies without an integer's size", true,
            leaf: leaf("2.25.329800735698586629295641978511506172918"),
            below: [middle([.policies(["2.25.329800735698586629295641978511506172918"]), require])]),
    ]

    @Test(arguments: cases) func policiesAreProcessed(_ example: Case) async throws {
        let reading = try await reading(example.leaf, below: example.authorities, inputs: example.inputs)
        #expect(reading.cause == (example.isAccepted ? nil : .constraintViolated), "\(reading.problems)")
    }

    /// The certificate that required a policy first is named, at the place where none is left.
    @Test func whoRequiresAPolicyIsNamed() async throws {
        for (leaf, authorities, message, depth) in [
            (
                Self.leaf(), [Self.middle([.policyConstraints(require: 0)]), Self.top(.policyConstraints(require: 1))],
                "'CN=Test Top' requires", 0
            ),
            (
                Self.leaf(), [Self.middle([Self.require]), Self.top(.policyConstraints(require: 3))],
                "'CN=Test Intermediate' requires", 0
            ),
            (
                Self.leaf(), [Self.middle([]), Self.top(.policyConstraints(require: 0))], "'CN=Test Top' requires", 1
            ),
            (
                Self.leaf().changed { $0.extensions = [Self.require] }, [Self.middle([])], "'CN=good.test' requires",
                0
            ),
        ] {
            let problem = try #require(try await reading(leaf, below: authorities + [Self.root]).problems.first)
            #expect(problem.message.hasPrefix(message), "\(problem.message)")
            #expect(problem.depth == depth)
        }
        let asked = try await reading(Self.leaf(), below: [Self.middle([]), Self.root], inputs: Self.explicit)
        #expect(asked.problems.first?.message.hasPrefix("the question requires") == true)
        #expect(asked.problems.first?.depth == 1)
    }

    /// Policies cost a unit each, and one for each that is valid above.
    @Test func policiesArePaidFor() throws {
        let many = Self.leaf(Self.one, Self.two)
        let middle = Self.middle([.policies([Self.one]), .mappings([(Self.one, Self.two)])])
        let recipes = [many, middle, Self.root]
        let path = try recipes.indices.map { index in
            try ParsedCertificate.parse(TestChain.pki.issue(recipes[index], by: recipes[min(index + 1, 2)])).get()
        }
        // Two of the intermediate's below anyPolicy, two of the leaf's below one that is mapped to one.
        for (units, depth) in [(7, nil), (6, 0), (3, 0), (2, 1)] as [(Int, Int?)] {
            var budget = SearchBudget(units: units)
            let found = PolicyRules.problems(ofPath: path, inputs: .init(), &budget)
            #expect(found.map(\.cause) == (depth == nil ? [] : [.tooComplex]))
            #expect(found.first?.depth == depth)
        }
    }

    /// An anchor is a name and a key: its own policies restrict nothing, and need not be readable.
    @Test func anAnchorHasNoPolicies() async throws {
        let broken = LabExtension(oid: [2, 5, 29, 36], isCritical: true, value: [0x30, 0x00])
        for ext in [Self.require, broken] {
            #expect(try await reading(Self.leaf(), below: [Self.middle([]), .root.with(ext)]).isAccepted)
        }
    }

    /// Unreadable values are not overlooked: empty extensions, negative numbers, a policy listed twice.
    @Test(
        arguments: [
            LabExtension(oid: [2, 5, 29, 36], isCritical: true, value: [0x30, 0x00]),
            LabExtension(oid: [2, 5, 29, 36], isCritical: true, value: [0x30, 0x03, 0x80, 0x01, 0xff]),
            LabExtension(oid: [2, 5, 29, 36], isCritical: true, value: [0x30, 0x03, 0x82, 0x01, 0x00]),
            LabExtension(oid: [2, 5, 29, 32], isCritical: false, value: [0x30, 0x00]),
            LabExtension(oid: [2, 5, 29, 33], isCritical: true, value: [0x30, 0x00]),
            LabExtension(oid: [2, 5, 29, 54], isCritical: true, value: [0x02, 0x01, 0x80]),
            .policies([one, one]),
        ])
    func malformedPoliciesAreRefused(_ ext: LabExtension) async throws {
        let reading = try await reading(Self.leaf(), below: [Self.middle([ext]), Self.root])
        #expect(reading.cause == .malformed, "\(reading.problems)")
    }

    /// A tree of every way through these mappings would have 2 to the 30th leaves.
    @Test func mappingsAreBounded() async throws {
        let crossing: [LabExtension] = [
            .policies([Self.one, Self.two]),
            .mappings([(Self.one, Self.one), (Self.one, Self.two), (Self.two, Self.one), (Self.two, Self.two)]),
        ]
        let authorities = (0..<30).map { number in
            LabCertificateRecipe.authority("Crossing \(number)", issuer: nil).changed { $0.extensions = crossing }
        }
        let time = try await Stopwatch.processorTimeOfTask {
            let reading = try await reading(Self.leaf(Self.one), below: authorities + [.root], inputs: Self.explicit)
            #expect(reading.isAccepted, "\(reading.problems)")
        }
        #expect(time < .seconds(20), "making the chain takes most of it")
        // Thousands of policies that grow with every level are paid for, and refused.
        let many = (0..<2000).map { "2.999.\($0 + 10)" }
        let wide = (0..<30).map { number in
            LabCertificateRecipe.authority("Wide \(number)", issuer: nil).changed {
                $0.extensions = [.policies(many + [Self.any]), .mappings(many.map { ($0, $0 + ".\(number)") })]
            }
        }
        let refused = try await self.reading(Self.leaf(Self.any), below: wide + [.root], inputs: Self.explicit)
        #expect(refused.cause == .tooComplex, "\(refused.problems)")
    }
}
