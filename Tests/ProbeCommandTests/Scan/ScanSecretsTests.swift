import Foundation
import ProbeTestSupport
import Testing

/// No output repeats the passwords and PINs of a list's lines.
@Suite(.bounded) struct ScanSecretsTests {
    private static let lines = [
        "https://bob:s3cret@h.example/", "bob:s3cret@mail.example.com:443",
        #"{"target":"https://bob:s3cret@h.example"}"#, "pkcs11:x?pin-value=s3cret", "192.0.2.1,bob:s3cret@h.example",
    ]

    @Test("a scan answers such lines without them", arguments: ["json", "csv", "out", "out.zst", "out.sqlite"])
    func scan(_ output: String) async throws {
        try await ScanBench.run { bench in
            let list = ["--list", try bench.list(Self.lines)]
            let isFile = output.hasPrefix("out")
            let options = isFile ? ["--resume", bench.path(output)] : ["--format", output]
            let outcome = try await bench.scan(list + options)
            #expect(outcome.code == 65, "\(outcome)")
            let written = try isFile ? "\(bench.lines(of: output))" : outcome.output
            #expect(written.contains("…@h.example") && written.contains("usage-error"), "\(written)")
            #expect(!"\(written)\(outcome.errors)".contains("s3cret"), "\(written)\(outcome.errors)")
        }
    }

    @Test("a list of names and a batch of questions are answered without them") func others() async throws {
        try await ScanBench.run { bench in
            let names = ["models", "--list", try bench.list(Self.lines), "--model", "a", "--dns-server", "127.0.0.1:1"]
            let listed = try await Probe.run(names)
            #expect(listed.code == 65 && listed.output.contains("…@h.example"), "\(listed)")
            #expect(!"\(listed.output)\(listed.errors)".contains("s3cret"), "\(listed)")
            let name = "bob:s3cret@h.example"
            let questions = [name, "dns:\(name)", "ip:\(name)"].map {
                #"{"id":"a","leaf":"AAAA","anchors":[],"name":"\#($0)"}"#
            }
            let answered = try await Probe.run([
                "verify", "--batch", try bench.list(questions), "--backend", "openssl",
            ])
            #expect(answered.output.contains("carries credentials") && !answered.output.contains("s3cret"))
        }
    }
}
