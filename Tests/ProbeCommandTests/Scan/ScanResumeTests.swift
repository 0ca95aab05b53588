import Foundation
import ProbeKit
import ProbeLab
import ProbePacking
import ProbeScan
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// A scan goes on with its own file alone, by the options of the file.
@Suite(.bounded) struct ScanResumeTests {
    @Test func aFileOfSomethingElseIsLeftAsItIs() async throws {
        try await ScanBench.run { bench in
            for text in [
                "127.0.0.1", "127.0.0.1:1\n127.0.0.1:2\n", "{\"target\":\"a.test\"}\n", "{\"target\":\"a.te", "\n\n",
            ] {
                try text.write(toFile: bench.path("out"), atomically: true, encoding: .utf8)
                let outcome = try await bench.scan(["127.0.0.1:1", "--resume", bench.path("out")])
                #expect(outcome.code == 65 && outcome.errors.contains("line 1 of"), "\(text): \(outcome.errors)")
                #expect(try String(contentsOfFile: bench.path("out"), encoding: .utf8) == text)
            }
        }
    }

    @Test("a packed file is what its name says, or is left as it is") func packedFiles() async throws {
        try await ScanBench.run { bench in
            let writer = try #require(ZstdWriter())
            let other = try #require(writer.pack(Array("127.0.0.1\n".utf8))) + writer.end()
            for (name, bytes, reason) in [
                ("out.zst", Array("{\"target\":\"a.test\"}\n".utf8), "not packed by Zstandard, or broken, at byte 0"),
                ("out.jsonl.ZST", other, "line 1 of"), ("out", other, "line 1 of"),
                ("out.SQLite3", Array("127.0.0.1:1\n".utf8), "not a database that a scan wrote"),
            ] {
                try Data(bytes).write(to: URL(filePath: bench.path(name)))
                let outcome = try await bench.scan(["127.0.0.1:1", "--resume", bench.path(name)])
                #expect(outcome.code == 65 && outcome.errors.contains(reason), "\(name): \(outcome.errors)")
                #expect(try Array(Data(contentsOf: URL(filePath: bench.path(name)))) == bytes)
            }
            for ending in ["gz", "xz", "BZ2", "zstd", "tgz"] {
                let outcome = try await bench.scan(["127.0.0.1:1", "--resume", bench.path("new." + ending)])
                #expect(outcome.code == 64 && outcome.errors.contains("ends with .zst"), "\(outcome.errors)")
                #expect(!FileManager.default.fileExists(atPath: bench.path("new." + ending)))
            }
        }
    }

    /// The lines are those that were written; where they end within a block, only another program can have packed them.
    @Test("a packed file is cut between two writes, or left as it is") func packedCut() async throws {
        try await ScanBench.run { bench in
            let list = try bench.list((1...9).map { "127.0.0.1:1,a\($0).test" })
            let path = bench.path("out.zst")
            let scan = ["--list", list, "--resume", path]
            func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path))) }
            #expect(try await bench.scan(scan).code == 20)
            let whole = try bytes()
            let lines = try Unpacked.bytes(whole[...], .zstd, limit: 1 << 20)
            for length in [10, whole.count / 3, whole.count / 2, whole.count - 1] {
                try Data(whole.prefix(length)).write(to: URL(filePath: path))
                #expect(try await bench.scan(scan).code == 20)
                let again = try bench.lines(of: "out.zst")
                #expect(again.compactMap(\.target).count == 9 && Set(again.compactMap(\.target)).count == 9)
                #expect(again.last?.count("targets") == 9 && again.last?.isManifest == true)
            }
            let writer = try #require(ZstdWriter())
            let cut = try #require(writer.pack(Array(lines.dropLast(1500)))) + writer.end()
            try Data(cut).write(to: URL(filePath: path))
            let refused = try await bench.scan(scan)
            #expect(refused.code == 65 && refused.errors.contains("packed by another program"), "\(refused.errors)")
            #expect(try bytes() == cut)
        }
    }

    @Test("zeros that a power loss left at the end are cut off, and no others", arguments: ["out", "out.zst"])
    func finalZeros(_ name: String) async throws {
        try await ScanBench.run { bench in
            let scan = ["127.0.0.1:1", "127.0.0.1:2", "--resume", bench.path(name)]
            #expect(try await bench.scan(scan).code == 20)
            let whole = try Array(Data(contentsOf: URL(filePath: bench.path(name))))
            let zeros = [UInt8](repeating: 0, count: 4096)
            // Lines can be cut in two, and what is packed only between its blocks.
            for length in name == "out" ? [3, whole.count / 2, whole.count - 1, whole.count] : [whole.count] {
                try Data(Array(whole.prefix(length)) + zeros).write(to: URL(filePath: bench.path(name)))
                let again = try await bench.scan(scan)
                #expect(again.code == 20, "\(length): \(again.errors)")
                let targets = try bench.lines(of: name).compactMap(\.target)
                #expect(targets.count == 2 && Set(targets).count == 2, "zeros after \(length)")
            }
            for bytes in [whole + zeros + whole, zeros] {
                try Data(bytes).write(to: URL(filePath: bench.path(name)))
                #expect(try await bench.scan(scan).code == 65)
                #expect(try Array(Data(contentsOf: URL(filePath: bench.path(name)))) == bytes)
            }
        }
    }

    /// An editor may have left it.
    @Test("a mark at the beginning of the file costs no line", arguments: ["out", "out.zst"]) func mark(_ name: String)
        async throws
    {
        try await ScanBench.run { bench in
            let scan = ["127.0.0.1:1", "127.0.0.1:2", "--resume", bench.path(name)]
            #expect(try await bench.scan(["127.0.0.1:1", "--resume", bench.path("first")]).code == 20)
            let marked = [0xef, 0xbb, 0xbf] + (try Array(Data(contentsOf: URL(filePath: bench.path("first")))))
            let writer = try #require(ZstdWriter())
            let packed = try #require(writer.pack(marked)) + writer.end()
            try Data(name == "out" ? marked : packed).write(to: URL(filePath: bench.path(name)))
            #expect(try await bench.scan(scan).code == 20)
            let bytes = try Array(Data(contentsOf: URL(filePath: bench.path(name))))
            let plain = name == "out" ? bytes : try Unpacked.bytes(bytes[...], .zstd, limit: 1 << 20)
            let lines = try ScanBench.lines(of: Data(plain.dropFirst(3)))
            #expect(lines.compactMap(\.target) == ["127.0.0.1:1", "127.0.0.1:2"] && lines.count == 4)
            #expect(plain.starts(with: marked))
        }
    }

    @Test("a file without a manifest is not continued with other options either") func otherOptionsAfterAKill()
        async throws
    {
        try await ScanBench.run { bench in
            let path = bench.path("out")
            let scan = ["127.0.0.1:1", "127.0.0.1:2", "--resume", path]
            #expect(try await bench.scan(scan.dropFirst() + []).code == 20)
            let whole = try String(contentsOfFile: path, encoding: .utf8)
            let killed = whole.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
            try killed.write(toFile: path, atomically: true, encoding: .utf8)
            let refused = try await bench.scan(scan + ["--min-tls", "1.3"])
            #expect(refused.code == 64 && refused.errors.contains("has results of other options"), "\(refused.errors)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == killed)
            #expect(try await bench.scan(scan + ["--timeout", "3"]).code == 20)
            #expect(try bench.lines(of: "out").compactMap(\.target) == ["127.0.0.1:2", "127.0.0.1:1"])
            // Lines of a version that had no digest of its options.
            let first = try #require(killed.firstRange(of: #","terms":"#))
            let old = killed.replacing(
                killed[first.lowerBound...].prefix(#","terms":"0123456789abcdef""#.count), with: "")
            try old.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try await bench.scan(scan + ["--min-tls", "1.3"]).code == 20)
        }
    }

    /// An option is part of the verdict, or of the speed and the output alone.
    @Test("each option of a scan is compared, or has no part in a verdict") func everyOptionIsCompared() async throws {
        let help = try await Probe.run(["--experimental-dump-help"])
        let root = try #require(try JSONSerialization.jsonObject(with: Data(help.output.utf8)) as? [String: Any])
        let command = try #require(root["command"] as? [String: Any])
        let commands = try #require(command["subcommands"] as? [[String: Any]])
        let scan = try #require(commands.first { $0["commandName"] as? String == "scan" })
        let options = (scan["arguments"] as? [[String: Any]] ?? []).compactMap { argument -> String? in
            guard argument["kind"] as? String != "positional" else { return nil }
            let names = argument["names"] as? [[String: Any]] ?? []
            return names.first { $0["kind"] as? String == "long" }.flatMap { $0["name"] as? String }.map { "--" + $0 }
        }
        let without: Set = [
            "--concurrency", "--format", "--help", "--list", "--log", "--log-file", "--log-level", "--resume",
            "--retries",
            "--retry-failed", "--shard", "--spacing", "--timeout", "--version", "--verbose",
            "--retry",
            // Of these the names of the backends are compared.
            "--plugin", "--plugin-path",
            // Of these the certificate is compared.
            "--client-key", "--client-passphrase",
            // Credentials are no part of a manifest.
            "--proxy-credentials",
        ]
        let compared = Set(ScanTerms.decisive.flatMap(\.names).map { "--\($0)" })
        #expect(options.count > 30 && compared.count > 30)
        #expect(options.filter { !compared.contains($0) && !without.contains($0) } == [])
        #expect(compared.filter { !options.contains($0) } == [])
    }

    /// Another verdict may follow from them.
    @Test func otherOptionsThanTheFilesAreRefused() async throws {
        try await ScanBench.run { bench in
            let resume = ["127.0.0.1:1", "--resume", bench.path("out")]
            let pin = "spki@leaf:sha256:" + Data(repeating: 1, count: 32).base64EncodedString()
            let client = try ScanBench.pki.identity(.good)
            try client.chainPEM.write(toFile: bench.path("client.pem"), atomically: true, encoding: .utf8)
            try client.keyPEM.write(toFile: bench.path("client.key"), atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: bench.path("client.key"))
            for (more, expected) in [
                ([], nil), (["--concurrency", "2", "--timeout", "3"], nil),
                (["--pin", pin, "--trust", "native"], "another --pin, --trust; give the same options"),
                (["--backend", "gnutls"], "another --backend"),
                (["--backend", "gnutls", "--retry-failed"], "another --backend"),
                (
                    ["--client-cert", bench.path("client.pem"), "--client-key", bench.path("client.key")],
                    "another --client-cert"
                ),
                (["--retry-failed"], nil),
            ] as [([String], String?)] {
                let before = try? String(contentsOfFile: bench.path("out"), encoding: .utf8)
                let outcome = try await bench.scan(resume + more)
                if let expected {
                    #expect(outcome.errors.contains(expected), "\(more): \(outcome.errors)")
                    #expect(outcome.code == 64)
                    #expect(try String(contentsOfFile: bench.path("out"), encoding: .utf8) == before)
                } else {
                    #expect(outcome.errors.isEmpty, "\(more)")
                }
            }
        }
    }

    @Test(
        "servers that are asked for records, and the place of an expected certificate, are compared",
        arguments: [
            (["--follow", "--dns-server", "127.0.0.1:1"], "127.0.0.1:1", "127.0.0.1:2", "--dns-server"),
            (["--expect-certificate", "ca.pem@leaf"], "ca.pem@leaf", "ca.pem@ca", "--expect-certificate"),
        ])
    func otherPlacesAreRefused(options: [String], text: String, other: String, option: String) async throws {
        try await ScanBench.run { bench in
            try ScanBench.pki.rootPEM().write(toFile: bench.path("ca.pem"), atomically: true, encoding: .utf8)
            func scan(_ options: [String]) async throws -> Probe.Outcome {
                let named = options.map { $0.replacing("ca.pem", with: bench.path("ca.pem")) }
                return try await bench.scan(["127.0.0.1:1", "--resume", bench.path("out")] + named)
            }
            #expect(try await scan(options).errors.isEmpty)
            #expect(try await scan(options).errors.isEmpty)
            let refused = try await scan(options.map { $0 == text ? other : $0 })
            #expect(refused.code == 64 && refused.errors.contains("another \(option)"), "\(refused.errors)")
        }
    }
}
