import Foundation
import ProbeKit
import ProbeLab
import ProbeReport
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// The text of verdicts, as it stands on a terminal of 80 columns and in a log.
@Suite(.bounded) struct CheckTextTests {
    private static let pki = LabPKI(epoch: .now)

    enum Place: CaseIterable {
        case pipe, terminal
    }

    /// Returns the lines that `probe check` prints about a peer.
    private static func lines(
        _ peer: LabPeer, _ arguments: String, in place: Place, environment: String = ""
    ) async throws -> [String] {
        try await ScratchFolder.withURL { folder in
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
    }

    private static let wrongPin = "--pin spki@leaf:sha256:" + String(repeating: "0", count: 63) + "1"

    @Test(
        "a pass or a single failure is at most 12 lines, none wider than the terminal",
        arguments: [
            (LabPeer.tls(LabTLSRecipe(.good)), "", "ok "), (.tls(LabTLSRecipe(.expired)), "", "error trust/expired"),
            (.tls(LabTLSRecipe(.wrongName)), "", "error trust/hostname-mismatch"),
            (.tls(LabTLSRecipe(.good)), wrongPin, "error pins/pin-mismatch"),
            (.dead, "", "error connect/connection-refused"), (.plainSMTP, "", "error tls/not-tls"),
            (.alert(.protocolVersion), "", "error tls/alert-received"),
            (.resetsAfterHello, "", "error tls/connection-reset"),
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
}
