import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// The text of verdicts, as it stands on a terminal of 80 columns and in a log.
@Suite(.bounded) struct TextReportTests {
    private static let pki = LabPKI(epoch: .now)

    enum Place: CaseIterable {
        case pipe, terminal
    }

    /// Returns the lines that `probe check` prints about a peer.
    private static func lines(
        _ peer: LabPeer, _ arguments: String, in place: Place, environment: String = ""
    ) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-text-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (ca, script) = (folder.appending(path: "ca.pem").path, folder.appending(path: "run").path)
        try pki.rootPEM().write(toFile: ca, atomically: true, encoding: .utf8)
        return try await LabServer.run(peer, pki: pki) { server in
            try
                "unset NO_COLOR CLICOLOR CLICOLOR_FORCE; \(environment) \"$PROBE\" --connect \(server.endpoint) --ca '\(ca)' \(arguments) good.test"
                .write(toFile: script, atomically: true, encoding: .utf8)
            let outcome =
                switch place {
                case .pipe: try await Probe.shell("export PROBE=\"$0\"; bash '\(script)'")
                case .terminal:
                    try await Probe.shell(
                        "export PROBE=\"$0\" TERM=xterm; script -qec \"stty cols 80; bash '\(script)'\" /dev/null")
                }
            return outcome.output.split(whereSeparator: \.isNewline).map(String.init)
        }
    }

    private static let wrongPin = "--pin spki@leaf:sha256:" + String(repeating: "0", count: 63) + "1"

    @Test(
        "a pass or a single failure is at most 12 lines, none wider than the terminal",
        arguments: [
            (LabPeer.tls(LabTLSRecipe(.good)), "", "ok "), (.tls(LabTLSRecipe(.expired)), "", "error trust/expired"),
            (.tls(LabTLSRecipe(.wrongName)), "", "error trust/hostname-mismatch"),
            (.tls(LabTLSRecipe(.good)), wrongPin, "error pins/pin-mismatch"),
            (.dead, "", "error connect/connection-refused"), (.plainSMTP, "", "error tls/not-tls"),
            (.alert(70), "", "error tls/alert-received"), (.resetsAfterHello, "", "error tls/connection-reset"),
        ] as [(LabPeer, String, String)], Place.allCases)
    func linesAreFew(_ example: (peer: LabPeer, arguments: String, words: String), in place: Place) async throws {
        let lines = try await Self.lines(example.peer, example.arguments, in: place)
            .map { $0.replacing(#/\u{1b}\[[0-9;]*m/#, with: "") }
        let text = lines.joined(separator: "\n")
        #expect((2...TextReport.limit).contains(lines.count), "\(lines.count):\n\(text)")
        #expect(text.contains(example.words), "\(text)")
        #expect(example.words == "ok " || text.contains("fix: "), "\(text)")
        guard place == .terminal else { return }
        // A pin is one word, however long.
        let wide = lines.filter { line in
            line.count > 80 && !line.split(separator: " ").contains { $0.count > 60 }
        }
        #expect(wide.isEmpty, "\(wide)")
    }

    @Test func theEvidenceComesWithVerbose() async throws {
        let peer = LabPeer.tls(LabTLSRecipe(.expired))
        let brief = try await Self.lines(peer, "", in: .pipe).joined(separator: "\n")
        let verbose = try await Self.lines(peer, "--verbose", in: .pipe).joined(separator: "\n")
        #expect(!brief.contains("rawkey") && brief.contains("--verbose shows the evidence"), "\(brief)")
        #expect(verbose.contains("evidence: the chain as") && verbose.contains("rawkey"), "\(verbose)")
        #expect(!verbose.contains("--verbose"))
    }

    @Test func aTerminalHasColours() async throws {
        let peer = LabPeer.tls(LabTLSRecipe(.good))
        for (place, environment, isColoured) in [
            (.terminal, "", true), (.terminal, "NO_COLOR=1", false), (.terminal, "TERM=dumb", false),
            (.pipe, "", false),
            (.pipe, "CLICOLOR_FORCE=1", true),
        ] as [(Place, String, Bool)] {
            let text = try await Self.lines(peer, "--backend nio", in: place, environment: environment).joined()
            #expect(text.contains("\u{1b}[32m") == isColoured, "\(place) \(environment): \(text)")
        }
    }

    @Test(
        arguments: [
            ([:], true, true), ([:], false, false), (["NO_COLOR": ""], true, true), (["NO_COLOR": "1"], true, false),
            (["CLICOLOR_FORCE": "1"], false, true), (["CLICOLOR_FORCE": "0"], false, false),
            (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false), (["TERM": "dumb"], true, false),
            (["TERM": "dumb", "CLICOLOR_FORCE": "1"], false, true), (["CLICOLOR": "0"], true, false),
        ] as [([String: String], Bool, Bool)])
    func coloursAreChosen(environment: [String: String], isTerminal: Bool, isColoured: Bool) {
        #expect(Terminal.wantsColour(environment, isTerminal: isTerminal) == isColoured)
    }

    /// Sixteen backends, and a finding of each in other words.
    @Test func manyBackendsAreFolded() throws {
        let results = (0..<16).map { index in
            Self.result(
                "stack\(index)",
                [
                    .error(
                        .trustFailed, code: "expired", stage: .trust, "it ended, says stack \(index), long ago",
                        fix: "renew the certificate")
                ])
        }
        let text = TextReport(style: Style(isColoured: false), columns: 80).text(results)
        let lines = text.split(separator: "\n")
        #expect(lines.count <= TextReport.limit && lines.allSatisfy { $0.count <= 80 }, "\(text)")
        #expect(text.contains("stack15") && text.contains("fix: renew the certificate"), "\(text)")
        #expect(text.contains("--verbose shows"), "\(text)")
        let verbose = TextReport(style: Style(isColoured: false), isVerbose: true).text(results)
        #expect((0..<16).allSatisfy { verbose.contains("says stack \($0), ") }, "\(verbose)")
    }

    /// However long a message is, the fix stays whole.
    @Test func aLongMessageIsCutAndItsFixIsNot() throws {
        let message = String(repeating: "very long words about a chain ", count: 60)
        let fix = String(repeating: "change this and then that ", count: 9) + "END"
        let result = Self.result("one", [.error(.trustFailed, code: "expired", stage: .trust, message, fix: Fix(fix))])
        let lines = TextReport(style: Style(isColoured: false), columns: 80).text([result]).split(separator: "\n")
        #expect(lines.count <= TextReport.limit, "\(lines)")
        #expect(lines.allSatisfy { $0.count <= 80 } && lines.count { $0.hasSuffix("…") } == 1, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("END") } && lines.last?.contains("--verbose") == true)
    }

    /// A stack's own code at the end makes no other words of a message.
    @Test func nativeCodesAreNotOtherWords() throws {
        let messages = ["too late", "too late (CURLE_OPERATION_TIMEDOUT)", "too late (error:0A)", "refused (1)"]
        let results = messages.map { message in
            Self.result(message, [.error(.unreachable, stage: .connect, message, fix: "wait")])
        }
        let group = try #require(FindingGroup.groups(results).first)
        #expect(FindingGroup.groups(results).count == 1)
        #expect(group.wordings.map(\.message) == ["too late", "refused (1)"])
        #expect(group.backends.count == 4)
    }

    @Test func severalFailuresAreAllShown() throws {
        let findings = (0..<9).map {
            Finding.error(.trustFailed, code: "code-\($0)", stage: .trust, "message \($0)", fix: "fix \($0)")
        }
        let text = TextReport(style: Style(isColoured: false), columns: 80).text([Self.result("one", findings)])
        for index in 0..<9 { #expect(text.contains("message \(index)") && text.contains("fix: fix \(index)")) }
    }

    static func result(_ transport: String, _ findings: [Finding], service: String? = nil) -> ProbeResult {
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: transport, library: "none", version: "0"), report: HandshakeReport(),
            missing: [], certificates: [], referenceTrust: nil, anchors: .none, instant: pki.epoch)
        return ProbeResult(
            subject: "good.test:443", service: service, evidence: Evidence(connection: connection, model: nil),
            verdict: Verdict(findings))
    }
}
