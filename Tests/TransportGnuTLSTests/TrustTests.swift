import Foundation
import ProbeKit
import ProbeLab
import Testing
import TransportGnuTLS

/// A problem as the tests write it: cause, native code, depth.
struct Expected: Hashable, Sendable, CustomTestStringConvertible {
    let cause: TrustCause
    let code: String
    let depth: Int?

    init(_ cause: TrustCause, _ code: String, _ depth: Int?) {
        self.cause = cause
        self.code = code
        self.depth = depth
    }

    init(_ problem: TrustReading.Problem) {
        self.init(
            problem.cause, String((problem.nativeCode ?? "").trimmingPrefix("GNUTLS_CERT_")), problem.depth)
    }

    var testDescription: String { "\(cause) \(code) \(depth.map(String.init) ?? "-")" }
}

@Suite struct TrustTests {
    private let transport = GnuTLSTransport()

    private func problems(_ question: TrustQuestion) async -> Set<Expected> {
        Set(await transport.evaluateTrust(question).problems.map(Expected.init))
    }

    /// GnuTLS's refusals, with reason and position.
    static let refused: [(LabIdentityName, Set<Expected>)] = [
        (.expired, [Expected(.expired, "EXPIRED", 0)]),
        (.notYetValid, [Expected(.notYetValid, "NOT_ACTIVATED", 0)]),
        (.expiredIntermediate, [Expected(.expired, "EXPIRED", 1)]),
        (.wrongName, [Expected(.hostnameMismatch, "UNEXPECTED_OWNER", 0)]),
        (.unknownIssuer, [Expected(.unknownIssuer, "SIGNER_NOT_FOUND", 1)]),
        (.unknownRootPresented, [Expected(.selfSigned, "SIGNER_NOT_FOUND", 2)]),
        (.selfSigned, [Expected(.selfSigned, "SIGNER_NOT_FOUND", 0)]),
        (.missingIntermediate, [Expected(.unknownIssuer, "SIGNER_NOT_FOUND", 0)]),
        (.clientPurpose, [Expected(.wrongPurpose, "PURPOSE_MISMATCH", 0)]),
        (.clientIntermediate, [Expected(.wrongPurpose, "PURPOSE_MISMATCH", 1)]),
        (
            .issuerNotAuthority,
            [
                Expected(.constraintViolated, "SIGNER_NOT_CA", 0),
                Expected(.constraintViolated, "SIGNER_CONSTRAINTS_FAILURE", 0),
            ]
        ),
        (.excludedName, [Expected(.constraintViolated, "SIGNER_CONSTRAINTS_FAILURE", 0)]),
        (.notPermittedName, [Expected(.constraintViolated, "SIGNER_CONSTRAINTS_FAILURE", 0)]),
        (.unknownCriticalExtension, [Expected(.constraintViolated, "UNKNOWN_CRIT_EXTENSIONS", 0)]),
        (.badSignature, [Expected(.badSignature, "SIGNATURE_FAILURE", 0)]),
        (.sha1Signature, [Expected(.weakSignature, "INSECURE_ALGORITHM", 0)]),
        (.rsa1024, [Expected(.weakKey, "INSECURE_ALGORITHM", 0)]),
        (.weakIntermediate, [Expected(.weakKey, "INSECURE_ALGORITHM", 1)]),
    ]

    @Test(arguments: refused)
    func refuses(_ name: LabIdentityName, _ expected: Set<Expected>) async throws {
        #expect(await problems(try Fixture.question(name)) == expected)
    }

    @Test(arguments: [
        (LabIdentityName.good, 3), (.rsa2048, 3), (.rsa4096, 3), (.p384, 3), (.ed25519, 3), (.pssSignature, 3),
        (.endsNow, 3), (.beginsNow, 3), (.fourDeep, 5), (.shuffled, 5), (.extraCertificates, 3), (.rootIncluded, 3),
        (.crossSigned, 3), (.twinIssuers, 3), (.noPurpose, 3), (.permittedName, 3), (.huge, 201),
    ])
    func accepts(_ name: LabIdentityName, pathLength: Int) async throws {
        let question = try Fixture.question(name)
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
        #expect(await transport.evaluateTrust(try Fixture.question(name)).isAccepted)
    }

    @Test func everyProblemIsCollected() async throws {
        let found = await problems(try Fixture.question(.rsa1024, name: "wrong.test", at: 10 * 365 * 86_400))
        #expect(
            found == [
                Expected(.weakKey, "INSECURE_ALGORITHM", 0), Expected(.expired, "EXPIRED", 0),
                Expected(.expired, "EXPIRED", 1), Expected(.expired, "EXPIRED", 2),
                Expected(.hostnameMismatch, "UNEXPECTED_OWNER", 0),
            ])
        let untrusted = await problems(
            try Fixture.question(.clientPurpose, name: "wrong.test", anchors: TrustAnchors.none, at: 61 * 86_400))
        #expect(
            untrusted == [
                Expected(.unknownIssuer, "SIGNER_NOT_FOUND", 1), Expected(.expired, "EXPIRED", 0),
                Expected(.wrongPurpose, "PURPOSE_MISMATCH", 0), Expected(.hostnameMismatch, "UNEXPECTED_OWNER", 0),
            ])
    }

    @Test func theWeightiestCauseComesFirst() async throws {
        let reading = await transport.evaluateTrust(
            try Fixture.question(.expired, name: "wrong.test", anchors: TrustAnchors.none))
        #expect(reading.cause == .unknownIssuer)
        #expect(reading.problems.last?.cause == .hostnameMismatch)
    }

    @Test func purposeAndNameAreJudgedOnlyWhenAsked() async throws {
        #expect(await transport.evaluateTrust(try Fixture.question(.clientPurpose, purpose: .client)).isAccepted)
        #expect(await transport.evaluateTrust(try Fixture.question(.clientPurpose, purpose: .any)).isAccepted)
        #expect(await transport.evaluateTrust(try Fixture.question(.wrongName, name: nil)).isAccepted)
    }

    @Test func addressesAreMatchedAsAddresses() async throws {
        for good in ["127.0.0.1", "::1"] {
            #expect(await transport.evaluateTrust(try Fixture.question(.address, name: good)).isAccepted)
        }
        for bad in ["127.0.0.2", "::2", "good.test"] {
            #expect(
                await problems(try Fixture.question(.address, name: bad)) == [
                    Expected(.hostnameMismatch, "UNEXPECTED_OWNER", 0)
                ])
        }
    }

    /// 60 days of validity: the last second is valid, the next one is not.
    @Test func timeIsTheQuestionsAndCountsWholeSeconds() async throws {
        #expect(await transport.evaluateTrust(try Fixture.question(.good, at: 60 * 86_400)).isAccepted)
        #expect(await transport.evaluateTrust(try Fixture.question(.good, at: 60 * 86_400 + 1)).cause == .expired)
        #expect(await transport.evaluateTrust(try Fixture.question(.good, at: -30 * 86_400 - 1)).cause == .notYetValid)
    }

    @Test func anyCertificateCanBeAnAnchor() async throws {
        let intermediate = try Fixture.pki.anchors([.intermediate])
        #expect(await transport.evaluateTrust(try Fixture.question(.good, anchors: intermediate)).path?.count == 2)
        let leaf = TrustAnchors(name: "leaf", certificates: [try Fixture.pki.identity(.good).leaf])
        #expect(await transport.evaluateTrust(try Fixture.question(.good, anchors: leaf)).path?.count == 1)
        #expect(
            await problems(try Fixture.question(.good, name: "wrong.test", anchors: leaf)) == [
                Expected(.hostnameMismatch, "UNEXPECTED_OWNER", 0)
            ])
    }

    @Test func anAnchorGnuTLSCannotReadIsSkippedAndMentioned() async throws {
        let good = try Fixture.pki.certificate(of: .root)
        let some = TrustAnchors(name: "some", certificates: [Array("garbage".utf8), good])
        #expect(await transport.evaluateTrust(try Fixture.question(.good, anchors: some)).isAccepted)
        let none = TrustAnchors(name: "none of them", certificates: [Array("garbage".utf8)])
        let reading = await transport.evaluateTrust(try Fixture.question(.good, anchors: none))
        #expect(reading.problems.first?.message.contains("1 of the anchors could not be read") == true)
    }

    @Test func theDepthLimitCountsIntermediates() async throws {
        #expect(await transport.evaluateTrust(try Fixture.question(.fourDeep, maxDepth: 3)).isAccepted)
        #expect(
            await transport.evaluateTrust(try Fixture.question(.fourDeep, maxDepth: 2)).cause == .constraintViolated)
    }
}
