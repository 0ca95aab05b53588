import Foundation
import ProbeTestSupport
import Testing

/// A program in front of the backend of Python's `ssl` that spoils each third request.
final class SpoiledProgram: Sendable {
    enum Fault: String, CaseIterable {
        /// The program dies.
        case crash
        /// The reply never comes.
        case hang
        /// The reply reports the chain as trusted, and has another key.
        case lie
    }

    /// The program, in a folder of its own.
    let path: String
    private let folder: URL

    init(_ fault: Fault) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "spoiled-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "probe-transport-spoiled").path
        let real = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Plugins/python-ssl/probe-transport-python-ssl").standardizedFileURL.path
        let script = """
            #!/usr/bin/python3
            import json, os, subprocess, sys, threading

            real = subprocess.Popen(["\(real)"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            lies = set()

            def pass_back():
                for line in real.stdout:
                    reply = json.loads(line)
                    if reply["type"] == "hello":
                        reply["name"] = "spoiled"
                    if reply["id"] in lies and reply["type"] == "handshake":
                        chain = reply["report"].get("chain", [])
                        reply["report"]["keys"] = [{"spki": "MAA="} for _ in chain]
                        if reply["report"].get("trust"):
                            reply["report"]["trust"] = {"accepted": True, "problems": [], "path": chain}
                    sys.stdout.write(json.dumps(reply) + "\\n")
                    sys.stdout.flush()

            threading.Thread(target=pass_back, daemon=True).start()
            count = 0
            for line in sys.stdin:
                request = json.loads(line)
                count += request["type"] == "handshake"
                if request["type"] == "handshake" and count % 3 == 0:
                    if "\(fault)" == "crash":
                        real.kill()
                        os._exit(3)
                    if "\(fault)" == "hang":
                        continue
                    lies.add(request["id"])
                real.stdin.write(line.encode())
                real.stdin.flush()
            real.kill()
            """
        try Data(script.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}

/// The suite ends despite a backend that fails now and then, and reports the affected cases, with the faults.
@Suite(.bounded) struct SpoiledProgramTests {
    /// The result of a fault, whether or not the program survives it: a case that could not be played, or one that was
    /// not kept.
    @Test(arguments: zip(SpoiledProgram.Fault.allCases, [70, 70, 30] as [Int32]))
    func theSuiteEnds(fault: SpoiledProgram.Fault, code: Int32) async throws {
        let program = try SpoiledProgram(fault)
        let outcome = try await Probe.run([
            "conformance", "--plugin", program.path, "--backend", "spoiled", "--filter", "tls/pins/spki-",
            "--format", "json",
        ])
        #expect(outcome.code == code, "\(outcome.errors)")
        let spoiled = outcome.lines.filter { $0["kept"] as? Bool == false }
        // At least each third handshake; the cases are played together, and a death takes those in progress along.
        #expect(spoiled.count * 4 >= outcome.lines.count, "\(outcome.output)")
        if fault != .crash { #expect(spoiled.count < outcome.lines.count) }
        let outcomes = Set(spoiled.compactMap { $0["outcome"] as? String })
        if fault != .lie { #expect(outcome.output.contains(fault == .crash ? "program-ended" : "program-hung")) }
        #expect(outcomes.isSubset(of: fault == .lie ? ["readings-disagree", "stacks-disagree"] : ["internal-error"]))
    }
}
