import ProbeKit
import ProbeLab
import ProbeTrust
import Testing

/// The search continues after the first valid path, if requested. Generated meshes are compared with a model of theirs
/// elsewhere.
@Suite struct FurtherPathsTests {
    private let pki = TestConnection.pki

    private func evaluate(
        _ identity: LabIdentityName, _ authorities: [LabAuthority], limit: Int
    ) async throws -> (trust: TrustReading, further: FurtherPaths) {
        await ReferenceVerifier().evaluate(
            TrustQuestion(
                chain: try pki.identity(identity).chain, anchors: try pki.anchors(authorities),
                name: try ServerName("good.test"), instant: pki.epoch), furtherPaths: limit)
    }

    @Test func everyPathIsFoundOnce() async throws {
        let leaf = try pki.identity(.twinIssuers).leaf
        let (first, second) = try (pki.certificate(of: .unmarkedTwin), pki.certificate(of: .markedTwin))
        let (root, other) = try (pki.certificate(of: .root), pki.certificate(of: .otherRoot))
        let (trust, further) = try await evaluate(.twinIssuers, [.root, .otherRoot], limit: 32)
        #expect(trust.path == [leaf, second, other])
        #expect(further == FurtherPaths([[leaf, first, root]], isComplete: true))
        // An anchor of the intermediate's own ends a path before the root does.
        let early = try await evaluate(.twinIssuers, [.root, .otherRoot, .markedTwin], limit: 32)
        #expect(early.trust.path == [leaf, second])
        #expect(Set(early.further.paths) == [[leaf, first, root], [leaf, second, other]])
    }

    @Test func onlyAsManyAsAreAskedFor() async throws {
        #expect(try await evaluate(.twinIssuers, [.root, .otherRoot], limit: 0).further == .none)
        let (_, further) = try await evaluate(.twinIssuers, [.root, .otherRoot, .markedTwin], limit: 1)
        #expect(further.paths.count == 1 && !further.isComplete)
        #expect(try await evaluate(.twinIssuers, [.root], limit: 32).further == .none)
        #expect(try await evaluate(.expired, [.root, .otherRoot], limit: 32).further == .none)
    }
}
