import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing
import TransportOpenSSL

@testable import ProbeClients

/// Refusals for which a client's own roots are the reason.
@Suite(.bounded) struct OwnRootsTests {
    private static let pki = LabPKI(epoch: .now)
    private static let root = LabCertificateRecipe.authority("Own Root", issuer: nil)

    /// Returns the finding that decides how OpenSSL 1.0.2e judges a chain with some roots.
    private static func finding(
        _ chain: [[UInt8]], roots: [[UInt8]], _ change: (inout VerifierHabits) -> Void = { _ in }
    ) async throws -> Finding? {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-own-roots-\(UUID()).pem").path
        try LabIdentity.pem(roots).write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        var catalogue = try ClientCatalogue.shipped()
        var client = try #require(try catalogue.named(["openssl-1.0.2e"]).first)
        (client.roots, client.rootsFile) = (nil, file)
        change(&client.habits)
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference,
            transports: [OpenSSLTransport()], clock: .system)
        let results = try await run.results(
            Check(target: try Target("good.test"), anchors: .none), clients: [client], chain: chain)
        return results.first?.result.verdict.decidingFinding
    }

    @Test("an expired intermediate among the roots is not the server's to leave out") func expired() async throws {
        let middle = LabCertificateRecipe.authority("Own Middle", issuer: nil)
        var ended = middle
        ended.validity = -9 * 86_400 ... -86_400
        let leaf = try Self.pki.issue(.leaf("own", issuer: nil), by: middle)
        let sent = try Self.pki.issue(middle, by: Self.root)
        let roots = [try Self.pki.issue(ended, by: Self.root), try Self.pki.issue(Self.root, by: Self.root)]
        let found = try #require(try await Self.finding([leaf, sent], roots: roots) { $0.paths = .trustedFirst })
        #expect(found.code == "expired" && found.message.contains("it takes that issuer from its own roots"))
        #expect(found.fix.hasPrefix("remove the certificate at fault from "), "\(found)")
    }

    @Test("a weak root leaves the verdict open where the client may take its key") func weak() async throws {
        let weak = LabCertificateRecipe.authority("Own Weak Root", issuer: nil) {
            $0.key = LabKeyID(.rsa1024, "leaf")
        }
        let leaf = try Self.pki.issue(.leaf("own", issuer: nil), by: weak)
        let roots = [try Self.pki.issue(weak, by: weak)]
        let open = try await Self.finding([leaf], roots: roots) { $0.minimumRSABits = 1024 }
        #expect(open?.code == "client-not-emulated", "\(String(describing: open))")
        let refused = try await Self.finding([leaf], roots: roots) { $0.minimumRSABits = 2048 }
        #expect(refused?.code == "weak-key", "\(String(describing: refused))")
    }
}
