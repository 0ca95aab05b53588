import Foundation
import ProbeTestSupport
import Subprocess
import Testing

/// Programs that this machine can't start are left out like libraries that are not there, and all others start together.
@Suite(.bounded) struct AbsentProgramTests {
    /// Runs `body` with a folder with a transport that is not executable, a resolver that is a link to nothing, and a folder
    /// without programs.
    private func withFolder(_ body: (_ folder: String, _ program: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "absent-\(UUID())")
        let empty = folder.appending(path: "empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "probe-transport-noexec").path
        try "#!/bin/sh\nexit 3\n".write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: program)
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "probe-resolver-dangling").path, withDestinationPath: "/nowhere/program")
        try await body(folder.path, program)
    }

    @Test func theListHasReasonAndRemedy() async throws {
        try await withFolder { folder, program in
            let outcome = try await Probe.run(["backends", "--plugin-path", folder, "--format", "json"])
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            func absence(_ name: String) -> String? {
                outcome.lines.first { $0["name"] as? String == name }?["absence"] as? String
            }
            #expect(absence("noexec") == "\(program) is not executable; run 'chmod +x \(program)'")
            #expect(absence("dangling")?.contains("is a link to /nowhere/program, which does not exist; ") == true)
        }
    }

    @Test func ofAllTheOthersAreAskedAndANoteNamesIt() async throws {
        try await withFolder { folder, program in
            let outcome = try await Probe.run([
                "--plugin-path", folder, "--connect", "127.0.0.1:1", "--format", "json", "a.test",
            ])
            #expect(outcome.code == 20 && !outcome.lines.isEmpty, "\(outcome.output)\(outcome.errors)")
            #expect(!outcome.lines.contains { $0["transport"] as? String == "noexec" })
            let findings = outcome.lines.flatMap { $0["findings"] as? [[String: Any]] ?? [] }
            let note = findings.first { $0["code"] as? String == "backends-left-out" }
            #expect((note?["message"] as? String)?.contains("noexec (\(program) is not executable; ") == true)
        }
    }

    /// By name, found in a folder that was named or on the search path.
    @Test func whoNamesItGetsTheRemedy() async throws {
        try await withFolder { folder, program in
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            for options in [["--plugin-path", folder], []] {
                let outcome = try await Probe.run(
                    ["--backend", "noexec", "--connect", "127.0.0.1:1", "a.test"] + options,
                    environment: .inherit.updating(["PATH": "\(path):\(folder)"]))
                #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome.output)")
                #expect(
                    outcome.errors.hasPrefix("probe: --backend 'noexec' can't be used on this machine: \(program) "))
                #expect(outcome.errors.contains("run 'chmod +x \(program)'"), "\(outcome.errors)")
            }
            let single = try await Probe.run(["--plugin", program, "--connect", "127.0.0.1:1", "a.test"])
            #expect(single.code == 64 && single.errors.contains("run 'chmod +x \(program)'"), "\(single.errors)")
        }
    }

    @Test func aFolderWithoutProgramsIsNoted() async throws {
        try await withFolder { folder, _ in
            let outcome = try await Probe.run(["backends", "--plugin-path", "\(folder)/empty"])
            #expect(outcome.code == 0)
            #expect(outcome.errors.hasPrefix("probe: the folder of plugins '\(folder)/empty' has no program; "))
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        }
    }

    /// Each says hello only once the other has been started: one opens a pipe to write, the other to read.
    @Test func allAreStartedTogether() async throws {
        try await withFolder { folder, _ in
            for (kind, way, capability) in [("transport", ">", "sni"), ("resolver", "<", "raw-reply")] {
                let path = "\(folder)/probe-\(kind)-meeting"
                let hello =
                    #"{"id":0,"type":"hello","protocol":1,"kind":"\#(kind)","name":"meeting","library":"none","version":"1","capabilities":["\#(capability)"]}"#
                try "#!/bin/sh\nread line\n: \(way) '\(folder)/pipe'\necho '\(hello)'\ncat > /dev/null\n"
                    .write(toFile: path, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
            let outcome = try await Probe.shell(
                "mkfifo '\(folder)/pipe' && \"$0\" backends --plugin-path '\(folder)' --format json")
            let lines = outcome.lines.filter { $0["name"] as? String == "meeting" }
            #expect(lines.compactMap { $0["kind"] as? String } == ["transport", "resolver"], "\(outcome.errors)")
            #expect(!lines.contains { $0["absence"] is String }, "\(lines)")
        }
    }

    /// Whatever is late or fast, faults are reported in the order of the programs.
    @Test func faultsAreReportedInOrder() async throws {
        try await withFolder { folder, _ in
            let names = ["a", "b", "c"]
            for name in names {
                let path = "\(folder)/probe-transport-\(name)"
                try "#!/bin/sh\nexit 3\n".write(toFile: path, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
            let outcome = try await Probe.run(["backends", "--plugin-path", folder, "--format", "json"])
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == 3, "\(outcome.errors)")
            for (name, line) in zip(names, lines) {
                #expect(line.contains("probe-transport-\(name)' is not a transport that can be used: program-ended"))
            }
        }
    }
}
