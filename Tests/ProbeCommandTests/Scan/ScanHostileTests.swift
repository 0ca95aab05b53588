import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// One hostile server among forty good ones: it costs its own verdict, and no other one.
@Suite(.bounded) struct ScanHostileTests {
    private static let backends = 4
    private static let good = 40

    /// Servers that send without end, each alone among the good ones: one of them once kept libcurl's thread for itself.
    @Test(arguments: [
        LabPeer.endlessHelloRequests, .endlessCipherChanges, .endlessFragments, .endlessMessage, .endlessWarnings,
        .endlessEmptyRecords, .endlessBytes,
    ])
    func oneThatSendsWithoutEnd(_ peer: LabPeer) async throws {
        try await scan(among: [peer])
    }

    /// The others keep their connection or end it, one of each kind at once.
    @Test func oneOfEachOtherKind() async throws {
        try await scan(among: [
            .silent, .silentAfterHello, .halfRecord, .closes, .closesAfterHello, .closesMidHandshake, .closesWithNotify,
            .resetsAfterHello, .plainHTTP, .plainSMTP, .garbage, .oversizedRecord, .alert(.handshakeFailure),
            .alert(.internalError),
            .tls(LabTLSRecipe(.huge)),
        ])
    }

    private func scan(among peers: [LabPeer]) async throws {
        try await ScanBench.run { bench in
            var servers: [LabServer] = []
            for peer in peers { servers.append(try await LabServer.start(peer, pki: ScanBench.pki)) }
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { good in
                let hostile = servers.map { #"{"target":"good.test","connect":"\#($0.endpoint)","timeout":4}"# }
                let others = (1...Self.good).map { "\(good.endpoint),good.test:\($0)" }
                let list = try bench.list(Array(others.prefix(5)) + hostile + others.dropFirst(5))
                let took = try await Stopwatch.measure {
                    let outcome = try await Probe.shell(
                        "timeout -s KILL 1500 \"$0\" scan --ca '\(bench.path("ca.pem"))' --list '\(list)' --timeout 300"
                    )
                    let manifest = try #require(outcome.lines.last, "it was killed")
                    #expect(manifest["complete"] as? Bool == true)
                    #expect(manifest.count(of: "pass") == Self.good * Self.backends, "\(manifest["counts"] ?? "")")
                    // A busy machine may not read enough within the hostile server's time to tell its kind.
                    let hostile = ["handshake-failed", "local-overload"].compactMap { manifest.count(of: $0) }
                    #expect(hostile.reduce(0, +) == peers.count * Self.backends, "\(manifest["counts"] ?? "")")
                }
                #expect(took < .seconds(60))
            }
            for server in servers { await server.stop() }
        }
    }
}
