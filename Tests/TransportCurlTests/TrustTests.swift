import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportCurl

/// libcurl's refusals, with reason and position, in real handshakes and from the offline model.
@Suite(.bounded)
struct TrustTests {
    private let transport: CurlTransport

    init() throws {
        transport = CurlTransport()
    }

    private func reading(_ identity: LabIdentityName, name: String) async throws -> TrustReading {
        try await LabServer.run(.tls(LabTLSRecipe(identity)), pki: Fixture.pki) { server in
            let report = await transport.handshake(try Fixture.request(to: server.endpoint, name: name))
            #expect(report.failure == nil)
            #expect(report.chain == (try Fixture.pki.identity(identity).chain))
            return try #require(report.nativeTrust)
        }
    }

    static let causes: [(LabIdentityName, Set<TrustCause>)] = [
        (.expired, [.expired]), (.notYetValid, [.notYetValid]), (.expiredIntermediate, [.expired]),
        (.wrongName, [.hostnameMismatch]), (.unknownIssuer, [.unknownIssuer]),
        (.unknownRootPresented, [.unknownIssuer]), (.selfSigned, [.selfSigned]),
        (.missingIntermediate, [.unknownIssuer]), (.clientPurpose, [.wrongPurpose]),
        (.clientIntermediate, [.wrongPurpose]), (.badSignature, [.badSignature]), (.rsa1024, [.weakKey]),
        (.sha1Signature, [.weakSignature]),
    ]

    @Test(arguments: causes)
    func refuses(_ identity: LabIdentityName, _ causes: Set<TrustCause>) async throws {
        let reading = try await reading(identity, name: "good.test")
        #expect(Set(reading.problems.map(\.cause)) == causes, "\(reading)")
        #expect(reading.problems.allSatisfy { $0.nativeCode != nil && $0.depth != nil })
    }

    /// An anchor need not be a root, whatever store libcurl sets its flags on.
    @Test func anyAnchorEndsAChain() async throws {
        let identity = try Fixture.pki.identity(.good)
        let issuers = TrustAnchors(name: "the issuers", certificates: Array(identity.chain.dropFirst()))
        let report = try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
            await transport.handshake(try Fixture.request(to: server.endpoint, anchors: issuers))
        }
        #expect(
            report.failure == nil && report.nativeTrust?.isAccepted == true, "\(report.nativeTrust.debugDescription)")
    }

    /// The chain's errors do not hide the name's, though libcurl's result has room for one.
    @Test func everyProblemIsCollected() async throws {
        let reading = try await reading(.rsa1024, name: "wrong.test")
        #expect(reading.problems.map(\.cause) == [.weakKey, .hostnameMismatch])
        #expect(reading.problems.last?.nativeCode == "CURLE_PEER_FAILED_VERIFICATION")
        #expect(reading.problems.last?.message.contains("wrong.test") == true)
    }

    /// Every identity of the lab: the real handshake and the model agree, problem by problem.
    @Test(arguments: LabIdentityName.allCases.filter { ![.rsaWithoutNull, .huge].contains($0) })
    func theModelSaysWhatLibcurlSays(_ identity: LabIdentityName) async throws {
        for name in ["good.test", "a.wild.test", "wild.test", "w1.wild.test", "a.b.wild.test", "127.0.0.1"] {
            let real = try await reading(identity, name: name)
            let model = await transport.evaluateTrust(try Fixture.pki.question(identity, name: name))
            #expect(Self.codes(real) == Self.codes(model), "\(name)")
            #expect(real.path == model.path)
        }
    }

    /// All but the words: libcurl's own differ from ours.
    private static func codes(_ reading: TrustReading) -> [String] {
        reading.problems.map { "\($0.cause.rawValue) \($0.nativeCode ?? "") \($0.depth ?? -1)" }
    }
}
