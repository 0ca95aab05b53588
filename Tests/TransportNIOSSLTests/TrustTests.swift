import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportNIOSSL

@Suite struct TrustTests {
    private let transport = NIOSSLTransport()

    private func problems(_ question: TrustQuestion) async -> Set<ExpectedProblem> {
        Set(await transport.evaluateTrust(question).problems.map { ExpectedProblem($0, trimming: "X509_V_ERR_") })
    }

    /// BoringSSL's refusals, with reason and position.
    static let refused: [(LabIdentityName, Set<ExpectedProblem>)] = [
        (.expired, [ExpectedProblem(.expired, "CERT_HAS_EXPIRED", 0)]),
        (.notYetValid, [ExpectedProblem(.notYetValid, "CERT_NOT_YET_VALID", 0)]),
        (.expiredIntermediate, [ExpectedProblem(.expired, "CERT_HAS_EXPIRED", 1)]),
        (.wrongName, [ExpectedProblem(.hostnameMismatch, "NIOSSLExtraError.failedToValidateHostname", 0)]),
        (.unknownIssuer, [ExpectedProblem(.unknownIssuer, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 1)]),
        (.unknownRootPresented, [ExpectedProblem(.unknownIssuer, "SELF_SIGNED_CERT_IN_CHAIN", 2)]),
        (
            .selfSigned,
            [
                ExpectedProblem(.selfSigned, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 0),
                ExpectedProblem(.selfSigned, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", 0),
            ]
        ),
        (
            .missingIntermediate,
            [
                ExpectedProblem(.unknownIssuer, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 0),
                ExpectedProblem(.unknownIssuer, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", 0),
            ]
        ),
        (.clientPurpose, [ExpectedProblem(.wrongPurpose, "INVALID_PURPOSE", 0)]),
        (.emptyPurpose, [ExpectedProblem(.wrongPurpose, "INVALID_PURPOSE", 0)]),
        (.anyPurpose, [ExpectedProblem(.wrongPurpose, "INVALID_PURPOSE", 0)]),
        (.clientIntermediate, [ExpectedProblem(.wrongPurpose, "INVALID_PURPOSE", 1)]),
        (.noServerUsage, [ExpectedProblem(.wrongPurpose, "INVALID_PURPOSE", 0)]),
        (.authorityAsLeaf, [ExpectedProblem(.wrongPurpose, "INVALID_PURPOSE", 0)]),
        (
            // A certificate that may not sign others is not even tried as an issuer.
            .issuerNotAuthority,
            [
                ExpectedProblem(.unknownIssuer, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 0),
                ExpectedProblem(.unknownIssuer, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", 0),
            ]
        ),
        (.pathLengthExceeded, [ExpectedProblem(.constraintViolated, "PATH_LENGTH_EXCEEDED", 2)]),
        (.excludedName, [ExpectedProblem(.constraintViolated, "EXCLUDED_VIOLATION", 0)]),
        (.notPermittedName, [ExpectedProblem(.constraintViolated, "PERMITTED_VIOLATION", 0)]),
        (.unknownCriticalExtension, [ExpectedProblem(.constraintViolated, "UNHANDLED_CRITICAL_EXTENSION", 0)]),
        (.badSignature, [ExpectedProblem(.badSignature, "CERT_SIGNATURE_FAILURE", 0)]),
    ]

    @Test(arguments: refused)
    func refuses(_ name: LabIdentityName, _ expected: Set<ExpectedProblem>) async throws {
        #expect(await problems(try Fixture.pki.question(name)) == expected)
    }

    @Test(arguments: [
        (LabIdentityName.good, 3), (.rsa2048, 3), (.rsa4096, 3), (.p384, 3), (.ed25519, 3), (.pssSignature, 3),
        (.compressedPoint, 3), (.beginsNow, 3), (.fourDeep, 5), (.shuffled, 5), (.extraCertificates, 3),
        (.rootIncluded, 3), (.crossSigned, 3), (.twinIssuers, 3), (.noPurpose, 3), (.permittedName, 3),
        (.selfIssued, 4),
    ])
    func accepts(_ name: LabIdentityName, pathLength: Int) async throws {
        let question = try Fixture.pki.question(name)
        let reading = await transport.evaluateTrust(question)
        #expect(reading.problems.isEmpty)
        #expect(reading.path?.count == pathLength)
        #expect(reading.path?.first == question.chain[0])
        #expect(reading.path?.last == question.anchors.certificates[0])
    }

    /// Chains that BoringSSL accepts and the reference rejects: a change here is a change in BoringSSL.
    @Test(arguments: [
        LabIdentityName.rsa1024, .weakIntermediate, .sha1Signature, .commonNameOnly, .enciphermentUsage,
        .signingAuthorityAsLeaf,
    ])
    func acceptsWhatTheReferenceRefuses(_ name: LabIdentityName) async throws {
        #expect(await transport.evaluateTrust(try Fixture.pki.question(name)).isAccepted)
    }

    /// No handshake with such a server succeeds on BoringSSL, whatever the path.
    @Test func aLeafWhoseKeyIsNotDecodedIsRefused() async throws {
        let problems = await transport.evaluateTrust(try Fixture.pki.question(.rsaWithoutNull)).problems
        #expect(problems.map(\.cause) == [.malformed] && problems.first?.depth == 0)
        #expect(problems.first?.message.hasPrefix("the key can't be decoded: ") == true, "\(problems)")
        let client = await transport.evaluateTrust(try Fixture.pki.question(.rsaWithoutNull, purpose: .any))
        #expect(client.isAccepted, "\(client.problems)")
    }

    /// Chains that BoringSSL rejects and the reference accepts.
    @Test(arguments: [
        (LabIdentityName.endsNow, ExpectedProblem(.expired, "CERT_HAS_EXPIRED", 0)),
        (.crossSignedFirst, ExpectedProblem(.unknownIssuer, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 1)),
        (.huge, ExpectedProblem(.unknownIssuer, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 101)),
    ])
    func refusesWhatTheReferenceAccepts(_ name: LabIdentityName, _ expected: ExpectedProblem) async throws {
        #expect(await problems(try Fixture.pki.question(name)) == [expected])
    }

    @Test func everyProblemIsCollected() async throws {
        let found = await problems(try Fixture.pki.question(.clientPurpose, name: "wrong.test", at: 10 * 365 * 86_400))
        #expect(
            found == [
                ExpectedProblem(.wrongPurpose, "INVALID_PURPOSE", 0),
                ExpectedProblem(.hostnameMismatch, "NIOSSLExtraError.failedToValidateHostname", 0),
                ExpectedProblem(.expired, "CERT_HAS_EXPIRED", 0), ExpectedProblem(.expired, "CERT_HAS_EXPIRED", 1),
                ExpectedProblem(.expired, "CERT_HAS_EXPIRED", 2),
            ])
        // With no anchor to begin with, only the leaf's times are out of reach.
        let untrusted = await problems(
            try Fixture.pki.question(.clientPurpose, name: "wrong.test", anchors: TrustAnchors.none, at: 61 * 86_400))
        #expect(
            untrusted == [
                ExpectedProblem(.unknownIssuer, "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 1),
                ExpectedProblem(.expired, "CERT_HAS_EXPIRED", 0), ExpectedProblem(.wrongPurpose, "INVALID_PURPOSE", 0),
                ExpectedProblem(.hostnameMismatch, "NIOSSLExtraError.failedToValidateHostname", 0),
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

    /// The rules of NIOSSL, which accepts a part of the label too; `NameRuleTests` compares them with its client.
    @Test func wildcardsStandForOneLabel() async throws {
        for (identity, name, isAccepted) in [
            (LabIdentityName.wildcard, "a.wild.test", true), (.wildcard, "a.b.wild.test", false),
            (.wildcard, "wild.test", false), (.partialWildcard, "www.wild.test", true),
        ] {
            let question = try Fixture.pki.question(identity, name: name)
            #expect(await transport.evaluateTrust(question).isAccepted == isAccepted, "\(name)")
        }
    }

    @Test func addressesAreMatchedAsAddresses() async throws {
        for good in ["127.0.0.1", "::1"] {
            #expect(await transport.evaluateTrust(try Fixture.pki.question(.address, name: good)).isAccepted)
        }
        for bad in ["127.0.0.2", "::2", "good.test"] {
            let found = await problems(try Fixture.pki.question(.address, name: bad))
            #expect(found == [ExpectedProblem(.hostnameMismatch, "NIOSSLExtraError.failedToValidateHostname", 0)])
        }
    }

    /// 60 days of validity: to BoringSSL the last second is already too late.
    @Test func timeIsTheQuestionsAndCountsWholeSeconds() async throws {
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, at: 60 * 86_400 - 1)).isAccepted)
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, at: 60 * 86_400)).cause == .expired)
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, at: -30 * 86_400)).isAccepted)
        #expect(
            await transport.evaluateTrust(try Fixture.pki.question(.good, at: -30 * 86_400 - 1)).cause == .notYetValid)
    }

    /// By default BoringSSL's paths end in a self-signed certificate, and so a pinned intermediate is not an anchor.
    @Test func anAnchorHasToBeSelfSigned() async throws {
        let intermediate = try Fixture.pki.anchors([.intermediate])
        #expect(
            await problems(try Fixture.pki.question(.good, anchors: intermediate)) == [
                ExpectedProblem(.unknownIssuer, "UNABLE_TO_GET_ISSUER_CERT", 1)
            ])
        let leaf = TrustAnchors(name: "leaf", certificates: [try Fixture.pki.identity(.good).leaf])
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, anchors: leaf)).cause == .unknownIssuer)
    }

    @Test func anAnchorThatIsNoCertificateIsSkipped() async throws {
        let root = try Fixture.pki.certificate(of: .root)
        let anchors = TrustAnchors(name: "some", certificates: [Array("garbage".utf8), root])
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.good, anchors: anchors)).isAccepted)
    }

    @Test func theDepthLimitCountsIntermediates() async throws {
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.fourDeep, maxDepth: 3)).isAccepted)
        // BoringSSL has no code for it: it just stops looking for issuers.
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.fourDeep, maxDepth: 2)).cause == .unknownIssuer)
    }

    @Test func noBitFlipCrashes() async throws {
        let good = try Fixture.pki.question(.good)
        let leaf = good.chain[0]
        for index in leaf.indices {
            var broken = leaf
            broken[index] ^= 0x01
            let question = TrustQuestion(
                chain: [broken] + good.chain.dropFirst(), anchors: good.anchors, name: good.name,
                instant: good.instant)
            #expect(await !transport.evaluateTrust(question).isAccepted, "accepted with byte \(index) changed")
        }
    }
}
