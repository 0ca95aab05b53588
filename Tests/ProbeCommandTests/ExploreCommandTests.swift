import Foundation
import ProbeTestSupport
import Subprocess
import SystemPackage
import Testing

/// `probe conformance --explore` from the command line.
@Suite(.bounded) struct ExploreCommandTests {
    @Test func kindsAreWrittenWithTheirFiles() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-explore-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let outcome = try await Probe.run([
            "conformance", "--explore-chains", "30", "--seed", "1", "--examples", folder.path, "--format", "json",
        ])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("seed 1: 30 chains"))
        let schema = try Schema.load("probe-exploration-1.schema.json")
        #expect(!outcome.lines.isEmpty)
        for line in outcome.lines {
            #expect(schema.violations(in: line) == [])
            let files = try #require(line["files"] as? [String])
            #expect(files.count == 3 && files.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        }
        // The question is one of a batch, and gives the same answers again.
        let first = try #require(outcome.lines.first)
        let question = try #require((first["files"] as? [String])?.last)
        let again = try await Probe.run(["verify", "--batch", question])
        let expected = (first["backends"] as? [[String: Any]] ?? []).map {
            ($0["answer"] as? [String: Any])?["answer"] as? String == "accepted"
        }
        #expect(again.lines.map { ($0["native"] as? [String: Any])?["accepted"] as? Bool == true } == expected)
    }

    @Test("an example that can't be written costs none of the report") func anExampleWithoutAPlace() async throws {
        try await ScratchFolder.withURL { folder in
            let taken = folder.appending(path: "kind-1-chain.pem")
            try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
            let outcome = try await Probe.run([
                "conformance", "--explore-chains", "30", "--seed", "1", "--examples", folder.path, "--format", "json",
            ])
            #expect(
                outcome.code == 65 && outcome.errors.contains("\(taken.path) can't be written"), "\(outcome.errors)")
            #expect(outcome.errors.contains("seed 1: 30 chains") && !outcome.lines.isEmpty)
        }
    }

    /// Root writes to every folder, so the command runs as somebody else then.
    @Test("a folder that may not be written to is refused before the search") func aClosedFolder() async throws {
        try await ScratchFolder.with { folder in
            let outcome = try await Probe.shell(
                """
                chmod 755 '\(folder)'; mkdir -m 555 '\(folder)/closed'; run=
                if [ "$(id -u)" = 0 ]; then run='setpriv --reuid 65534 --regid 65534 --clear-groups'; fi
                $run "$0" conformance --explore 3600 --examples '\(folder)/closed'
                """)
            #expect(outcome.code == 65 && outcome.errors.contains("closed can't be written to: "), "\(outcome)")
        }
    }

    @Test func kindsOfRepliesAreWrittenWithTheirBytes() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-explore-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let outcome = try await Probe.run([
            "conformance", "--explore-replies", "200", "--seed", "1", "--examples", folder.path, "--format", "json",
        ])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("seed 1: 200 replies"))
        let schema = try Schema.load("probe-exploration-1.schema.json")
        #expect(!outcome.lines.isEmpty)
        for line in outcome.lines {
            #expect(schema.violations(in: line) == [] && line["subject"] as? String == "reply")
            let file = try #require((line["files"] as? [String])?.first)
            #expect(try Data(contentsOf: URL(filePath: file)).count > 12)
        }
    }

    /// The signal comes once a chain is being asked about; without it the search would go on for an hour.
    @Test(arguments: ["INT", "TERM"]) func whatWasFoundUntilASignalIsReported(_ signal: String) async throws {
        try await ScratchFolder.withURL { folder in
            let asked = folder.appending(path: "asked").path
            let program = folder.appending(path: "probe-transport-telling")
            let script = """
                #!/usr/bin/python3
                import json, sys
                for line in sys.stdin:
                    request = json.loads(line)
                    if request["type"] == "hello":
                        print(json.dumps({"id": request["id"], "type": "hello", "protocol": 1, "kind": "transport",
                            "name": "telling", "library": "none", "version": "1",
                            "capabilities": ["presented-chain", "key-reading", "version-range", "trust-evaluation", "sni"]}),
                            flush=True)
                        continue
                    open('\(asked)', 'w').close()
                    print(json.dumps({"id": request["id"], "type": "evaluate-trust", "trust": {"accepted": True, "path": None, "problems": []}}), flush=True)
                """
            try Data(script.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            let outcome = try await Probe.shell(
                """
                "$0" conformance --explore 3600 --backend telling --plugin '\(program.path)' --format json & \
                while [ ! -e '\(asked)' ]; do sleep 0.1; done; kill -\(signal) $!; wait $!
                """)
            #expect(outcome.code == (signal == "INT" ? 130 : 143), "\(outcome.errors)")
            #expect(outcome.errors.contains("seed 1: "))
        }
    }

    /// A backend that takes the process down in which it is asked, as a crash in a library does.
    @Test func aCrashIsAFindAndTheSearchGoesOn() async throws {
        try await ScratchFolder.withURL { folder in
            let program = folder.appending(path: "probe-transport-deadly")
            let script = """
                #!/usr/bin/python3
                import json, os, signal, sys
                for line in sys.stdin:
                    request = json.loads(line)
                    if request["type"] != "hello":
                        os.kill(os.getppid(), signal.SIGKILL)
                        sys.exit(1)
                    print(json.dumps({"id": request["id"], "type": "hello", "protocol": 1, "kind": "transport",
                        "name": "deadly", "library": "none", "version": "1",
                        "capabilities": ["presented-chain", "key-reading", "version-range", "trust-evaluation", "sni"]}),
                        flush=True)
                """
            try Data(script.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            let outcome = try await Probe.run([
                "conformance", "--explore-chains", "3", "--backend", "openssl,deadly", "--plugin", program.path,
                "--format",
                "json",
            ])
            #expect(outcome.code == 70, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("3 chains"))
            let answers = outcome.lines.flatMap { $0["backends"] as? [[String: Any]] ?? [] }
                .filter { $0["backend"] as? String == "deadly" }.map {
                    ($0["answer"] as? [String: Any])?["answer"] as? String
                }
            #expect(!answers.isEmpty && answers.allSatisfy { $0 == "crashed" })
        }
    }

    @Test(
        "what a search can't honour is refused",
        arguments: [
            (["--explore", "1", "--filter", "tls/"], "--filter"),
            (["--explore", "1", "--divergences"], "--divergences"),
            (["--explore", "1", "--exemptions", "x.json"], "--exemptions"), (["--explore", "0"], "--explore"),
            (["--explore-replies", "0"], "--explore-replies"),
            (["--explore-replies", "1", "--explore-chains", "1"], "two searches"),
            (["--explore-replies", "1", "--backend", "nio"], "--backend"),
            (["--explore-chains", "0"], "--explore-chains"), (["--explore", "1", "--format", "html"], "--format"),
            (["--explore", "1", "--resolver", "ldns"], "--resolver"), (["--seed", "7"], "--seed"),
            (["--examples", "x"], "--examples"), (["--explore", "1", "--system-settings"], "--system-settings"),
        ] as [([String], String)])
    func refusals(arguments: [String], name: String) async throws {
        let outcome = try await Probe.run(["conformance"] + arguments)
        #expect(outcome.code == 64 && outcome.errors.contains(name), "\(outcome.code) \(outcome.errors)")
    }

    /// Whoever asks one question after the other would wait for ever if an answer came only with the next question.
    @Test func aBatchAnswersBeforeTheNextQuestion() async throws {
        let result = try await Subprocess.run(
            .path(FilePath(Probe.path)), arguments: ["verify", "--batch", "-"], input: .inputWriter, output: .sequence,
            error: .discarded
        ) { execution in
            _ = try await execution.standardInputWriter.write(Array("{}\n".utf8))
            var answered = 0
            for try await _ in execution.standardOutput.strings() {
                answered += 1
                if answered == 2 { break }
                _ = try await execution.standardInputWriter.write(Array("{}\n".utf8))
            }
            try await execution.standardInputWriter.finish()
            return answered
        }
        #expect(result.closureResult == 2)
    }
}
