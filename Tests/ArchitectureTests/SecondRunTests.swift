import Foundation
import ProbeTestSupport
import Subprocess
import Testing

/// `Scripts/tests.sh` asks again for what failed, and forgives no more than a machine that stood still; it asks again for what
/// was skipped too.
@Suite struct SecondRunTests {
    /// Runs the script with a `swift` that fails these tests, a list for each run; without a list it ends without a report.
    private func run(_ failures: [String]?...) async throws -> (succeeds: Bool, output: String, calls: Int) {
        try await ScratchFolder.withURL { folder -> (succeeds: Bool, output: String, calls: Int) in
            for (index, names) in failures.enumerated() {
                guard let names else { continue }
                let cases = (names.map { ($0, true) } + [("holds", false)]).map { name, fails in
                    #"<testcase classname="Module.Suite" name="\#(name)(_:)" time="0.1""#
                        + (fails ? ">\n<failure message=\"it\" />\n</testcase>" : " />")
                }
                try cases.joined(separator: "\n").write(
                    to: folder.appending(path: "\(index + 1).xml"), atomically: true, encoding: .utf8)
            }
            let swift = folder.appending(path: "swift")
            try """
            #!/usr/bin/env bash
            echo "$*" >> '\(folder.path)/calls'
            run=$(wc -l < '\(folder.path)/calls')
            while [ $# -gt 1 ]; do if [ "$1" = --xunit-output ]; then out=${2%.xml}-swift-testing.xml; fi; shift; done
            [ -f "\(folder.path)/$run.xml" ] || exit 139
            if [ -n "${out:-}" ]; then cp "\(folder.path)/$run.xml" "$out"; fi
            ! grep -q '<failure' "\(folder.path)/$run.xml"
            """.write(to: swift, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift.path)
            let result = try await Subprocess.run(
                .name("bash"),
                arguments: [SourceTree.root.appending(path: "Scripts/tests.sh").path, "--filter", "All"],
                environment: .inherit.updating(["SWIFT": swift.path]), output: .string(limit: 1 << 16),
                error: .combinedWithOutput)
            let calls = try String(contentsOf: folder.appending(path: "calls"), encoding: .utf8)
            return (
                result.terminationStatus.isSuccess, result.standardOutput + calls,
                calls.split(separator: "\n").count
            )
        }
    }

    @Test func whatHoldsIsRunOnce() async throws {
        let once = try await run([])
        #expect(once.succeeds && once.calls == 1)
    }

    @Test func whatHoldsTheSecondTimeIsNamed() async throws {
        let twice = try await run(["late"], [])
        #expect(twice.succeeds && twice.calls == 2)
        #expect(twice.output.contains("UNSTEADY, to be fixed: Module.Suite/late\n"))
        #expect(twice.output.contains(#"--filter Module\.Suite/late\("#))
    }

    @Test func whatFailsTwiceIsRed() async throws {
        let twice = try await run(["wrong"], ["wrong"])
        #expect(!twice.succeeds && twice.calls == 2)
    }

    /// The names of skipped tests come from the report, and from the tests themselves with the place of each. With everything
    /// installed a test is skipped again only for a reason that the script knows.
    @Test(
        arguments: [
            ("make guides runs it", "node can't run here: its addon is not built: make clients", nil),
            ("`make test-release` runs it", "this processor has no neon", nil),
            ("openssl is not installed", "this processor has no neon", "left\topenssl is not installed"),
            ("make guides runs it", "prosody is not installed", "own(_:)/File.swift:1:2\tprosody is not installed"),
            ("make guides runs it", "go-tls can't run here: it is not built: make plugins", "own("),
            (nil, "this processor has no neon", "left\t"),
        ] as [(String?, String, String?)])
    func whatWasSkippedIsRunAlone(reported: String?, printed: String, refused: String?) async throws {
        try await ScratchFolder.withURL { folder in
            let (list, swift) = (folder.appending(path: "list"), folder.appending(path: "swift"))
            let element = reported.map { "<skipped>\($0)</skipped>" } ?? "<skipped />"
            for (name, text) in [
                ("list", ""), ("own", "Module.Suite/own(_:)/File.swift:1:2\t\(printed)\n"),
                (
                    "report",
                    """
                    <testcase classname="Module.Suite" name="holds()" time="0.1" />
                    <testcase classname="Module.Suite" name="left(out:)" >
                      \(element)
                    </testcase>

                    """
                ),
            ] { try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8) }
            try """
            #!/usr/bin/env bash
            cd '\(folder.path)'
            echo "$*" >> calls
            while [ $# -gt 1 ]; do if [ "$1" = --xunit-output ]; then out=${2%.xml}-swift-testing.xml; fi; shift; done
            cp report "$out"
            cat own >> "$PROBE_SKIPPED"
            """.write(to: swift, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift.path)
            func run(_ arguments: String...) async throws -> (succeeds: Bool, output: String) {
                let script = SourceTree.root.appending(path: "Scripts/tests.sh").path
                let result = try await Subprocess.run(
                    .name("bash"), arguments: Arguments([script] + arguments),
                    environment: .inherit.updating(["SWIFT": swift.path, "PROBE_SKIPPED": list.path]),
                    output: .string(limit: 1 << 16), error: .combinedWithOutput)
                return (result.terminationStatus.isSuccess, result.standardOutput)
            }
            let first = try await run("--filter", "All")
            #expect(first.succeeds, "what is skipped at first is run later: \(first.output)")
            let again = try await run("--were-skipped", list.path)
            let calls = try String(contentsOf: folder.appending(path: "calls"), encoding: .utf8)
            #expect(calls.hasSuffix(#"--filter Module\.Suite/left\(|Module\.Suite/own\("# + "\n"), "\(calls)")
            #expect(again.succeeds == (refused == nil), "\(again.output)")
            let words = again.output.components(separatedBy: "== SKIPPED, though everything is installed:").dropFirst()
                .first
            #expect(
                words.map { $0.contains("Module.Suite/\(refused ?? "")") } == refused.map { _ in true },
                "\(again.output)")
        }
    }

    @Test func aCrashAndManyFailuresAreRedAtOnce() async throws {
        let crash = try await run(nil)
        #expect(!crash.succeeds && crash.calls == 1)
        let many = try await run(["a", "b", "c"], [])
        #expect(!many.succeeds && many.calls == 1)
    }
}
