import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeReport
import ProbeRun
import ProbeTrust
import Testing

/// Several root stores, each of which has to trust a chain (decided: every-store).
@Suite struct EveryStoreTests {
    private static let pki = TestConnection.pki

    private func store(_ name: String, _ authorities: LabAuthority...) throws -> TrustAnchors {
        TrustAnchors(name: name, certificates: try authorities.map { try Self.pki.certificate(of: $0) }, isSystem: true)
    }

    /// Returns the result of one handshake that presents an identity.
    private func result(
        _ identity: LabIdentityName = .good, _ stores: TrustAnchors..., pins: [PinGroup] = []
    ) async throws -> (result: ProbeResult, handshakes: Int) {
        let transport = ScriptedTransport(
            [.presents(identity)], pki: Self.pki, time: VirtualTime(epoch: Self.pki.epoch))
        let check = Check(
            target: try Target("good.test"), anchors: TrustAnchors(name: "all", stores: stores), trust: .reference,
            pins: pins)
        let results = await Prober(clock: .fixed(Self.pki.epoch)).probe(check, through: [transport], resolvers: [])
        return (try #require(results.first), transport.handshakes.count)
    }

    @Test func storesThatAllTrustTheChainPass() async throws {
        let (result, handshakes) = try await result(.good, store("a@1", .root), store("b@2", .root, .otherRoot))
        #expect(handshakes == 1)
        #expect(result.verdict.outcome.isPass)
        #expect(result.verdict.findings.contains { $0.code == "stores-agree" })
        let connection = try #require(result.evidence.connection)
        #expect(connection.stores.map(\.store) == ["a@1", "b@2"])
        let anchor = try Self.pki.certificate(of: .root)
        for store in connection.stores {
            #expect(connection.path(of: store)?.last.map { connection.certificates[$0].der } == anchor)
        }
        #expect(connection.anchors.certificates.count == 2, "each once")
    }

    @Test func oneStoreWithoutAPathFailsTheCheckAndIsNamed() async throws {
        let (result, handshakes) = try await result(.good, store("a@1", .root), store("b@2", .otherRoot))
        #expect(handshakes == 1)
        #expect(result.verdict.outcome == .trustFailed)
        let finding = try #require(result.verdict.findings.first { $0.severity == .error })
        #expect(finding.code == "store-refuses")
        #expect(finding.message == "1 of 2 root stores refuse the chain: b@2 (unknown-issuer)")
    }

    @Test func aChainThatNoStoreTrustsHasTheReferencesOwnReason() async throws {
        let (result, _) = try await result(.expired, store("a@1", .root), store("b@2", .root))
        #expect(result.verdict.findings.filter { $0.severity == .error }.map(\.code) == ["expired"])
        #expect(result.evidence.connection?.stores.map(\.trust.cause) == [.expired, .expired])
    }

    /// A question to one store costs as much as that store alone does.
    @Test func eachStoreIsJudgedOnce() async throws {
        let stores = [try store("a@1", .root), try store("b@2", .otherRoot), try store("c@3", .root)]
        let counter = WorkCounter()
        try await counter.count { _ = try await result(.good, stores[0], stores[1], stores[2]) }
        #expect(counter[.referenceVerdict] == 4, "that of all certificates together, and each store's")
    }

    @Test func revocationListsGoWithEachStore() throws {
        let anchors = TrustAnchors(name: "all", stores: [try store("a@1", .root)]).with(revocationLists: [[1]])
        #expect(anchors.stores.map(\.revocationLists) == [[[1]]])
    }

    @Test func otherStoresWithTheSameCertificatesAreOtherAnchors() throws {
        let (one, other) = (try store("a@1", .root), try store("b@2", .otherRoot))
        let split = TrustAnchors(name: "all", stores: [one, other])
        let joint = TrustAnchors(name: "all", stores: [try store("c@3", .root, .otherRoot)])
        #expect(split.digest == joint.digest && split != joint)
    }
}
