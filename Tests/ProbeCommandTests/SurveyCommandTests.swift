import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `probe survey` from the command line.
@Suite(.bounded) struct SurveyCommandTests {
    private static let pki = LabPKI(epoch: .now)

    @Test("a server's settings are shown in 80 columns, and as JSON in its schema") func bothFormats() async throws {
        let recipe = LabTLSRecipe(.good, applicationProtocols: ["h2", "http/1.1"])
        let schema = try Schema.load("probe-survey-1.schema.json")
        try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
            let arguments = ["survey", "--connect", "\(server.endpoint)", "--timeout", "1000", "good.test"]
            let json = try await Probe.run(arguments + ["--format", "json"])
            #expect(json.code == 0, "\(json.output)\(json.errors)")
            let line = try #require(json.lines.first)
            #expect(schema.violations(in: line) == [])
            #expect(line["isComplete"] as? Bool == true && line["target"] as? String == "good.test:443")
            let versions = try #require(line["versions"] as? [[String: Any]])
            #expect(versions.map { $0["version"] as? String } == ["TLS 1.3", "TLS 1.2", "TLS 1.1", "TLS 1.0"])
            let text = try await Probe.run(arguments)
            #expect(text.code == 0)
            #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text.output)")
            for words in ["TLS_AES_128_GCM_SHA256", "x25519", "h2", "SSL 3.0"] {
                #expect(text.output.contains(words), "\(words) in \(text.output)")
            }
        }
    }

    @Test("a stack that can't ask is reported as unsupported, not as a usage error") func unableStack() async throws {
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Plugins/python-ssl/probe-transport-python-ssl").standardizedFileURL.path
        let outcome = try await Probe.run([
            "survey", "--plugin", program, "--backend", "python-ssl", "--connect", "127.0.0.1:1", "good.test",
        ])
        #expect(outcome.code == 40 && outcome.errors.contains("it lacks offer"), "\(outcome.errors)")
    }

    @Test("a survey through STARTTLS, and through one stack") func reach() async throws {
        let recipe = LabTLSRecipe(.good, dialogue: LabDialogue(.imap, nil))
        try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
            let run = try await Probe.run([
                "survey", "imap://good.test", "--backend", "gnutls", "--connect", "\(server.endpoint)", "--timeout",
                "1000", "--format", "json",
            ])
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            let suites = ((run.lines.first?["versions"] as? [[String: Any]])?.first?["cipherSuites"] as? [String: Any])
            let accepted = suites?["accepted"] as? [[String: Any]] ?? []
            #expect(!accepted.isEmpty && accepted.allSatisfy { $0["transport"] as? String == "gnutls" })
        }
    }

    @Test("nothing is said about a server that is not there, and handshakes that ran out are")
    func incomplete() async throws {
        let none = try await Probe.run(["survey", "--connect", "127.0.0.1:1", "good.test"])
        #expect(none.code == 20 && none.output.contains("not known") && !none.output.contains("refused;"))
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            let run = try await Probe.run(
                ["survey", "--connect", "\(server.endpoint)", "--handshakes", "3", "--timeout", "1000", "good.test"])
            #expect(run.code == 0)
            #expect(run.output.contains("not complete") && run.output.contains("--handshakes 6"), "\(run.output)")
        }
    }

    @Test(
        "where nothing is offered, the first refusal is shown, or the reason why none is known",
        arguments: [LabPeer.alert(.handshakeFailure), .closesAfterHello])
    func refusedAltogether(peer: LabPeer) async throws {
        try await LabServer.run(peer, pki: Self.pki) { server in
            let run = try await Probe.run([
                "survey", "--connect", "\(server.endpoint)", "--timeout", "1000", "good.test",
            ])
            // An end of the connection may be meant for the client.
            let isKnown = peer != .closesAfterHello
            #expect(run.code == 20 && run.output.contains("TLS 1.3           \(isKnown ? "refused" : "not known")"))
            let words =
                isKnown
                ? "refused with      the peer refused with alert 40"
                : "stopped           TLS 1.3: the server has accepted nothing, and"
            #expect(run.output.contains(words) && run.output.contains("60, not complete") == !isKnown, "\(run.output)")
        }
    }

    @Test(
        "what is of no use is refused",
        arguments: [
            (["--ca", "x.pem"], "--ca"), (["--at", "2026-01-01T00:00:00Z"], "--at"), (["--crl", "x"], "--crl"),
            (["--roots", "mozilla"], "--roots"), (["--handshakes", "0"], "1 to 1000"),
            (["--backend", "nothing"], "nothing"), (["--format", "sarif"], "sarif"),
        ])
    func refusals(options: [String], words: String) async throws {
        let run = try await Probe.run(["survey"] + options + ["good.test"])
        #expect(run.code == 64 && run.errors.contains(words), "\(run.errors)")
    }
}
