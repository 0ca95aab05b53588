import ProbeKit
import ProbeLab
import Testing
import X509

@testable import ProbeTrust

/// The relation of certificates by names and signatures, and which of them lead to an anchor.
@Suite struct IssuerGraphTests {
    private static let root = LabCertificateRecipe.authority("Root", issuer: nil)
    private static let upper = LabCertificateRecipe.authority("Upper", issuer: .root)
    private static let lower = LabCertificateRecipe.authority("Lower", issuer: .root)
    private static let stranger = LabCertificateRecipe.authority("Stranger", issuer: nil)

    private func graph(_ intermediates: [ParsedCertificate]) throws -> IssuerGraph {
        let root = try TestChain.pki.issue(Self.root, by: Self.root)
        return IssuerGraph(
            anchors: ParsedAnchors(TrustAnchors(name: "test", certificates: [root])), intermediates: intermediates)
    }

    private func leading(
        from leaf: ParsedCertificate, among intermediates: [ParsedCertificate], units: Int = .max
    ) throws -> [String] {
        var graph = try graph(intermediates)
        var budget = SearchBudget(units: units)
        let found = graph.leadingToAnchors(from: leaf, &budget)
        return ([leaf] + intermediates).filter { found.contains(ObjectIdentifier($0)) }
            .map { "\($0.certificate.subject)" }
    }

    /// Two ways to the anchor, one that ends, and one that is not signed.
    @Test func whatSignaturesLeadToAnAnchor() throws {
        let leaf = try TestChain.parsed(.leaf("graph"), by: Self.lower)
        let lower = try TestChain.parsed(Self.lower, by: Self.upper)
        let direct = try TestChain.parsed(Self.lower, by: Self.root)
        let upper = try TestChain.parsed(Self.upper, by: Self.root)
        let ended = try TestChain.parsed(Self.lower, by: Self.stranger)
        let forged = try TestChain.parsed(
            LabCertificateRecipe.authority("Upper", issuer: .root) { $0.breaksSignature = true }, by: Self.root)
        #expect(try leading(from: leaf, among: [lower, upper]) == ["CN=good.test", "CN=Lower", "CN=Upper"])
        #expect(try leading(from: leaf, among: [direct]) == ["CN=good.test", "CN=Lower"])
        #expect(try leading(from: leaf, among: [direct, lower, upper, ended]).count == 4)
        #expect(try leading(from: leaf, among: [lower, forged]).isEmpty)
        #expect(try leading(from: leaf, among: [ended]).isEmpty)
        #expect(try leading(from: leaf, among: []).isEmpty)
        #expect(try leading(from: try TestChain.parsed(.leaf("graph"), by: Self.root), among: []) == ["CN=good.test"])
    }

    /// Two that certify each other do not keep the walk from its end.
    @Test func aCircleEnds() throws {
        let leaf = try TestChain.parsed(.leaf("graph"), by: Self.lower)
        let lower = try TestChain.parsed(Self.lower, by: Self.upper)
        let upper = try TestChain.parsed(Self.upper, by: Self.lower)
        #expect(try leading(from: leaf, among: [lower, upper]).isEmpty)
        let way = try TestChain.parsed(Self.upper, by: Self.root)
        #expect(try leading(from: leaf, among: [lower, upper, way]).count == 4)
    }

    /// Each candidate costs a unit, and each signature its own cost once.
    @Test func theWalkIsCharged() throws {
        let leaf = try TestChain.parsed(.leaf("graph"), by: Self.root)
        let cost = 1 + 100 + leaf.der.count / 300
        #expect(try leading(from: leaf, among: [], units: cost) == ["CN=good.test"])
        #expect(try leading(from: leaf, among: [], units: cost - 1).isEmpty)
        #expect(try leading(from: leaf, among: [], units: 0).isEmpty)
    }

    @Test func aSignatureIsCheckedOnce() throws {
        let leaf = try TestChain.parsed(.leaf("graph"), by: Self.root)
        let root = try TestChain.parsed(Self.root, by: Self.root)
        let stranger = try TestChain.parsed(Self.stranger, by: Self.stranger)
        var graph = try graph([])
        var budget = SearchBudget(units: 1000)
        let steps = [root, root, stranger, stranger].map { (graph.isSigned(leaf, by: $0, &budget), budget.remaining) }
        let cost = 100 + leaf.der.count / 300
        #expect(steps.map(\.0) == [true, true, false, false])
        #expect(steps.map(\.1) == [1000 - cost, 1000 - cost, 1000 - 2 * cost, 1000 - 2 * cost])
        var spent = SearchBudget(units: 0)
        let isSigned = graph.isSigned(root, by: root, &spent)
        #expect(!isSigned)
    }

    /// The cost by the kind of key, and by the bytes that are signed.
    @Test(
        arguments: [
            (LabKey.Kind.ed25519, 150), (.p256, 100), (.p384, 1000), (.rsa2048, 20 + 2048 * 2048 / 120_000),
            (.rsa4096, 20 + 4096 * 4096 / 120_000),
        ] as [(LabKey.Kind, Int)])
    func aSignatureCostsByItsKey(kind: LabKey.Kind, cost: Int) throws {
        let signer = try ParsedCertificate.parse(
            try TestChain.pki.issue(.leaf("form", issuer: nil) { $0.key = LabKeyID(kind, "leaf") })
        ).get()
        #expect(signer.verificationCost == cost)
        for (bytes, more) in [(0, 0), (299, 0), (300, 1), (3000, 10)] {
            var budget = SearchBudget(units: cost + more)
            let isSpent = budget.spend(verifying: bytes, by: signer)
            #expect(isSpent)
            #expect(budget.remaining == 0)
        }
    }

    /// A point on P-521 has 133 bytes; an unusual exponent makes an RSA key dearer, and a giant modulus is not used.
    @Test func unusualKeysCostMore() throws {
        func signer(_ spki: EditableDER) throws -> ParsedCertificate {
            var certificate = EditableDER(
                try TestChain.pki.issue(.leaf("form", issuer: nil) { $0.key = LabKeyID(.rsa2048, "leaf") }))
            certificate[0, 6] = spki
            return try ParsedCertificate.parse(certificate.encoded).get()
        }
        func rsa(modulusBytes: Int, exponent: [UInt8]) -> EditableDER {
            let modulus = EditableDER(2, bytes: [0] + [UInt8](repeating: 0xff, count: modulusBytes))
            let key = EditableDER.sequence(modulus, EditableDER(2, bytes: exponent))
            return .sequence(
                .sequence(.oid("1.2.840.113549.1.1.1"), .null), EditableDER(3, bytes: [0] + key.encoded))
        }
        let usual = try signer(rsa(modulusBytes: 256, exponent: [1, 0, 1]))
        #expect(usual.verificationCost == 54)
        #expect(usual.rsaBits == 2048)
        for exponent in [[3], [1, 0, 3], [1, 1, 1], [3, 0, 1], [0x11, 1, 0, 1]] as [[UInt8]] {
            let dear = try signer(rsa(modulusBytes: 256, exponent: exponent))
            #expect(dear.verificationCost == 20 + 2048 * 2048 / 45_000, "\(exponent)")
        }
        var budget = SearchBudget(units: .max)
        let largest = try signer(rsa(modulusBytes: 1024, exponent: [1, 0, 1]))
        #expect(largest.rsaBits == 8192)
        let isLargestUsed = budget.spend(verifying: 1, by: largest)
        #expect(isLargestUsed)
        // Nothing is computed with a larger one, which the library does not read either.
        #expect(throws: UnreadableCertificate.self) { try signer(rsa(modulusBytes: 1025, exponent: [1, 0, 1])) }
    }

    // MARK: Candidates

    /// Anchors first, and those before others whose key identifier is the one that the child names.
    @Test func candidatesAreInOrder() throws {
        let leaf = try TestChain.parsed(.leaf("graph"), by: Self.root)
        let own = try TestChain.parsed(Self.root, by: Self.root)
        let without = try TestChain.parsed(
            LabCertificateRecipe.authority("Root", issuer: nil) {
                $0.omittedExtensions = [LabExtension.subjectKeyIdentifier]
            }, by: Self.root)
        let other = try TestChain.parsed(
            LabCertificateRecipe.authority("Root", issuer: nil) { $0.key = LabKeyID(.p256, "Other") }, by: Self.root)
        var graph = try graph([other, without, own])
        let candidates = graph.candidates(for: leaf)
        #expect(candidates.map(\.isAnchor) == [true, false, false, false])
        #expect(
            candidates.dropFirst().map { ObjectIdentifier($0.certificate) }
                == [own, without, other].map(ObjectIdentifier.init))
    }

    // MARK: Entities

    /// RFC 4158 section 5.2: subject, key and alternative names make an entity.
    @Test func anEntityIsNameKeyAndAlternativeNames() throws {
        func issued(_ change: (inout LabCertificateRecipe) -> Void = { _ in }) throws -> ParsedCertificate {
            try ParsedCertificate.parse(try TestChain.pki.issue(.leaf("graph", change: change))).get()
        }
        let one = try issued()
        #expect(one.isSameEntity(as: try issued { $0.serial = [7] }))
        #expect(!one.isSameEntity(as: try issued { $0.commonName = "other.test" }))
        #expect(!one.isSameEntity(as: try issued { $0.dnsNames = ["good.test"] }))
        #expect(!one.isSameEntity(as: try issued { $0.key = LabKeyID(.p256, "another") }))
    }
}
