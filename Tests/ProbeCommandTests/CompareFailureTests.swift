import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `probe compare` of a server with which handshakes fail.
@Suite(.bounded) struct CompareFailureTests {
    private static let pki = LabPKI(epoch: .now)

    @Test("a failure that all stacks have is shown with its reason, and the stacks agree") func sharedFailure()
        async throws
    {
        let schema = try Schema.load("probe-compare-1.schema.json")
        try await LabServer.run(.alert(.handshakeFailure), pki: Self.pki) { server in
            let arguments = ["compare", "--connect", "\(server.endpoint)", "--timeout", "600", "good.test"]
            let text = try await Probe.run(arguments)
            for words in [
                "= handshake: ", "openssl: the peer refused with alert 40", "nio: the peer refused with alert 40",
                "the stacks agree",
            ] {
                #expect(text.output.contains(words), "\(words) in \(text.output)")
            }
            let json = try await Probe.run(arguments + ["--format", "json"])
            let line = try #require(json.lines.first)
            #expect(schema.violations(in: line) == [])
            let facts = try #require(line["facts"] as? [[String: Any]])
            let handshake = try #require(facts.first { $0["fact"] as? String == "handshake" })
            #expect(handshake["equal"] as? Bool == true)
            #expect((handshake["explanation"] as? String)?.contains("alert 40") == true, "\(handshake)")
        }
    }

    @Test("where one stack gives up alone, its failure is the explanation") func oneFailure() async throws {
        let recipe = LabTLSRecipe(.rsa2048, versions: .tls12 ... .tls12, cipherSuites: [0x009c])
        try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
            let text = try await Probe.run([
                "compare", "--backend", "openssl,nio", "--connect", "\(server.endpoint)", "--timeout", "600",
                "good.test",
            ])
            #expect(text.output.contains("≠ handshake: the stacks read the server's handshake differently: nio: "))
            #expect(text.output.contains("KEY_USAGE_BIT_INCORRECT"), "\(text.output)")
        }
    }
}
