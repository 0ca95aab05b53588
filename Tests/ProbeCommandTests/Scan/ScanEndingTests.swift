import Foundation
import ProbeKit
import ProbeLab
import ProbePacking
import ProbeScan
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// The end and the resumption of a scan: whole lines only, and every target once.
@Suite(.bounded) struct ScanEndingTests {
    @Test(
        "a scan that was killed and goes on has every target once",
        arguments: [
            ("out", "", [50_000, 500_000], 1000), ("out.zst", "", [2000, 20_000], 100),
            // What was written last stands beside it, and is whole.
            ("out.sqlite", "-wal", [100_000, 600_000], 0),
        ])
    func killed(_ file: String, _ growing: String, _ sizes: [Int], _ lost: Int) async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                let names = (1...400).map { "\(server.endpoint),good.test:\($0)" }
                let list = try bench.list(names + ["a b", names[0]])
                let arguments = bench.arguments(
                    ["--backend", "gnutls", "--concurrency", "4", "--list", list, "--resume", bench.path(file)]
                ).map { "'\($0)'" }.joined(separator: " ")
                for bytes in sizes {
                    let killed = try await Probe.shell(
                        """
                        "$0" \(arguments) & for _ in $(seq 50000); do
                        [ "$(stat -c %s '\(bench.path(file + growing))' 2>&1)" -gt \(bytes) ] 2>/dev/null && break; sleep 0.02
                        done; kill -KILL $!; wait $!; echo $? >&2
                        """)
                    #expect(killed.errors.hasSuffix("137\n"), "it was over before it could be killed: \(killed.errors)")
                    // The typical remains of a killed process: the beginning of a line, or of a target.
                    guard lost > 0 else { continue }
                    let written = try Data(contentsOf: URL(filePath: bench.path(file)))
                    try written.dropLast(lost).write(to: URL(filePath: bench.path(file)))
                }
                let last = try await Probe.shell("\"$0\" \(arguments)")
                #expect(last.code == 65 && last.output.isEmpty, "\(last.errors)")
                let lines = try bench.lines(of: file)
                let targets = lines.compactMap(\.target).sorted()
                let expected = (1...400).flatMap { ["good.test:\($0)", "good.test:\($0)"] }
                #expect(targets == (expected + ["a b", "good.test:1", "good.test:1"]).sorted())
                let manifest = try #require(lines.last)
                #expect(manifest.count("targets") == 401 && manifest.count(of: "pass") == 802)
                #expect(try #require(manifest.count("skipped")) > 0)
                // Nothing is left to do, and nothing is done.
                let idle = try await Probe.shell("\"$0\" \(arguments)")
                #expect(idle.code == 65)
                let again = try bench.lines(of: file)
                #expect(again.count == lines.count + 1 && again.last?.count("skipped") == 402)
            }
        }
    }

    /// The list never ends, the second line never comes, and the first target's time is not over for long.
    @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
    func theFirstSignalEndsWithinTwoSeconds(signal: String, code: Int) async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.silent, pki: ScanBench.pki) { server in
                let arguments = bench.arguments(["--backend", "all", "--timeout", "600", "--list", "-"])
                    .joined(separator: " ")
                let pipe = bench.path("pipe")
                async let ended = Probe.shell(
                    """
                    mkfifo '\(pipe)'; exec 9<> '\(pipe)'; echo '127.0.0.1:1' >&9; echo '\(server.endpoint)' >&9
                    timeout -s KILL 1500 "$0" \(arguments) < '\(pipe)' & \(Self.wait("-e '\(bench.path("go"))'"))
                    began=$(date +%s%N); pkill -\(signal) -P $!; wait $!; echo $? $(( ($(date +%s%N) - began) / 1000000 )) >&2
                    """)
                let limit = ContinuousClock.now + .seconds(1500)
                while server.acceptedConnections < 4, .now < limit { try await Task.sleep(for: .milliseconds(10)) }
                try "".write(toFile: bench.path("go"), atomically: true, encoding: .utf8)
                let outcome = try await ended
                let numbers = outcome.errors.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
                #expect(numbers.first == code, "\(outcome.errors)")
                // Two seconds, and as much again for a machine that has other things to do.
                #expect(numbers.count == 2 && numbers[1] < 4000, "\(outcome.errors)")
                let lines = try ScanBench.lines(of: Data(outcome.output.utf8))
                #expect(lines.dropLast().allSatisfy { $0.outcome == "unreachable" })
                let manifest = try #require(lines.last)
                #expect(manifest.isManifest && manifest["complete"] as? Bool == false)
                #expect(manifest.count("results") == lines.count - 1 && manifest.count("targets") == 1)
            }
        }
    }

    /// The manifest is right about the list whether its last target ended in time after the signal or not.
    @Test func aTargetThatEndsAfterTheSignalLeavesTheListComplete() async throws {
        try await ScanBench.run { bench in
            // The server closes the connection at its own end.
            let ended = try await LabServer.run(.silent, pki: ScanBench.pki) { server in
                let arguments = bench.arguments(["--timeout", "600", "\(server.endpoint)"]).joined(separator: " ")
                let ended = Task {
                    try await Probe.shell(
                        """
                        timeout -s KILL 1500 "$0" \(arguments) & \(Self.wait("-e '\(bench.path("go"))'"))
                        pkill -INT -P $!; touch '\(bench.path("gone"))'; wait $!; echo $? >&2
                        """)
                }
                let limit = ContinuousClock.now + .seconds(1500)
                while server.acceptedConnections == 0, .now < limit { try await Task.sleep(for: .milliseconds(10)) }
                try "".write(toFile: bench.path("go"), atomically: true, encoding: .utf8)
                while !FileManager.default.fileExists(atPath: bench.path("gone")), .now < limit {
                    try await Task.sleep(for: .milliseconds(10))
                }
                return ended
            }
            let outcome = try await ended.value
            #expect(outcome.errors == "130\n")
            let lines = try ScanBench.lines(of: Data(outcome.output.utf8))
            let isWhole = lines.map(\.outcome) == ["handshake-failed", nil]
            #expect(lines.last?["complete"] as? Bool == isWhole)
            #expect(lines.last?.count("targets") == lines.count - 1)
        }
    }

    @Test func theSecondSignalEndsAtOnce() async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.silent, pki: ScanBench.pki) { server in
                let arguments = bench.arguments(["--timeout", "50", "127.0.0.1:1", "\(server.endpoint)"])
                    .joined(separator: " ")
                let took = try await Stopwatch.measure {
                    // Signals of half a second are one request to end, so others follow until one is a second.
                    let outcome = try await Probe.shell(
                        """
                        timeout -s KILL 1500 "$0" \(arguments) > '\(bench.path("out"))' & \(Self.wait("-s '\(bench.path("out"))'"))
                        for _ in 1 2 3 4 5 6; do pkill -INT -P $! || break; sleep 0.6; done; wait $!; echo $? >&2
                        """)
                    #expect(outcome.errors == "130\n")
                    #expect(try bench.lines(of: "out").map(\.outcome) == ["unreachable"])
                }
                #expect(took < .seconds(30))
            }
        }
    }

    /// `timeout` signals its program, and then the group that both are in.
    @Test("signals that come together are one request to end: the manifest is written") func oneRequest() async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.silent, pki: ScanBench.pki) { server in
                let arguments = bench.arguments(["--timeout", "600", "127.0.0.1:1", "\(server.endpoint)"])
                    .joined(separator: " ")
                // The kernel would make one of two that are the same.
                let outcome = try await Probe.shell(
                    """
                    timeout -s KILL 1500 "$0" \(arguments) > '\(bench.path("out"))' & \(Self.wait("-s '\(bench.path("out"))'"))
                    scan=$(pgrep -P $!); kill -TERM $scan; kill -INT $scan; wait $!; echo $? >&2
                    """)
                #expect(["143\n", "130\n"].contains(outcome.errors), "\(outcome.errors)")
                #expect(try bench.lines(of: "out").last?.isManifest == true)
            }
        }
    }

    /// A queued target has not begun: it is left to the next run.
    @Test func whatWaitsForItsTurnIsNotWaitedFor() async throws {
        try await ScanBench.run { bench in
            let arguments = bench.arguments(["--spacing", "600", "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"])
                .joined(separator: " ")
            let outcome = try await Probe.shell(
                """
                timeout -s KILL 1500 "$0" \(arguments) > '\(bench.path("out"))' & \(Self.wait("-s '\(bench.path("out"))'"))
                pkill -INT -P $!; wait $!; echo $? >&2
                """)
            #expect(outcome.errors == "130\n")
            let lines = try bench.lines(of: "out")
            // The last is the manifest.
            #expect(lines.map(\.outcome) == ["unreachable", nil])
        }
    }

    @Test(
        "a file that is removed while the scan runs is not an end in order",
        arguments: [("out", "out"), ("out.zst", "out.zst"), ("out.sqlite", "out.sqlite-wal")])
    func removed(_ file: String, growing: String) async throws {
        try await ScanBench.run { bench in
            let path = bench.path(file)
            let arguments = bench.arguments(["--spacing", "600", "127.0.0.1:1", "127.0.0.1:2", "--resume", path])
                .joined(separator: " ")
            let outcome = try await Probe.shell(
                """
                timeout -s KILL 1500 "$0" \(arguments) & \(Self.wait("-s '\(bench.path(growing))'"))
                rm '\(path)'; pkill -INT -P $!; wait $!; echo $? >&2
                """)
            #expect(
                outcome.errors.contains("was removed while it was written to") && outcome.errors.hasSuffix("70\n"),
                "\(outcome.errors)")
        }
    }

    @Test("a file that is renamed while the scan runs has every line, and that is said") func renamed() async throws {
        try await ScanBench.run { bench in
            let path = bench.path("out")
            let arguments = bench.arguments(["--spacing", "600", "127.0.0.1:1", "127.0.0.1:2", "--resume", path])
                .joined(separator: " ")
            let outcome = try await Probe.shell(
                """
                timeout -s KILL 1500 "$0" \(arguments) & \(Self.wait("-s '\(path)'"))
                mv '\(path)' '\(path).1'; pkill -INT -P $!; wait $!; echo $? >&2
                """)
            #expect(
                outcome.errors.contains("note: \(path) was renamed or replaced") && outcome.errors.hasSuffix("130\n"),
                "\(outcome.errors)")
            #expect(try bench.lines(of: "out.1").map(\.outcome) == ["unreachable", nil])
        }
    }

    /// Returns a line of bash that waits until something is true of a file, but not indefinitely.
    private static func wait(_ condition: String) -> String {
        "for _ in $(seq 50000); do [ \(condition) ] && break; sleep 0.02; done"
    }

    @Test func aReaderThatWentAwayAndAFullDiskAreNoVerdict() async throws {
        let piped = try await Probe.shell(
            "{ sleep 0.3; \"$0\" scan --backend openssl 127.0.0.0/24:1; echo $? >&2; } | true")
        #expect(piped.errors == "141\n")
        let full = try await Probe.shell("\"$0\" scan --backend openssl 127.0.0.1:1 >/dev/full; echo $? >&2")
        #expect(full.errors.hasSuffix("70\n") && full.errors.contains("No space left"), "\(full.errors)")
    }

    /// A disk that is full in the middle of a line.
    @Test func whatHasNoRoomIsTakenBack() async throws {
        try await ScanBench.run { bench in
            let arguments = bench.arguments(["127.0.0.0/24:1"]).joined(separator: " ")
            let outcome = try await Probe.shell(
                "ulimit -f 20; \"$0\" \(arguments) > '\(bench.path("out"))'; echo $? >&2")
            #expect(outcome.errors.hasSuffix("70\n"), "\(outcome.errors)")
            let lines = try bench.lines(of: "out")
            #expect(!lines.isEmpty && lines.count < 256)
        }
    }

    @Test("few descriptors leave one target at a time, asked for or not") func fewDescriptors() async throws {
        let scan = "\"$0\" scan --backend openssl 127.0.0.1:1"
        for option in ["", " --concurrency 1"] {
            let outcome = try await Probe.shell("ulimit -n 128; \(scan)\(option)")
            #expect(outcome.code == 20, "\(option) \(outcome.errors)")
        }
        for (limit, words) in [
            (128, "needs 10 connections, and the process may have 0; raise the limit with ulimit -n\n"),
            (
                132,
                "needs 10 connections, and the process may have 4; raise the limit with ulimit -n, or give at most 2\n"
            ),
        ] {
            let refused = try await Probe.shell("ulimit -n \(limit); \(scan) --concurrency 5")
            #expect(refused.code == 64 && refused.errors.contains(words), "\(refused.errors)")
        }
    }
}
