import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import Testing
import TransportOpenSSL

/// OpenSSL's own decision, code and position of each problem, without a connection.
@Suite struct OpenSSLTrustTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))
    private let transport: OpenSSLTransport

    init() throws {
        transport = OpenSSLTransport()
    }

    private func reading(_ identity: LabIdentityName, name: String = "good.test", at offset: Double = 0) async throws
        -> TrustReading
    {
        await transport.evaluateTrust(
            TrustQuestion(
                chain: try Self.pki.identity(identity).chain, anchors: try Self.pki.anchors(),
                name: try ServerName(name),
                instant: Self.pki.epoch.addingTimeInterval(offset)))
    }

    @Test(
        arguments: [
            (LabIdentityName.expired, TrustCause.expired, "X509_V_ERR_CERT_HAS_EXPIRED", 0),
            (.notYetValid, .notYetValid, "X509_V_ERR_CERT_NOT_YET_VALID", 0),
            (.expiredIntermediate, .expired, "X509_V_ERR_CERT_HAS_EXPIRED", 1),
            (.wrongName, .hostnameMismatch, "X509_V_ERR_HOSTNAME_MISMATCH", 0),
            (.unknownIssuer, .unknownIssuer, "X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 1),
            (.selfSigned, .selfSigned, "X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT", 0),
            (.clientPurpose, .wrongPurpose, "X509_V_ERR_INVALID_PURPOSE", 0),
            (.pathLengthExceeded, .constraintViolated, "X509_V_ERR_PATH_LENGTH_EXCEEDED", 2),
            (.excludedName, .constraintViolated, "X509_V_ERR_EXCLUDED_VIOLATION", 0),
            (.badSignature, .badSignature, "X509_V_ERR_CERT_SIGNATURE_FAILURE", 0),
            (.rsa1024, .weakKey, "X509_V_ERR_EE_KEY_TOO_SMALL", 0),
            (.sha1Signature, .weakSignature, "X509_V_ERR_CA_MD_TOO_WEAK", 0),
        ] as [(LabIdentityName, TrustCause, String, Int)])
    func problemsAreNamed(identity: LabIdentityName, cause: TrustCause, code: String, depth: Int) async throws {
        let problems = try await reading(identity).problems
        #expect(
            problems.contains { $0.cause == cause && $0.nativeCode == code && $0.depth == depth }, "\(problems)")
    }

    /// Verification runs to the end: two faults are two problems.
    @Test func everyProblemIsCollected() async throws {
        let causes = try await reading(.expired, name: "other.test").problems.map(\.cause)
        #expect(Set(causes) == [.expired, .hostnameMismatch])
    }

    @Test func anAcceptedChainShowsItsPath() async throws {
        let path = try #require(try await reading(.good).path)
        #expect(path.count == 3)
        #expect(path.first == (try Self.pki.identity(.good).leaf))
    }

    /// A leaf whose outer length is not DER: in OpenSSL's own encoding it would be a certificate that nobody presented.
    @Test func theBytesOfThePathAreThoseOfTheQuestion() async throws {
        let identity = try Self.pki.identity(.rsa2048)
        let leaf: [UInt8] = [0x30, 0x83, 0] + identity.leaf.dropFirst(2)
        let reading = await transport.evaluateTrust(
            TrustQuestion(
                chain: [leaf] + identity.chain.dropFirst(), anchors: try Self.pki.anchors(),
                name: try ServerName("good.test"), instant: Self.pki.epoch))
        #expect(reading.path?.first == leaf)
    }

    /// The instant is the question's, not the system's.
    @Test func theInstantIsInjected() async throws {
        #expect(try await reading(.good).isAccepted)
        #expect(try await reading(.good, at: 86_400 * 90).cause == .expired)
        #expect(try await reading(.good, at: -86_400 * 60).cause == .notYetValid)
    }

    /// Many at once, on shared anchors and at different instants.
    @Test func questionsDoNotDisturbEachOther() async throws {
        let causes = await Concurrently.map(Array(0..<200)) { index in
            try? await reading(index.isMultiple(of: 2) ? .good : .expired).cause
        }
        for (index, cause) in causes.enumerated() {
            #expect((cause ?? nil) == (index.isMultiple(of: 2) ? nil : .expired))
        }
    }
}
