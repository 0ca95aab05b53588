import ProbeKit
import ProbeLab
import ProbePlatform
import Testing
import X509

@testable import ProbeTrust

/// The search for paths, asked without a verifier around it: its limits, its choice of what to report, and the reasons
/// for finding none.
@Suite struct PathSearchTests {
    private static let pki = TestChain.pki
    private static let day = 86_400

    private static func leaf(
        by issuer: LabCertificateRecipe, _ change: (inout LabCertificateRecipe) -> Void = { _ in }
    ) throws -> ParsedCertificate {
        try TestChain.parsed(.leaf("search", issuer: nil, change: change), by: issuer)
    }

    private static func search(
        _ leaf: ParsedCertificate, _ sent: [ParsedCertificate], anchors: [ParsedCertificate],
        units: Int = SearchBudget.perChain, policies: TrustQuestion.PolicyInputs = TrustQuestion.PolicyInputs()
    ) throws -> PathSearch {
        let given = TrustAnchors(name: "test", certificates: anchors.map(\.der))
        let question = TrustQuestion(
            chain: [leaf.der], anchors: given, name: try ServerName("good.test"), instant: pki.epoch,
            policies: policies)
        return PathSearch(
            rules: PathRules(
                question: question, revocationLists: ParsedRevocationLists([]), isPublicSuffix: nil,
                habits: VerifierHabits()),
            leaf: leaf, intermediates: sent, anchors: ParsedAnchors(given), budget: SearchBudget(units: units))
    }

    private static func reading(
        _ leaf: ParsedCertificate, _ sent: [ParsedCertificate] = [], anchors: [ParsedCertificate] = [],
        unreadable: [UnreadableCertificate] = [], units: Int = SearchBudget.perChain
    ) throws -> TrustReading {
        var search = try search(leaf, sent, anchors: anchors, units: units)
        return search.run(unreadable: unreadable)
    }

    // MARK: Length

    /// As many as OpenSSL and BoringSSL follow, the leaf and the anchor included.
    @Test func aPathHasAtMost100Certificates() throws {
        let recipes = (0...100).map { TestChain.authority("Long \($0)") }
        let chain = try (0..<100).map { try TestChain.parsed(recipes[$0], by: recipes[$0 + 1]) }
        let leaf = try Self.leaf(by: recipes[0])
        for (count, cause) in [(99, nil), (100, nil), (101, .tooComplex)] as [(Int, TrustCause?)] {
            let above = Array(chain.prefix(count - 1))
            let reading = try Self.reading(leaf, above.dropLast(), anchors: above.suffix(1))
            #expect(reading.cause == cause, "\(count): \(reading.problems.map(\.message))")
            #expect(reading.path?.count == (cause == nil ? count : nil))
        }
    }

    // MARK: Refused leaves

    /// Anchors of one name and key, with one more problem each where they are over.
    private func anchors(_ count: Int, validAt place: Int?) throws -> (
        recipe: LabCertificateRecipe, [ParsedCertificate]
    ) {
        let recipe = TestChain.authority("Many Roots")
        return (
            recipe,
            try (0..<count).map { index in
                try TestChain.parsed(
                    recipe.changed { if index != place { $0.validity = -9 * Self.day ... -Self.day } }, by: recipe)
            }
        )
    }

    /// A leaf that is refused on every path is refused for the best of sixteen; any other is looked at on all of them.
    @Test func sixteenPathsOfARefusedLeafAreJudged() throws {
        for (place, causes) in [(0, 1), (14, 1), (15, 1), (16, 2), (19, 2)] {
            let (recipe, anchors) = try anchors(20, validAt: place)
            let late = try Self.leaf(by: recipe) { $0.validity = -9 * Self.day ... -Self.day }
            let refused = try Self.reading(late, anchors: anchors)
            #expect(refused.problems.count == causes, "\(place): \(refused.problems.map(\.message))")
            #expect(try Self.reading(Self.leaf(by: recipe), anchors: anchors).isAccepted)
        }
    }

    /// Of paths with as many problems the first one counts.
    @Test func theFirstOfEqualPathsIsReported() throws {
        let recipe = TestChain.authority("Equal Roots")
        let over = try TestChain.parsed(recipe.changed { $0.validity = -9 * Self.day ... -Self.day }, by: recipe)
        let early = try TestChain.parsed(recipe.changed { $0.validity = Self.day...9 * Self.day }, by: recipe)
        let leaf = try Self.leaf(by: recipe)
        #expect(try Self.reading(leaf, anchors: [over, early]).cause == .expired)
        #expect(try Self.reading(leaf, anchors: [early, over]).cause == .notYetValid)
        let late = try Self.leaf(by: recipe) { $0.validity = -9 * Self.day ... -Self.day }
        #expect(try Self.reading(late, anchors: [over, early]).problems.map(\.cause) == [.expired, .expired])
    }

    // MARK: Meshes

    /// Authorities that certified each other: no two of them in the same order make the same path.
    private func mesh(_ count: Int) throws -> (first: LabCertificateRecipe, certificates: [ParsedCertificate]) {
        let recipes = (0..<count).map { TestChain.authority("Mesh \($0)") }
        var certificates: [ParsedCertificate] = []
        for issuer in recipes {
            for subject in recipes where subject != issuer {
                certificates.append(try TestChain.parsed(subject, by: issuer))
            }
        }
        return (recipes[0], certificates)
    }

    /// Thousands of paths that lead nowhere are given up before they are all gone.
    @Test func aMeshWithoutAnAnchorIsSeenThrough() throws {
        let (first, mesh) = try mesh(6)
        let leaf = try Self.leaf(by: first)
        let root = try TestChain.parsed(TestChain.authority("Elsewhere"), by: TestChain.authority("Elsewhere"))
        let found = try Self.reading(leaf, mesh, anchors: [root], units: 8000)
        #expect(found.cause == .unknownIssuer, "\(found.problems.map(\.message))")
    }

    /// The one way out is the last that is tried, behind hundreds that lead back.
    @Test func theWayOutOfAMeshIsFound() throws {
        let (first, mesh) = try mesh(6)
        let root = TestChain.authority("Way Out")
        let exit = try TestChain.parsed(first, by: root)
        let anchor = try TestChain.parsed(root, by: root)
        let leaf = try Self.leaf(by: first)
        let found = try Self.reading(leaf, mesh + [exit], anchors: [anchor])
        #expect(found.path == [leaf, exit, anchor].map(\.der), "\(found.problems.map(\.message))")
    }

    /// A search that was given up says so, unless the leaf is refused on every path.
    @Test func aSearchThatIsGivenUpSaysSo() throws {
        let (first, mesh) = try mesh(6)
        let root = TestChain.authority("Late Root") { $0.validity = -9 * Self.day ... -Self.day }
        let anchor = try TestChain.parsed(first.changed { $0.validity = root.validity }, by: first)
        let leaf = try Self.leaf(by: first)
        let givenUp = try Self.reading(leaf, mesh, anchors: [anchor], units: 1500)
        #expect(givenUp.problems.map(\.cause) == [.tooComplex])
        #expect(givenUp.problems.first?.message.contains("given up") == true, "\(givenUp.problems.map(\.message))")
        let late = try Self.leaf(by: first) { $0.validity = root.validity }
        let refused = try Self.reading(late, mesh, anchors: [anchor], units: 1500)
        #expect(refused.problems.map(\.cause) == [.expired, .expired], "\(refused.problems.map(\.message))")
        // With enough left the path that was found is what is reported.
        #expect(try Self.reading(leaf, [], anchors: [anchor], units: 1500).cause == .expired)
    }

    // MARK: Further paths

    @Test func aLeafThatIsAnAnchorIsFoundOnce() throws {
        let own = LabCertificateRecipe.leaf("own", issuer: nil)
        let leaf = try TestChain.parsed(own, by: own)
        var search = try Self.search(leaf, [], anchors: [leaf])
        #expect(search.run(unreadable: []).path == [leaf.der])
        #expect(search.furtherPaths(atMost: 8) == .none)
    }

    // MARK: Reasons

    @Test func aLeafThatSignedItselfIsNamed() throws {
        let own = LabCertificateRecipe.leaf("own", issuer: nil)
        let found = try Self.reading(TestChain.parsed(own, by: own))
        #expect(found.cause == .selfSigned && found.problems.first?.depth == 0)
        // The name alone, or the key alone, is no signature of its own.
        let named = try Self.reading(TestChain.parsed(own, by: own.changed { $0.key = LabKeyID(.p256, "other") }))
        #expect(named.cause == .unknownIssuer)
        #expect(named.problems.first?.message.contains("no certificate of the issuer") == true)
        let keyed = try Self.reading(TestChain.parsed(own, by: own.changed { $0.commonName = "Other" }))
        #expect(keyed.cause == .unknownIssuer && keyed.problems.first?.depth == 0)
        #expect(keyed.problems.first?.message.contains("no certificate of the issuer 'CN=Other'") == true)
    }

    @Test func aChainThatEndsElsewhereIsNamed() throws {
        let root = TestChain.authority("Far Root")
        let middle = TestChain.authority("Far Middle")
        let found = try Self.reading(
            Self.leaf(by: middle), [TestChain.parsed(middle, by: root), TestChain.parsed(root, by: root)])
        #expect(found.cause == .unknownIssuer && found.problems.first?.depth == 2)
        #expect(found.problems.first?.message.contains("the chain ends in 'CN=Far Root'") == true)
        let circle = try Self.reading(
            Self.leaf(by: middle), [TestChain.parsed(middle, by: root), TestChain.parsed(root, by: middle)])
        #expect(circle.cause == .unknownIssuer && circle.problems.first?.depth == 2)
        #expect(circle.problems.first?.message.contains("in a circle") == true)
    }

    /// A signature is what is wrong, and not the size of the key.
    @Test func anIssuerMayHaveAKeyOf8192Bits() throws {
        let issuer = TestChain.authority("Giant Issuer") { $0.key = LabKeyID(.rsa2048, "authority") }
        let giant = try TestChain.replacingKey(of: Self.pki.issue(issuer), with: LargeModulus.key(bits: 8192).encoded)
        let found = try Self.reading(Self.leaf(by: issuer), [ParsedCertificate.parse(giant).get()])
        #expect(found.cause == .badSignature, "\(found.problems.map(\.message))")
    }

    /// A namesake with another key is not the issuer; a wrong signature is reported where nothing says that it is one.
    @Test func aWrongSignatureIsDistinguishedFromANamesake() throws {
        let issuer = TestChain.authority("Namesake")
        let other = issuer.changed { $0.key = LabKeyID(.p256, "another namesake") }
        let unmarked = other.changed { $0.omittedExtensions = [LabExtension.subjectKeyIdentifier] }
        let rows: [(String, LabCertificateRecipe, LabCertificateRecipe, TrustCause)] = [
            ("the issuer's own mark, and another signature", issuer, issuer, .badSignature),
            ("another mark", other, issuer, .unknownIssuer), ("no mark", unmarked, issuer, .badSignature),
        ]
        for (reason, sent, signer, cause) in rows {
            let leaf = try Self.leaf(by: signer) { $0.breaksSignature = true }
            let found = try Self.reading(leaf, [TestChain.parsed(sent, by: sent)])
            #expect(found.cause == cause, "\(reason): \(found.problems.map(\.message))")
            #expect(found.problems.first?.depth == 0)
        }
        // A certificate that was sent twice did not issue itself.
        let own = LabCertificateRecipe.leaf("own", issuer: nil) {
            $0.breaksSignature = true
            $0.omittedExtensions = [LabExtension.subjectKeyIdentifier, [2, 5, 29, 35]]
        }
        let leaf = try TestChain.parsed(own, by: own)
        #expect(try Self.reading(leaf, [leaf]).cause == .unknownIssuer)
        #expect(try Self.reading(leaf, [TestChain.parsed(own, by: own)]).cause == .badSignature)
    }

    @Test func anUnreadableIssuerIsNamed() throws {
        let issuer = TestChain.authority("Unreadable Issuer")
        let subject = try TestChain.parsed(issuer, by: issuer).certificate.subject
        let other = try Self.leaf(by: issuer).certificate.subject
        let weak = UnreadableCertificate(cause: .weakKey, message: "weak", subject: subject)
        let strange = UnreadableCertificate(cause: .weakSignature, message: "strange", subject: other)
        let broken = UnreadableCertificate(cause: .malformed, message: "broken")
        let leaf = try Self.leaf(by: issuer)
        let found = try Self.reading(leaf, unreadable: [strange, weak])
        let first = try #require(found.problems.first { $0.message.contains("of the issuer") })
        #expect(first.cause == .weakKey && first.depth == 1)
        #expect(first.message == "of the issuer 'CN=Unreadable Issuer': weak")
        // A broken one that nobody asked for is left out.
        let without = try Self.reading(leaf, unreadable: [strange, broken])
        #expect(without.problems.map(\.cause).sorted() == [TrustCause.unknownIssuer, .weakSignature].sorted())
        #expect(without.problems.contains { $0.message == "of an intermediate: strange" })
        #expect(!without.problems.contains { $0.message.contains("broken") })
    }

    // MARK: Costs

    /// Beside its signatures and the rules a certificate costs a unit when it is met and one when it is looked at, and an
    /// eighth of its place in the path more each time.
    @Test(arguments: [(2, 3), (3, 5), (8, 16), (9, 20), (17, 55)])
    func everyStepIsPaidFor(count: Int, units: Int) throws {
        let recipes = (0..<count).map { TestChain.authority("Paid \($0)") }
        let above = try (0..<count - 1).map { index in
            try TestChain.parsed(recipes[index], by: recipes[index == count - 2 ? index : index + 1])
        }
        let leaf = try Self.leaf(by: recipes[0])
        let path = [leaf] + above
        let signatures = zip(path, above).reduce(0) { $0 + $1.1.verificationCost + $1.0.der.count / 300 }
        var rules = SearchBudget()
        let judged = PathRules(
            question: TrustQuestion(chain: [], anchors: .none, name: nil, instant: Self.pki.epoch),
            revocationLists: ParsedRevocationLists([]), isPublicSuffix: nil, habits: VerifierHabits()
        ).problems(ofPath: path, &rules)
        try #require(judged.isEmpty)
        let cost = signatures + SearchBudget.perChain - rules.remaining + units
        for (budget, cause) in [(cost, nil), (cost - 1, .tooComplex)] as [(Int, TrustCause?)] {
            #expect(try Self.reading(leaf, above.dropLast(), anchors: above.suffix(1), units: budget).cause == cause)
        }
    }
}
