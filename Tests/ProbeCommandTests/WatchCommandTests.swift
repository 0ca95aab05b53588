import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Subprocess
import Testing

/// `probe watch` from the command line.
@Suite(.bounded) struct WatchCommandTests {
    private static let pki = LabPKI(epoch: .now)

    /// Runs `body` with the options for the lab's CA, and a folder.
    private func withFolder<Value>(_ body: (String, [String]) async throws -> Value) async throws -> Value {
        try await ScratchFolder.withURL { folder in
            let ca = folder.appending(path: "ca.pem").path
            try Self.pki.rootPEM().write(toFile: ca, atomically: true, encoding: .utf8)
            return try await body(folder.path, ["--ca", ca, "--jitter", "0", "--format", "json", "good.test"])
        }
    }

    /// Watches a peer.
    private func watch(
        _ arguments: [String], of peer: LabPeer = .tls(LabTLSRecipe(.good))
    ) async throws -> Probe.Outcome {
        try await withFolder { _, options in
            try await LabServer.run(peer, pki: Self.pki) { server in
                try await Probe.run(["watch", "--connect", "\(server.endpoint)"] + arguments + options)
            }
        }
    }

    private func kinds(_ outcome: Probe.Outcome) -> [String] {
        outcome.lines.map { "\($0["kind"] ?? "") \($0["to"] ?? "")" }
    }

    @Test("[R51] one line for each subject, whatever the rounds") func nothingChanges() async throws {
        let outcome = try await watch(["--backend", "openssl,gnutls", "--rounds", "3", "--every", "0.3"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(kinds(outcome) == ["status pass", "status pass"])
        let schema = try Schema.load("probe-watch-1.schema.json")
        for line in outcome.lines { #expect(schema.violations(in: line) == []) }
    }

    @Test("[R50] the exit code is that of the last outcomes") func failuresHaveTheirCodes() async throws {
        let outcome = try await watch(
            ["--backend", "openssl", "--rounds", "2", "--every", "0.2"], of: .tls(LabTLSRecipe(.expired)))
        #expect(outcome.code == 11)
        #expect(kinds(outcome) == ["status trust-failed"])
        let schema = try Schema.load("probe-watch-1.schema.json")
        for line in outcome.lines { #expect(schema.violations(in: line) == []) }
    }

    @Test("[R50] the first failure ends a watch that is configured so") func untilFirstFailure() async throws {
        let outcome = try await watch(
            ["--backend", "openssl", "--until-first-failure", "good.test"], of: .tls(LabTLSRecipe(.expired)))
        #expect(outcome.code == 11)
    }

    @Test("[R48, R51] a server that goes and comes back is reported twice") func aServerThatComesBack() async throws {
        try await withFolder { _, options in
            let recipe = LabPeer.tls(LabTLSRecipe(.good))
            let server = try await LabServer.start(recipe, pki: Self.pki)
            let arguments =
                ["--connect", "\(server.endpoint)", "--backend", "openssl", "--every", "0.2", "--backoff", "0.1"]
                + options
            var again: LabServer?
            var kinds: [String] = []
            let code = try await Probe.follow(["watch"] + arguments) { index, line in
                kinds.append("\(line["kind"] ?? "") \(line["to"] ?? "")")
                switch index {
                case 0: await server.stop()
                case 1: again = try await LabServer.start(recipe, pki: Self.pki, port: server.endpoint.port)
                default: return .terminate
                }
                return nil
            }
            #expect(code == 0)
            #expect(kinds == ["status pass", "status unreachable", "recovered pass"])
            await again?.stop()
        }
    }

    @Test(
        "[R50] SIGINT, SIGTERM and SIGHUP end it with the code of the last outcome",
        arguments: [
            (Signal.interrupt, LabIdentityName.good, Int32(0)), (.terminate, .good, 0), (.terminate, .expired, 11),
            (.terminalClosed, .good, 0),
        ]) func signals(signal: Signal, identity: LabIdentityName, code: Int32) async throws
    {
        try await withFolder { _, options in
            try await LabServer.run(.tls(LabTLSRecipe(identity)), pki: Self.pki) { server in
                let arguments = ["--connect", "\(server.endpoint)", "--backend", "openssl"] + options
                let ended = try await Probe.follow(["watch"] + arguments) { _, _ in signal }
                #expect(ended == code)
            }
        }
    }

    /// The pipe is full before the first line, and is never read.
    @Test("[R50] SIGINT ends it though its reader stalls") func aStalledReader() async throws {
        try await withFolder { folder, options in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let arguments = (["--connect", "\(server.endpoint)", "--backend", "openssl"] + options)
                    .map { "'\($0)'" }.joined(separator: " ")
                async let ended = Probe.shell(
                    """
                    mkfifo '\(folder)/pipe'; exec 9<> '\(folder)/pipe'
                    dd if=/dev/zero of='\(folder)/pipe' oflag=nonblock bs=4096 count=1000 2> /dev/null
                    timeout -s KILL 1500 "$0" watch \(arguments) > '\(folder)/pipe' &
                    for _ in $(seq 50000); do [ -e '\(folder)/go' ] && break; sleep 0.02; done
                    sleep 1; pkill -INT -P $!; wait $!; echo $? >&2
                    """)
                let limit = ContinuousClock.now + .seconds(1500)
                while server.acceptedConnections == 0, .now < limit { try await Task.sleep(for: .milliseconds(10)) }
                try "".write(toFile: "\(folder)/go", atomically: true, encoding: .utf8)
                #expect(try await ended.errors.hasSuffix("130\n"))
            }
        }
    }

    /// Signals of half a second are one request to end, so others follow until one is a second.
    @Test(
        "[R50] a second signal ends it at once, with a probe under way and the first one's code",
        arguments: [("TERM TERM", Int32(143)), ("TERM INT", 143), ("INT TERM", 130)])
    func theSecondSignal(_ signals: String, code: Int32) async throws {
        try await withFolder { folder, options in
            try await LabServer.run(.silent, pki: Self.pki) { server in
                let arguments =
                    (["--connect", "\(server.endpoint)", "--backend", "openssl", "--timeout", "50"] + options)
                    .map { "'\($0)'" }.joined(separator: " ")
                async let ended = Probe.shell(
                    """
                    timeout -s KILL 1500 "$0" watch \(arguments) &
                    for _ in $(seq 50000); do [ -e '\(folder)/go' ] && break; sleep 0.02; done
                    set -- \(signals); pkill -$1 -P $!
                    for _ in 1 2 3 4 5; do sleep 0.6; pkill -$2 -P $! || break; done; wait $!; echo $? >&2
                    """)
                let limit = ContinuousClock.now + .seconds(1500)
                while server.acceptedConnections == 0, .now < limit { try await Task.sleep(for: .milliseconds(10)) }
                let stopwatch = Stopwatch()
                try "".write(toFile: "\(folder)/go", atomically: true, encoding: .utf8)
                // Nothing is known of the server: no verdict.
                #expect(try await ended.errors.hasSuffix("\(code)\n"))
                #expect(stopwatch.elapsed < .seconds(30))
            }
        }
    }

    @Test("[R50] a command is run on each change, with the change on its input and in its environment")
    func hooks() async throws {
        try await withFolder { folder, options in
            try await LabServer.run(.tls(LabTLSRecipe(.expired)), pki: Self.pki) { server in
                let outcome = try await Probe.run(
                    [
                        "watch", "--connect", "\(server.endpoint)", "--backend", "openssl", "--rounds", "2", "--every",
                        "0.2",
                        "--exec",
                        "cat >> '\(folder)/input'; echo \"$PROBE_KIND $PROBE_SUBJECT $PROBE_OUTCOME $PROBE_TRANSPORT [$PROBE_FROM]\" >> '\(folder)/environment'",
                    ] + options)
                #expect(outcome.code == 11)
                let input = try String(contentsOfFile: "\(folder)/input", encoding: .utf8)
                #expect(input == outcome.output)
                let environment = try String(contentsOfFile: "\(folder)/environment", encoding: .utf8)
                #expect(environment == "status good.test:443 trust-failed openssl []\n")
            }
        }
    }

    @Test("[R50] a command runs once for one dead server, however many backends see it") func oneHookForOneServer()
        async throws
    {
        try await withFolder { folder, options in
            let outcome = try await Probe.run(
                [
                    "watch", "--connect", "127.0.0.1:1", "--backend", "openssl,gnutls,nio", "--rounds", "2", "--every",
                    "0.2", "--backoff", "0.1", "--exec",
                    "cat >> '\(folder)/input'; echo \"$PROBE_OUTCOME $PROBE_TRANSPORT $PROBE_CODE\" >> '\(folder)/runs'",
                ] + options)
            #expect(outcome.code == 20, "\(outcome.errors)")
            #expect(outcome.lines.count == 3)
            #expect(try String(contentsOfFile: "\(folder)/input", encoding: .utf8) == outcome.output)
            let runs = try String(contentsOfFile: "\(folder)/runs", encoding: .utf8)
            #expect(runs == "unreachable openssl,gnutls,nio connection-refused\n")
        }
    }

    @Test(
        "[R50] a full disk keeps nobody from hearing of a change",
        arguments: ["> /dev/full", "2> '/dev/full'", "TMPDIR"])
    func hooksOnAFullDisk(_ place: String) async throws {
        try await withFolder { folder, options in
            let words =
                (["watch", "--connect", "127.0.0.1:1", "--backend", "openssl", "--rounds", "1", "--backoff", "0.1"]
                + options)
                .map { "'\($0)'" }.joined(separator: " ")
            let outcome = try await Probe.shell(
                """
                \(place == "TMPDIR" ? "TMPDIR=/nonexistent" : "") "$0" \(words) \
                --exec 'echo $PROBE_OUTCOME >> '\(folder)/runs \(place == "TMPDIR" ? "" : place)
                """)
            #expect(outcome.code == (place == "> /dev/full" ? 70 : 20), "\(outcome)")
            #expect(try String(contentsOfFile: "\(folder)/runs", encoding: .utf8) == "unreachable\n")
            #expect(
                outcome.errors.contains("no temporary file could be written") == (place == "TMPDIR"),
                "\(outcome.errors)")
        }
    }

    @Test("[R50] a command that fails is a warning, and its output never mixes with the changes") func failingHooks()
        async throws
    {
        let outcome = try await watch(["--backend", "openssl", "--rounds", "1", "--exec", "echo noise; exit 3"])
        #expect(outcome.code == 0)
        #expect(kinds(outcome) == ["status pass"])
        #expect(outcome.output.split(separator: "\n").count == 1)
        #expect(outcome.errors.contains("noise"))
        #expect(outcome.errors.contains("it ended with code 3"))
        let quiet = try await watch(
            ["--backend", "openssl", "--rounds", "1", "--exec", "exit 3", "--log-level", "none"])
        #expect(quiet.errors == "")
    }

    @Test("[R50] a command that does not end is killed with its children") func endlessHooks() async throws {
        try await withFolder { folder, options in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let outcome = try await Probe.run(
                    [
                        "watch", "--connect", "\(server.endpoint)", "--backend", "openssl", "--rounds", "1",
                        "--exec", "trap '' TERM; sleep 300 & echo $! > '\(folder)/child'; wait", "--exec-timeout",
                        "0.5",
                    ] + options)
                #expect(outcome.code == 0)
                #expect(outcome.errors.contains("it was killed after"))
                #expect(try await Self.isDead(processIn: "\(folder)/child"))
            }
        }
    }

    /// Returns true if the process whose number a file has is dead, or dies soon: one that was killed still needs a turn to end.
    private static func isDead(processIn file: String) async throws -> Bool {
        let child = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        // proc(5): the state follows the name. One that only waits to be reaped is dead.
        func isDead() -> Bool {
            let text = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
            return text?.split(separator: ") ").last?.first ?? "Z" == "Z"
        }
        let end = ContinuousClock.now + .seconds(1500)
        while !isDead(), .now < end { try await Task.sleep(for: .milliseconds(20)) }
        return isDead()
    }

    @Test("[R50] a second signal ends the command that runs, with its children") func hooksAtTheSecondSignal()
        async throws
    {
        try await withFolder { folder, options in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let arguments =
                    (["--connect", "\(server.endpoint)", "--backend", "openssl", "--exec-timeout", "3000"] + options)
                    .map { "'\($0)'" }.joined(separator: " ")
                let child = "\(folder)/child"
                let outcome = try await Probe.shell(
                    """
                    timeout -s KILL 1500 "$0" watch \(arguments) \
                      --exec "trap '' TERM; sleep 3000 & echo \\$! > '\(child).new'; mv '\(child).new' '\(child)'; wait" &
                    for _ in $(seq 50000); do [ -e '\(child)' ] && break; sleep 0.02; done
                    for _ in 1 2 3 4 5 6; do pkill -TERM -P $! || break; sleep 0.6; done; wait $!; echo $? >&2
                    """)
                #expect(outcome.errors.hasSuffix("143\n"), "\(outcome)")
                #expect(try await Self.isDead(processIn: child))
            }
        }
    }

    @Test("[R50] what a peer says never becomes part of the command") func hooksAreNoInjection() async throws {
        try await withFolder { folder, options in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let profile = "\(folder)/app.yaml"
                try """
                profile: 1
                unlistedHost: system
                services:
                  "$(touch \(folder)/pwned);`touch \(folder)/pwned`": {url: "https://good.test", connect: "\(server.endpoint)"}
                """.write(toFile: profile, atomically: true, encoding: .utf8)
                let outcome = try await Probe.run(
                    [
                        "watch", "--profile", profile, "--backend", "openssl", "--rounds", "1", "--exec",
                        "echo $PROBE_SERVICE",
                    ]
                        + options.dropLast())
                #expect(outcome.code == 0, "\(outcome.errors)")
                #expect(outcome.errors.contains("$(touch"))
                #expect(!FileManager.default.fileExists(atPath: "\(folder)/pwned"))
            }
        }
    }

    /// A program that the command starts would read settings that nobody asked it for.
    @Test func aCommandDoesNotInheritTheWishForSettings() async throws {
        let outcome = try await watch([
            "--system-settings", "--backend", "openssl", "--rounds", "1", "--exec", "env",
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("PROBE_OUTCOME=pass"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("PROBE_SYSTEM_SETTINGS"), "\(outcome.errors)")
    }

    @Test("[R49] a profile's alternates stand in, and the report says so") func alternatesOfProfiles() async throws {
        try await withFolder { folder, options in
            try await LabServer.run(.dead, pki: Self.pki) { dead in
                try await LabServer.run(.tls(LabTLSRecipe(.address)), pki: Self.pki) { server in
                    let profile = "\(folder)/app.yaml"
                    try """
                    profile: 1
                    unlistedHost: system
                    services:
                      api: {url: "https://good.test", connect: "\(dead.endpoint)", alternates: ["https://\(server.endpoint)"]}
                    """.write(toFile: profile, atomically: true, encoding: .utf8)
                    let ca = Array(options[..<2])
                    let outcome = try await Probe.run(
                        ["check", "--profile", profile, "--backend", "all", "--format", "json"] + ca)
                    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
                    let schema = try Schema.load("probe-1.schema.json")
                    for line in outcome.lines {
                        #expect(schema.violations(in: line) == [])
                        let attempts = (line["evidence"] as? [String: Any])?["attempts"] as? [[String: Any]]
                        #expect(attempts?.map { $0["target"] as? String } == ["good.test:443", "\(server.endpoint)"])
                        #expect(attempts?.last?["failure"] is NSNull)
                    }
                    #expect(outcome.lines.count == 4)
                }
            }
        }
    }

    @Test("[R76] the log shows results by label, and nothing unless asked") func logging() async throws {
        let outcome = try await watch(["--backend", "openssl", "--rounds", "1", "--log-level", "debug"])
        #expect(outcome.errors.contains("probe: debug certificate-pinning: good.test:443 through openssl: pass"))
        let quiet = try await watch(["--backend", "openssl", "--rounds", "1"])
        #expect(quiet.errors == "")
    }

    @Test(arguments: [
        ["--every", "0"], ["--every", "-1"], ["--every", "nan"], ["--jitter", "101"], ["--rounds", "0"],
        ["--warn-days", "-1"], ["--backoff", "0"], ["--exec-timeout", "0"], ["--format", "junit"],
        ["--log-level", "loud"],
    ]) func badInputIsRefused(arguments: [String]) async throws {
        let outcome = try await Probe.run(["watch", "--connect", "127.0.0.1:1"] + arguments + ["good.test"])
        #expect(outcome.code == 64)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(arguments[0]))
    }

    /// An empty command would report each change to nobody.
    @Test(arguments: ["", " "]) func anEmptyCommandIsRefused(command: String) async throws {
        let outcome = try await Probe.run(["watch", "--exec", command, "--connect", "127.0.0.1:1", "good.test"])
        #expect(outcome.code == 64 && outcome.errors.contains("--exec is empty"), "\(outcome)")
    }
}
