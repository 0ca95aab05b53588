import Foundation
import ProbeKit

@testable import ProbeCommand

/// The scenes of the commands about files of pins.
extension SweepScene {
    static let ofFiles = [
        SweepScene(
            "lint, a file", ["profile", "lint"], ["FOLDER/pinned.yaml"], format, nativeFile, facts, unasked,
            [
                .refused("--ca", "FOLDER/other.pem"), .refused("--roots", "mozilla@2021-05"),
                .unseen(
                    "--environment", "prod", because: "its services have the same pins; the scene of --live has it"),
                .honoured("--at", instant) { run, _ in run.lints("pins-expired") },
                .unseen("--next-release", "2040-01-01", because: "no chain shows; the scene of a chain has it"),
                .skipped("--chain", because: "the scene of a chain has it"),
                .skipped("--live", because: "the scene of --live has it"),
            ]),
        SweepScene(
            "lint, a chain", ["profile", "lint"],
            ["--chain", "a.wild.test=FOLDER/chain.pem", "FOLDER/pinned.yaml"], format, nativeFile, facts, unasked,
            ofChain,
            [
                .unseen("--environment", "prod", because: "the chain is for its service; the scene of --live has it"),
                .honoured("--next-release", "2040-01-01") { run, _ in run.lints("certificate-ends-before-release") },
            ]),
        SweepScene(
            "lint, live", ["profile", "lint"], ["--live", "FOLDER/pinned.yaml"], format, nativeFile, facts, connection,
            anchors, asked,
            [
                .honoured("--next-release", "2040-01-01") { run, _ in run.lints("certificate-ends-before-release") },
                .honoured("--dns-server", "192.0.2.54", "192.0.2.55") { run, server in
                    run.queries { $0.servers.contains { "\($0)" == "\(server):53" } }
                },
                .refused("--dns-ca", "FOLDER/other.pem"),
                .honoured("--resolver", "second") { run, name in
                    run.queries { _ in true } && run.requests.queries.allSatisfy { $0.backend == name }
                },
            ]),
        SweepScene(
            "lint, live, no models", ["profile", "lint"], ["--live", "FOLDER/unlisted.yaml"], format, nativeFile,
            connection, anchors, asked,
            [
                .refused("--resolver", "second"), .refused("--dns-server", "192.0.2.54"),
                .refused("--dns-ca", "FOLDER/other.pem"), .refused("--txt", "\"dc\""),
                .unseen("--next-release", "2040-01-01", because: "the scene of --live has it"),
                .unseen("--caa", "0 issue \"ca.test\"", because: "CAARuleTests has it"),
                .unseen("--certificates", "FOLDER/other.pem", because: "CAARuleTests has it"),
                .unseen("--strict", nil, because: "it changes the exit code; ProfileLintCommandTests has it"),
            ]),
        SweepScene(
            "forecast, a chain", ["profile", "forecast"],
            ["--chain", "a.wild.test=FOLDER/chain.pem", "FOLDER/pinned.yaml"], format, nativeFile, ofChain,
            unasked.filter { !["--resolver", "--dns-server", "--dns-ca"].contains($0.name) }, clients,
            [.unseen("--environment", "prod", because: "the chain is for its service; the scene of --live has it")],
            exempt: anchorsExempt),
        SweepScene(
            "forecast, live", ["profile", "forecast"], ["--live", "FOLDER/pinned.yaml"], format, nativeFile, connection,
            anchors, asked, clients, exempt: anchorsExempt),
        SweepScene(
            "convert, all positions", ["profile", "convert"], ["--to", "apple", "FOLDER/pinned.yaml"],
            [
                .honoured("--host", "a.wild.test") { run, _ in !run.output.contains("b.wild.test") },
                .honoured("--position", "ca") { run, _ in run.output.contains("NSPinnedCAIdentities") },
                .honoured("--output", "FOLDER/NEW.db") { run, path in FileManager.default.fileExists(atPath: path) },
                .refused("--kind", "cert"), .refused("--key", "FOLDER/other.pem"),
                .refused("--strict", nil),
                .unseen("--from", "native-yaml", because: "the content says the same"),
            ], .base("--to"),
            exempt: [
                ("--host", "--output", because: "the output is in a file"),
                ("--position", "--output", because: "the output is in a file"),
            ]),
        SweepScene(
            "convert, one position", ["profile", "convert"], ["--to", "okhttp", "FOLDER/pinned.yaml"],
            [
                .honoured("--host", "a.wild.test") { run, _ in !run.output.contains("b.wild.test") },
                .refused("--position", "leaf"), .refused("--kind", "cert"), .refused("--key", "FOLDER/other.pem"),
                .refused("--strict", nil), .skipped("--output", because: "the scene of all positions has it"),
                .unseen("--from", "native-yaml", because: "the content says the same"),
            ], .base("--to")),
        SweepScene(
            "convert, to our own", ["profile", "convert"], ["--to", "native-yaml", "FOLDER/pinned.yaml"],
            [
                .honoured("--host", "a.wild.test") { run, _ in !run.output.contains("b.wild.test") },
                .refused("--position", "leaf"), .refused("--kind", "cert"), .refused("--key", "FOLDER/other.pem"),
                .unseen("--strict", nil, because: "nothing gets lost"),
                .skipped("--output", because: "the scene of all positions has it"),
                .unseen("--from", "native-yaml", because: "the content says the same"),
            ], .base("--to")),
        SweepScene(
            "convert, digests", ["profile", "convert"],
            ["--from", "hex", "--to", "native-yaml", "--kind", "cert", "FOLDER/digests.txt"],
            [
                .honoured("--host", "a.wild.test") { run, host in run.output.contains(host) },
                .honoured("--position", "ca") { run, _ in run.output.contains("position: ca") },
                .refused("--key", "FOLDER/other.pem"),
                .unseen("--strict", nil, because: "nothing gets lost"),
                .skipped("--output", because: "the scene of all positions has it"),
            ], .base("--from", "--to", "--kind")),
        SweepScene(
            "diff", ["profile", "diff"], ["FOLDER/pinned.yaml", "FOLDER/unlisted.yaml"], format,
            nativeFile.filter { !["--from", "--crl"].contains($0.name) },
            [
                .unseen("--from-a", "native-yaml", because: "the content says the same"),
                .unseen("--from-b", "native-yaml", because: "the content says the same"),
            ]),
    ]

    private static let format = plainFormats + log

    /// A native profile has the facts that other files leave open.
    private static let nativeFile: [SweptOption] = [
        .refused("--host", "a.wild.test"), .refused("--kind", "cert"), .refused("--position", "leaf"),
        .refused("--key", "FOLDER/other.pem"),
        .unseen("--from", "native-yaml", because: "the content says the same"), .refused("--crl", "FOLDER/empty.crl"),
    ]

    private static let facts: [SweptOption] = [
        .honoured("--txt", "silent.test=\"DC\"", "models.test=\"dc\"") { run, text in
            run.arguments.contains { $0.hasPrefix("silent") } ? run.lints("uppercase-item") : text.hasPrefix("models")
        },
        .unseen("--caa", "0 issue \"ca.test\"", because: "it is about a backup's certificate; CAARuleTests has it"),
        .unseen("--certificates", "FOLDER/other.pem", because: "no pin is of it; CAARuleTests has it"),
        .unseen("--strict", nil, because: "it changes the exit code; ProfileLintCommandTests has it"),
    ]

    /// No server is asked.
    private static let unasked: [SweptOption] = [
        .refused("--connect", "192.0.2.9:443"), .refused("--timeout", "77"), .refused("--backend", "two"),
        .refused("--resolver", "second"), .refused("--dns-server", "192.0.2.54"),
        .refused("--dns-ca", "FOLDER/other.pem"),
    ]

    private static let ofChain: [SweptOption] =
        [
            .honoured("--at", instant) { run, _ in run.questions { $0.instant == moment } },
            .honoured("--ca", "FOLDER/other.pem") { run, path in
                run.questions { $0.anchors.name == path }
            },
            .honoured("--roots", "mozilla@2021-05") { run, name in
                run.questions { $0.anchors.name.hasPrefix(name.dropLast(4)) }
            },
            .refused("--live", nil),
        ] + [SweptOption].base("--chain")

    private static let asked: [SweptOption] =
        [
            .honoured("--backend", "two") { run, name in
                run.handshakes { _ in true } && run.requests.handshakes.allSatisfy { $0.backend == name }
            },
            .honoured("--environment", "prod", "dev") { run, name in
                run.requests.handshakes.contains { "\($0.request.serverName)".hasPrefix(name == "prod" ? "a." : "b.") }
                    && (run.arguments.contains("dev") || run.handshakes { "\($0.serverName)".hasPrefix("a.") })
            },
            .refused("--chain", "FOLDER/chain.pem"),
        ] + [SweptOption].base("--live")

    private static let clients: [SweptOption] = [
        .honoured("--client", "FOLDER/clients.yaml") { run, _ in !run.lines.allSatisfy { $0["clients"] is NSNull } },
        .honoured("--fleet", "FOLDER/fleet.yaml") { run, _ in !run.lines.allSatisfy { $0["clients"] is NSNull } },
    ]
    private static let anchorsExempt: [(String, String, because: String)] = []
}

extension SweepRun {
    /// Returns true if verifiers were asked, and all questions satisfy the predicate.
    func questions(_ predicate: (TrustQuestion) -> Bool) -> Bool {
        !requests.trust.isEmpty && requests.trust.allSatisfy { predicate($0.question) }
    }

    /// Returns true if a lint has a finding with a code.
    func lints(_ code: String) -> Bool { lines.contains { $0["code"] as? String == code } }
}
