import Foundation
import ProbeKit

@testable import ProbeCommand

/// The options that scenes share: connections, anchors, DNS, backends, and what is printed and kept.
extension SweepScene {
    static let connection: [SweptOption] = [
        .honoured("--connect", "192.0.2.9:443") { run, place in run.handshakes { "\($0.endpoint)" == place } },
        .honoured("--at", instant) { run, _ in
            run.handshakes { abs($0.instant.timeIntervalSince(moment)) < 3600 }
                && run.requests.queries.allSatisfy {
                    abs($0.query.instant?.timeIntervalSince(moment) ?? .infinity) < 3600
                }
        },
        .honoured("--timeout", "3000") { run, _ in
            run.handshakes { $0.deadline.remaining > .seconds(1000) }
                && run.requests.queries.allSatisfy { $0.query.deadline.remaining > .seconds(1000) }
        },
    ]

    static let anchors: [SweptOption] = [
        .honoured("--ca", "FOLDER/other.pem") { run, path in run.handshakes { $0.anchors.name == path } },
        .honoured("--roots", "mozilla@2021-05", "all@2021-05") { run, name in
            run.handshakes { $0.anchors.name.hasPrefix(name.dropLast(4)) }
        },
    ]
    /// Beside `--ca`, which the scene needs.
    static let otherAnchors: [SweptOption] = [.refused("--roots", "mozilla@2021-05")]

    static let validation: [SweptOption] = [
        .honoured("--dnssec", "require") { run, _ in run.queries { $0.dnssec == .require } },
        .honoured("--edns-size", "4096") { run, _ in run.queries { $0.ednsSize == 4096 } },
        .honoured("--txt-strings", "separate") { run, _ in
            run.output.contains(#/model-not-listed"[^:]/#)
                || run.arguments[0] == "watch" && (failures + [13]).contains(run.code)
        },
    ]
    static let redirection: [SweptOption] = [
        .honoured("--dns-connect", "192.0.2.8:443") { run, place in
            run.queries { !$0.httpsServers.isEmpty && $0.httpsServers.allSatisfy { "\($0.endpoint)" == place } }
        },
        .honoured("--dns-ca", "FOLDER/other.pem") { run, path in
            run.queries { !$0.httpsServers.isEmpty && $0.httpsServers.allSatisfy { $0.anchors.name == path } }
        },
        // For tls servers alone, as TLSServerCommandTests has it.
        .refused("--dns-pin", "PIN"),
    ]

    static let questionsOfLists: [SweptOption] =
        [
            .honoured("--dns-server", "192.0.2.54", "192.0.2.55") { run, server in
                run.queries { $0.servers.contains { "\($0)" == "\(server):53" } }
            },
            .honoured("--dnssec-anchor", anchor, otherAnchor) { run, anchor in
                run.queries { $0.anchors.contains { "\($0)" == anchor } }
            },
        ] + validation + redirection + [SweptOption].base("--model")

    static let questions: [SweptOption] =
        questionsOfLists + [
            .honoured("--model-host", "other.test", "another.test") { run, name in
                run.requests.queries.contains { "\($0.query.name)" == name }
            }
        ]

    /// The profile has rules with a server of each kind, and validates the first one's list.
    static let profileQuestions: [SweptOption] =
        validation + redirection + [
            .honoured("--dns-server", "192.0.2.54", "https://other.test/q") { run, server in
                run.queries {
                    $0.servers.contains { "\($0)" == "\(server):53" } || $0.httpsServers.contains { "\($0)" == server }
                        || $0.httpsServers.contains { $0.description == server }
                } && run.queries { !$0.servers.contains { "\($0)" == "192.0.2.53:53" } }
            },
            .honoured("--dnssec-anchor", anchor, otherAnchor) { run, anchor in
                run.requests.queries.contains { $0.query.anchors.contains { "\($0)" == anchor } }
            },
        ]

    static let resolvers: [SweptOption] = [
        .honoured("--resolver", "first", "second") { run, name in
            run.requests.queries.contains { $0.backend == name }
                && (run.arguments.contains("second")
                    || run.queries { _ in true }
                        && run.requests.queries.allSatisfy { $0.backend == "first" })
        }
    ]
    static let programs: [SweptOption] = [
        .honoured("--plugin", "FOLDER/probe-transport-ext", "FOLDER/probe-transport-ext2") { run, path in
            run.output.contains("\"" + (path.split(separator: "-").last ?? "") + "\"")
                || run.output.contains("\"" + (path.split(separator: "-").last ?? "") + "+")
        }
    ]
    static let folder: [SweptOption] = [
        .unseen("--plugin-path", "FOLDER/none", because: "programs of a folder are those of --plugin")
    ]
    static let plugins: [SweptOption] = [.refused("--plugin", "FOLDER/probe-transport-ext")] + folder
    static let backends: [SweptOption] =
        [
            .honoured("--backend", "one", "two") { run, name in
                run.requests.handshakes.contains { $0.backend == name }
                    && (run.arguments.contains("two") || run.requests.handshakes.allSatisfy { $0.backend == "one" })
            },
            .skipped("--system-settings", because: "it starts the program again; SystemSettingsTests has it"),
        ] + resolvers + programs + folder

    static let times: [SweptOption] = [
        .honoured("--at", instant) { run, _ in run.queries { $0.instant == moment } },
        .honoured("--timeout", "3000") { run, _ in run.queries { $0.deadline.remaining > .seconds(1000) } },
    ]

    static let cache: [SweptOption] = [
        .honoured("--cache", "FOLDER/NEW.db") { run, path in FileManager.default.fileExists(atPath: path) },
        .unseen("--no-cache", nil, because: "it is what happens without --cache"),
        .unseen("--cache-lifetime", "60", because: "refused without --cache; with it, CacheCommandTests has it"),
    ]
    static let cacheExempt = [
        (
            "--cache", "--no-cache", because: "the help says that --no-cache decides, so that scripts can add it"
        )
    ]

    static let plainFormats: [SweptOption] = [
        .honoured("--format", "text") { run, _ in run.lines.isEmpty && !run.output.isEmpty }
    ]
    static let formats: [SweptOption] = [
        .honoured("--format", "junit") { run, _ in run.output.hasPrefix("<?xml") },
        .unseen("--verbose", nil, because: "it adds lines to text where there are more; CheckTextTests has it"),
    ]
    static let warnings: [SweptOption] = [
        .unseen(
            "--fail-on-warning", nil,
            because: "it changes the exit code, and what fails in JUnit; RetryCommandTests has it")
    ]
    static let log: [SweptOption] = [
        .unseen("--log-level", "none", because: "the log is the process's, and CommandTests looks at it")
    ]

    static let withoutProfile: [SweptOption] = [
        .refused("--profile", "FOLDER/app.yaml"), .refused("--environment", "prod"),
        .refused("--signature", "FOLDER/app.p7s"), .refused("--signers", "FOLDER/signers.json"),
        .refused("--key", "FOLDER/other.pem"),
    ]
    static let ofProfile: [SweptOption] =
        [SweptOption].base("--profile") + [
            .honoured("--environment", "prod", "dev") { run, name in
                run.requests.handshakes.contains { "\($0.request.serverName)".hasPrefix(name == "prod" ? "a." : "b.") }
                    && (run.arguments.contains("dev")
                        || run.handshakes { "\($0.serverName)".hasPrefix("a.") })
            },
            .honoured("--signature", "FOLDER/app.p7s") { run, _ in !run.requests.signatures.isEmpty },
            .honoured("--signers", "FOLDER/signers.json") { run, _ in !run.requests.signatures.isEmpty },
            .refused("--key", "FOLDER/other.pem"),
        ]

    static let watch: [SweptOption] =
        [SweptOption].base("--rounds") + [
            .unseen("--every", "1", because: "a sweep has one round"),
            .unseen("--jitter", "0", because: "a sweep has one round"),
            .unseen("--backoff", "1", because: "every server answers"),
            .unseen("--warn-days", "1", because: "WatchCommandTests has it"),
            .unseen("--exec", "true", because: "WatchCommandTests has it"),
            .unseen("--exec-timeout", "1", because: "refused without --exec; with it, WatchCommandTests has it"),
            .unseen("--until-first-failure", nil, because: "a sweep has one round"),
            .unseen(
                "--connection-lifetime", "60", because: "refused without --cache; with it, CacheCommandTests has it"),
        ]

    static let scan: [SweptOption] =
        [
            .honoured("--list", "FOLDER/targets.txt") { run, _ in
                run.requests.handshakes.contains { "\($0.request.serverName)" == "c.wild.test" }
            },
            .unseen("--concurrency", "2", because: "ScanSlotsTests has it"),
            .skipped("--spacing", because: "it looks names up; ScanCommandTests has it"),
            .honoured("--shard", "1/1") { run, _ in run.output.contains("\"shard\":\"1/1\"") },
            .skipped("--resume", because: "results go to a file; ScanCommandTests has it"),
            .skipped("--retry-failed", because: "it needs --resume; ScanOverloadTests has it"),
            .honoured("--format", "csv") { run, _ in run.output.hasPrefix("target,service,transport,") },
        ] + retries
    static let retries: [SweptOption] = [
        .unseen("--retry", "1", because: "every target of a sweep answers; RetryCommandTests has it")
    ]
}
