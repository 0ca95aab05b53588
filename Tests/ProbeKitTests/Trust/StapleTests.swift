import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing

/// Stapled OCSP responses as the reference verifier judges them.
@Suite struct StapleTests {
    static let pki = TestChain.pki

    private func reading(
        _ identity: LabIdentityName = .good, _ staple: TrustQuestion.Staple
    ) async throws -> TrustReading {
        try await TestChain.reading(
            chain: Self.pki.identity(identity).chain, anchors: Self.pki.anchors().certificates, staple: staple)
    }

    private func staple(
        _ response: LabOCSPResponse, about identity: LabIdentityName = .good, issuer: LabAuthority = .intermediate
    ) throws -> TrustQuestion.Staple {
        .present(try Self.pki.encode(response, about: Self.pki.identity(identity).leaf, issuer: issuer))
    }

    private static let responder = LabCertificateRecipe.leaf("responder") {
        $0.commonName = "ProbeKit Lab Responder"
        $0.purposes = [.ocspSigning]
    }

    /// Usable responses: their status counts, on a leaf that demands one and on one that does not.
    static let usable: [@Sendable (inout LabOCSPResponse) -> Void] = [
        { _ in }, { $0.digest = .sha256 }, { $0.updates = 0...0 }, { $0.signer = .delegate(responder) },
    ]

    @Test(arguments: usable.indices) func usableResponsesAreHeard(_ index: Int) async throws {
        for identity in [LabIdentityName.good, .mustStaple] {
            let good = try staple(LabOCSPResponse(.good, change: Self.usable[index]), about: identity)
            let accepted = try await reading(identity, good)
            #expect(accepted.isAccepted, "\(accepted.problems)")
            let revoked = try staple(LabOCSPResponse(.revoked, change: Self.usable[index]), about: identity)
            #expect(try await reading(identity, revoked).cause == .revoked)
        }
    }

    /// That nobody asked for what is demanded is worth knowing of a server; a client has no way to staple.
    @Test(arguments: [(TrustQuestion.Purpose.server, ["staple-not-asked"]), (.client, [])])
    func unaskedDemandsAreRemarked(purpose: TrustQuestion.Purpose, codes: [String]) async throws {
        let both = LabCertificateRecipe.leaf("both purposes") {
            $0.purposes = [.server, .client]
            $0.extensions = [.mustStaple]
        }
        let reading = await TestChain.verifier.evaluate(
            TrustQuestion(
                chain: [try Self.pki.issue(both)] + (try Self.pki.identity(.good).chain.dropFirst()),
                anchors: try Self.pki.anchors(), name: nil, instant: Self.pki.epoch, purpose: purpose))
        #expect(reading.isAccepted && reading.remarks.map(\.code) == codes, "\(reading)")
    }

    /// Both ends of a response are whole seconds, as those of certificates and revocation lists.
    @Test(arguments: [(0.5, TrustCause.revoked), (1, nil)] as [(Double, TrustCause?)])
    func theLastSecondIsWhole(seconds: Double, cause: TrustCause?) async throws {
        let reading = await TestChain.verifier.evaluate(
            TrustQuestion(
                chain: try Self.pki.identity(.good).chain, anchors: try Self.pki.anchors(),
                name: try ServerName("good.test"), instant: Self.pki.epoch.addingTimeInterval(seconds),
                staple: try staple(LabOCSPResponse(.revoked) { $0.updates = 0...0 })))
        #expect(reading.cause == cause, "\(reading.problems)")
    }

    /// Unusable responses: no harm to the good leaf even if their status is revoked, not enough for one that demands
    /// one.
    static let unusable: [@Sendable (inout LabOCSPResponse) -> Void] = [
        { $0.status = .unknown }, { $0.updates = -7200 ... -1 }, { $0.updates = 1...7200 },
        { $0.breaksSignature = true }, { $0.signer = .authority(.otherIntermediate) },
        { $0.signer = .authority(.root) },
        // No responder of the issuer's: without the purpose, of another issuer, expired, with a broken signature.
        { $0.signer = .delegate(responder.changed { $0.purposes = [.server] }) },
        { $0.signer = .delegate(responder.changed { $0.purposes = nil }) },
        { $0.signer = .delegate(responder.changed { $0.purposes = [.any] }) },
        { $0.signer = .delegate(responder.changed { $0.issuer = .otherIntermediate }) },
        { $0.signer = .delegate(responder.changed { $0.issuer = nil }) },
        { $0.signer = .delegate(responder.changed { $0.validity = LabCertificateRecipe.days(-9, -1) }) },
        { $0.signer = .delegate(responder.changed { $0.breaksSignature = true }) },
        { $0.signer = .delegate(responder.changed { $0.key = LabKeyID(.rsa1024, "leaf") }) },
    ]

    @Test(arguments: unusable.indices) func unusableResponsesAreNone(_ index: Int) async throws {
        for status in [LabOCSPResponse.Status.good, .revoked] {
            let response = LabOCSPResponse(status, change: Self.unusable[index])
            #expect(try await reading(.good, staple(response)).isAccepted)
            let refused = try await reading(.mustStaple, staple(response, about: .mustStaple)).problems.first
            #expect(refused?.cause == .constraintViolated)
            let isUnknown = response.status == .unknown
            #expect(refused?.fix == (isUnknown ? StapleRemedy.unknown : StapleRemedy.unusable))
        }
    }

    /// A response about another certificate, or by the name of another issuer, is not about this one.
    @Test func responsesAreAboutOneCertificate() async throws {
        let otherSerial = try staple(LabOCSPResponse(.revoked), about: .wildcard)
        let otherIssuer = try staple(LabOCSPResponse(.revoked), issuer: .otherIntermediate)
        for staple in [otherSerial, otherIssuer] {
            #expect(try await reading(.good, staple).isAccepted)
            let refused = try await reading(.mustStaple, staple).problems.first
            #expect(refused?.cause == .constraintViolated && refused?.fix == StapleRemedy.unusable)
        }
    }

    /// The leaf's own demand and an issuer's, in a handshake that could have carried a staple.
    @Test(arguments: [LabIdentityName.mustStaple, .mustStapleIssuer])
    func demandsAreKept(identity: LabIdentityName) async throws {
        let refused = try await reading(identity, .absent).problems.first
        #expect(refused?.cause == .constraintViolated && refused?.fix == StapleRemedy.missing)
        let unasked = try await reading(identity, .notAsked)
        #expect(unasked.isAccepted && unasked.remarks.map(\.code) == ["staple-not-asked"])
        #expect(unasked.remarks.first?.severity == .warning)
        #expect(try await reading(.good, .notAsked).remarks.isEmpty)
        let issuer: LabAuthority = identity == .mustStaple ? .intermediate : .stapling
        #expect(
            try await reading(identity, staple(LabOCSPResponse(.good), about: identity, issuer: issuer)).isAccepted)
    }

    /// Whatever bytes come, there is an answer, and a damaged response never counts as a good one.
    @Test func damagedBytesAreNoStaple() async throws {
        let response = try Self.pki.encode(LabOCSPResponse(.good), about: Self.pki.identity(.mustStaple).leaf)
        for index in stride(from: 0, to: response.count, by: 3) {
            let short = Array(response[..<index])
            #expect(try await reading(.mustStaple, .present(short)).cause == .constraintViolated)
            var flipped = response
            flipped[index] ^= 0x11
            _ = try await reading(.mustStaple, .present(flipped))
        }
        #expect(try await reading(.good, .present([])).isAccepted)
    }
}
