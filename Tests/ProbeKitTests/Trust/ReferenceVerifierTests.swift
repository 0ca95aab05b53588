import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTrust
import Testing

/// The decided column of the table of differences, as verdicts of the reference verifier alone.
@Suite struct ReferenceVerifierTests {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000))
    static let verifier = ReferenceVerifier()

    private func reading(
        _ identity: LabIdentityName, name: String = "good.test", anchors: TrustAnchors? = nil, offset: TimeInterval = 0,
        maxDepth: Int? = nil, purpose: TrustQuestion.Purpose = .server
    ) async throws -> TrustReading {
        await Self.verifier.evaluate(
            TrustQuestion(
                chain: try Self.pki.identity(identity).chain, anchors: try anchors ?? Self.pki.anchors(),
                name: try ServerName(name), instant: Self.pki.epoch.addingTimeInterval(offset), purpose: purpose,
                maxDepth: maxDepth))
    }

    @Test(arguments: [
        LabIdentityName.good, .rsa2048, .rsa4096, .p384, .ed25519, .renewedSameKey, .fourDeep, .shuffled,
        .extraCertificates, .rootIncluded, .crossSigned, .crossSignedFirst, .twinIssuers, .markedTwinFirst, .selfIssued,
        .noPurpose, .permittedName,
        .endsNow, .beginsNow, .pssSignature, .criticalPolicies, .mustStaple, .mustStapleIssuer,
        .permittedAddress,
    ])
    func accepted(identity: LabIdentityName) async throws {
        let reading = try await reading(identity)
        #expect(reading.isAccepted, "\(reading.problems)")
        let path = try #require(reading.path)
        #expect(path.first == (try Self.pki.identity(identity).leaf))
        #expect(path.last == (try Self.pki.anchors().certificates.first))
    }

    @Test(arguments: [
        (LabIdentityName.expired, TrustCause.expired), (.notYetValid, .notYetValid), (.expiredIntermediate, .expired),
        (.wrongName, .hostnameMismatch), (.commonNameOnly, .hostnameMismatch), (.partialWildcard, .hostnameMismatch),
        (.unknownIssuer, .unknownIssuer), (.unknownRootPresented, .unknownIssuer), (.selfSigned, .selfSigned),
        (.missingIntermediate, .unknownIssuer), (.clientPurpose, .wrongPurpose), (.emptyPurpose, .wrongPurpose),
        (.anyPurpose, .wrongPurpose), (.clientIntermediate, .wrongPurpose), (.noServerUsage, .wrongPurpose),
        (.enciphermentUsage, .wrongPurpose), (.authorityAsLeaf, .wrongPurpose),
        (.signingAuthorityAsLeaf, .wrongPurpose),
        (.issuerNotAuthority, .constraintViolated), (.pathLengthExceeded, .constraintViolated),
        (.excludedName, .constraintViolated), (.notPermittedName, .constraintViolated),
        (.unknownCriticalExtension, .constraintViolated), (.badSignature, .badSignature),
        (.sha1Signature, .weakSignature), (.rsa1024, .weakKey), (.weakIntermediate, .weakKey),
        (.compressedPoint, .weakKey),
    ])
    func refused(identity: LabIdentityName, cause: TrustCause) async throws {
        let reading = try await reading(identity)
        #expect(reading.cause == cause, "\(reading.problems)")
    }

    /// Both ends of validity are inclusive, to the second.
    @Test func validityIsInclusive() async throws {
        #expect(try await reading(.endsNow, offset: 0.999).isAccepted)
        #expect(try await reading(.endsNow, offset: 1).cause == .expired)
        #expect(try await reading(.beginsNow, offset: -1).cause == .notYetValid)
    }

    @Test(arguments: [
        ("one.wild.test", true), ("wild.test", false), ("two.one.wild.test", false), ("xwild.test", false),
    ])
    func wildcardsCoverOneWholeLabel(name: String, isAccepted: Bool) async throws {
        #expect(try await reading(.wildcard, name: name).isAccepted == isAccepted)
    }

    @Test(arguments: [("127.0.0.1", true), ("::1", true), ("127.0.0.2", false)])
    func addressesAreComparedAsAddresses(name: String, isAccepted: Bool) async throws {
        #expect(try await reading(.address, name: name).isAccepted == isAccepted)
    }

    /// A hostname inside a certificate for addresses proves nothing, and the other way round.
    @Test("[R83] names and addresses do not mix") func namesAndAddressesDoNotMix() async throws {
        #expect(try await reading(.good, name: "127.0.0.1").cause == .hostnameMismatch)
        #expect(try await reading(.address, name: "good.test").cause == .hostnameMismatch)
    }

    @Test func everyProblemIsListed() async throws {
        let reading = try await reading(.expired, name: "other.test")
        #expect(reading.problems.map(\.cause) == [.expired, .hostnameMismatch])
    }

    @Test func aLeafThatIsAnAnchorIsJudgedStill() async throws {
        let leaf = TrustAnchors(name: "leaf", certificates: [try Self.pki.identity(.selfSigned).leaf])
        #expect(try await reading(.selfSigned, anchors: leaf).path?.count == 1)
        #expect(try await reading(.selfSigned, name: "other.test", anchors: leaf).cause == .hostnameMismatch)
    }

    @Test func depthIsLimitedOnRequest() async throws {
        #expect(try await reading(.fourDeep, maxDepth: 3).isAccepted)
        #expect(try await reading(.fourDeep, maxDepth: 2).cause == .constraintViolated)
    }

    @Test func purposeIsAsked() async throws {
        #expect(try await reading(.clientPurpose, purpose: .client).isAccepted)
        #expect(try await reading(.clientPurpose, purpose: .any).isAccepted)
    }

    /// Hundreds of certificates with one name must not keep the verifier busy: the search stops, and reports that.
    @Test func hostileChainsAreBounded() async throws {
        let identity = try Self.pki.identity(.huge)
        let question = TrustQuestion(
            chain: identity.chain, anchors: .none, name: try ServerName("good.test"), instant: Self.pki.epoch)
        #expect(await !Self.verifier.evaluate(question).isAccepted)
    }

    @Test("[R85] nothing is trusted without anchors, or without a chain") func nothingIsTrustedWithoutAnchorsOrChain()
        async throws
    {
        #expect(try await reading(.good, anchors: TrustAnchors.none).cause == .unknownIssuer)
        let empty = TrustQuestion(chain: [], anchors: try Self.pki.anchors(), name: nil, instant: Self.pki.epoch)
        #expect(await Self.verifier.evaluate(empty).cause == .malformed)
        let garbage = TrustQuestion(chain: [[1, 2, 3]], anchors: .none, name: nil, instant: Self.pki.epoch)
        #expect(await Self.verifier.evaluate(garbage).cause == .malformed)
    }
}
