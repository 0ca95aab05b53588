import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportGnuTLS

@Suite struct TrustTests {
    private let transport = GnuTLSTransport()

    private func problems(_ question: TrustQuestion) async -> Set<ExpectedProblem> {
        Set(await transport.evaluateTrust(question).problems.map { ExpectedProblem($0, trimming: "GNUTLS_CERT_") })
    }

    /// GnuTLS's refusals, with reason and position.
    static let refused: [(LabIdentityName, Set<ExpectedProblem>)] = [
        (.expired, [ExpectedProblem(.expired, "EXPIRED", 0)]),
        (.notYetValid, [ExpectedProblem(.notYetValid, "NOT_ACTIVATED", 0)]),
        (.expiredIntermediate, [ExpectedProblem(.expired, "EXPIRED", 1)]),
        (.wrongName, [ExpectedProblem(.hostnameMismatch, "UNEXPECTED_OWNER", 0)]),
        (.unknownIssuer, [ExpectedProblem(.unknownIssuer, "SIGNER_NOT_FOUND", 1)]),
        (.unknownRootPresented, [ExpectedProblem(.selfSigned, "SIGNER_NOT_FOUND", 2)]),
        (.selfSigned, [ExpectedProblem(.selfSigned, "SIGNER_NOT_FOUND", 0)]),
        (.missingIntermediate, [ExpectedProblem(.unknownIssuer, "SIGNER_NOT_FOUND", 0)]),
        (.clientPurpose, [ExpectedProblem(.wrongPurpose, "PURPOSE_MISMATCH", 0)]),
        (.clientIntermediate, [ExpectedProblem(.wrongPurpose, "PURPOSE_MISMATCH", 1)]),
        (
            .issuerNotAuthority,
            [
                ExpectedProblem(.constraintViolated, "SIGNER_NOT_CA", 0),
                ExpectedProblem(.constraintViolated, "SIGNER_CONSTRAINTS_FAILURE", 0),
            ]
        ),
        (.excludedName, [ExpectedProblem(.constraintViolated, "SIGNER_CONSTRAINTS_FAILURE", 0)]),
        (.notPermittedName, [ExpectedProblem(.constraintViolated, "SIGNER_CONSTRAINTS_FAILURE", 0)]),
        (.unknownCriticalExtension, [ExpectedProblem(.constraintViolated, "UNKNOWN_CRIT_EXTENSIONS", 0)]),
        (.badSignature, [ExpectedProblem(.badSignature, "SIGNATURE_FAILURE", 0)]),
        (.sha1Signature, [ExpectedProblem(.weakSignature, "INSECURE_ALGORITHM", 0)]),
        (.rsa1024, [ExpectedProblem(.weakKey, "INSECURE_ALGORITHM", 0)]),
        (.weakIntermediate, [ExpectedProblem(.weakKey, "INSECURE_ALGORITHM", 1)]),
    ]

    @Test(arguments: refused)
    func refuses(_ name: LabIdentityName, _ expected: Set<ExpectedProblem>) async throws {
        #expect(await problems(try Fixture.pki.question(name)) == expected)
    }

    @Test(arguments: [
        (LabIdentityName.good, 3), (.rsa2048, 3), (.rsa4096, 3), (.p384, 3), (.ed25519, 3), (.pssSignature, 3),
        (.endsNow, 3), (.beginsNow, 3), (.fourDeep, 5), (.shuffled, 5), (.extraCertificates, 3), (.rootIncluded, 3),
        (.crossSigned, 3), (.twinIssuers, 3), (.noPurpose, 3), (.permittedName, 3), (.huge, 201),
    ])
    func accepts(_ name: LabIdentityName, pathLength: Int) async throws {
        let question = try Fixture.pki.question(name)
        let reading = await transport.evaluateTrust(question)
        #expect(reading.problems.isEmpty)
        #expect(reading.path?.count == pathLength)
        #expect(reading.path?.first == question.chain[0])
        #expect(reading.path?.last == question.anchors.certificates[0])
    }

    /// Chains that GnuTLS accepts and the reference rejects: a change here is a change in GnuTLS.
    @Test(arguments: [
        LabIdentityName.commonNameOnly, .emptyPurpose, .anyPurpose, .noServerUsage, .enciphermentUsage,
        .authorityAsLeaf, .signingAuthorityAsLeaf,
    ])
    func acceptsWhatTheReferenceRefuses(_ name: LabIdentityName) async throws {
        #expect(await transport.evaluateTrust(try Fixture.pki.question(name)).isAccepted)
    }

    /// GnuTLS takes the last of the valid anchors with one name, so that their order decides.
    @Test func theOrderOfAnchorsIsKept() async throws {
        let root = LabCertificateRecipe.authority("Ordered Root", issuer: nil)
        var other = root
        other.key = LabKeyID(.p256, "another ordered root")
        let leaf = try Fixture.pki.issue(
            .leaf("ordered", issuer: nil) { $0.omittedExtensions = [[2, 5, 29, 35]] }, by: root)
        let (signer, namesake) = (try Fixture.pki.issue(root, by: root), try Fixture.pki.issue(other, by: other))
        for (anchors, isAccepted) in [([signer, namesake], false), ([namesake, signer], true)] {
            let question = TrustQuestion(
                chain: [leaf], anchors: TrustAnchors(name: "test", certificates: anchors),
                name: try ServerName("good.test"), instant: Fixture.pki.epoch)
            #expect(await transport.evaluateTrust(question).isAccepted == isAccepted)
        }
    }

    @Test func everyProblemIsCollected() async throws {
        let found = await problems(try Fixture.pki.question(.rsa1024, name: "wrong.test", at: 10 * 365 * 86_400))
        #expect(
            found == [
                ExpectedProblem(.weakKey, "INSECURE_ALGORITHM", 0), ExpectedProblem(.expired, "EXPIRED", 0),
                ExpectedProblem(.expired, "EXPIRED", 1), ExpectedProblem(.expired, "EXPIRED", 2),
                ExpectedProblem(.hostnameMismatch, "UNEXPECTED_OWNER", 0),
            ])
        let untrusted = await problems(
            try Fixture.pki.question(.clientPurpose, name: "wrong.test", anchors: TrustAnchors.none, at: 61 * 86_400))
        #expect(
            untrusted == [
                ExpectedProblem(.unknownIssuer, "SIGNER_NOT_FOUND", 1), ExpectedProblem(.expired, "EXPIRED", 0),
                ExpectedProblem(.wrongPurpose, "PURPOSE_MISMATCH", 0),
                ExpectedProblem(.hostnameMismatch, "UNEXPECTED_OWNER", 0),
            ])
    }

    @Test func theMostSevereCauseComesFirst() async throws {
        let reading = await transport.evaluateTrust(
            try Fixture.pki.question(.expired, name: "wrong.test", anchors: TrustAnchors.none))
        #expect(reading.cause == .unknownIssuer)
        #expect(reading.problems.last?.cause == .hostnameMismatch)
    }

    @Test func purposeAndNameAreJudgedOnlyWhenAsked() async throws {
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.clientPurpose, purpose: .client)).isAccepted)
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.clientPurpose, purpose: .any)).isAccepted)
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.wrongName, name: nil)).isAccepted)
    }

    @Test func addressesAreMatchedAsAddresses() async throws {
        for good in ["127.0.0.1", "::1"] {
            #expect(await transport.evaluateTrust(try Fixture.pki.question(.address, name: good)).isAccepted)
        }
        for bad in ["127.0.0.2", "::2", "good.test"] {
            #expect(
                await problems(try Fixture.pki.question(.address, name: bad)) == [
                    ExpectedProblem(.hostnameMismatch, "UNEXPECTED_OWNER", 0)
                ])
        }
    }

    /// 60 days of validity: the last second is valid, the next one is not.
    @Test func timeIsTheQuestionsAndCountsWholeSeconds() async throws {
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, at: 60 * 86_400)).isAccepted)
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, at: 60 * 86_400 + 1)).cause == .expired)
        #expect(
            await transport.evaluateTrust(try Fixture.pki.question(.good, at: -30 * 86_400 - 1)).cause == .notYetValid)
    }

    @Test func anyCertificateCanBeAnAnchor() async throws {
        let intermediate = try Fixture.pki.anchors([.intermediate])
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, anchors: intermediate)).path?.count == 2)
        let leaf = TrustAnchors(name: "leaf", certificates: [try Fixture.pki.identity(.good).leaf])
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, anchors: leaf)).path?.count == 1)
        #expect(
            await problems(try Fixture.pki.question(.good, name: "wrong.test", anchors: leaf)) == [
                ExpectedProblem(.hostnameMismatch, "UNEXPECTED_OWNER", 0)
            ])
    }

    @Test func anAnchorGnuTLSCannotReadIsSkippedAndMentioned() async throws {
        let good = try Fixture.pki.certificate(of: .root)
        let some = TrustAnchors(name: "some", certificates: [Array("garbage".utf8), good])
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, anchors: some)).isAccepted)
        let none = TrustAnchors(name: "none of them", certificates: [Array("garbage".utf8)])
        let reading = await transport.evaluateTrust(try Fixture.pki.question(.good, anchors: none))
        #expect(reading.problems.first?.message.contains("1 of the anchors could not be read") == true)
    }

    @Test func theDepthLimitCountsIntermediates() async throws {
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.fourDeep, maxDepth: 3)).isAccepted)
        #expect(
            await transport.evaluateTrust(try Fixture.pki.question(.fourDeep, maxDepth: 2)).cause == .constraintViolated
        )
    }
}
