import Foundation
import ProbeKit
import ProbePins
import ProbeTestSupport
import Testing

/// A command that reads a file while it writes to it would read what it wrote, until the disk is full.
@Suite(.bounded) struct SharedFileTests {
    private static let pin = Pin(kind: .spki, digest: .sha256(of: [1]))
    private static let names = "models --model florida --dns-server 127.0.0.1:9"

    /// Each reads and writes the file of the folder it runs in, by its name or by a link.
    @Test(
        "a file that is read and written is refused, and left unchanged",
        arguments: [
            "scan --list file --resume file", "scan --list link --resume file", "scan --list file --resume other",
            "scan --list file.zst --resume file.zst", "scan --list - --resume file < file", "scan --list file >> file",
            "scan --list - < file >> file", "verify --batch link >> file", "verify --batch - < file >> file",
            "\(names) --list file >> file", "\(names) --list - < file >> file",
            "match --pin \(pin) --format json file >> file", "match --pin \(pin) --format json - < file >> file",
            "conformance --exemptions file --output link",
        ])
    func refused(_ command: String) async throws {
        try await ScratchFolder.withURL { folder in
            let text = "good.test\n"
            for name in ["file", "file.zst"] {
                try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            }
            // One that is not refused would go on: neither the disk nor the time is to be used up.
            let run = try await Probe.shell(
                """
                cd '\(folder.path)' && ln -s file link && ln file other && ulimit -f 4096 && \
                timeout -s KILL 1200 "$0" \(command)
                """)
            let words = command.hasPrefix("match") ? "is searched and written to" : "is read and written to"
            #expect(run.code == 64 && run.errors.contains(words), "\(run.errors)")
            for name in ["file", "file.zst", "link", "other"] {
                #expect(try String(contentsOf: folder.appending(path: name), encoding: .utf8) == text, "\(name)")
            }
        }
    }

    @Test("another file may be written") func others() async throws {
        try await ScratchFolder.withURL { folder in
            let run = try await Probe.shell(
                """
                cd '\(folder.path)' && echo 'good.test sha256/AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=' > file && \
                "$0" profile convert file --from okhttp --to okhttp -o other && \
                "$0" profile convert file --from okhttp --to okhttp -o - < file > other && \
                "$0" profile convert file --from okhttp --to okhttp -o /dev/null && \
                "$0" profile convert file --from okhttp --to native-json -o file && grep -q '"profile"' file
                """)
            // The last one is read whole before it is replaced.
            #expect(run.code == 0, "\(run.errors)")
        }
    }
}
