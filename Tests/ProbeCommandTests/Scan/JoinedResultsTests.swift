import Foundation
import GRDB
import ProbeTestSupport
import Testing

/// Files of results that somebody put together of others.
@Suite(.bounded) struct JoinedResultsTests {
    /// Writes the lines of some files into another one of their kind.
    private func join(_ bench: ScanBench, _ names: [String], into name: String) throws {
        guard name.hasSuffix(".sqlite") else {
            let parts = try names.map { try Data(contentsOf: URL(filePath: bench.path($0))) }
            return try parts.reduce(Data(), +).write(to: URL(filePath: bench.path(name)))
        }
        try FileManager.default.copyItem(atPath: bench.path(names[0]), toPath: bench.path(name))
        let columns = """
            schema, id, result, results, dialled, retry, target, service, transport, resolver, outcome, stage, json
            """
        for other in names.dropFirst() {
            let queue = try DatabaseQueue(path: bench.path(name))
            try queue.writeWithoutTransaction { db in
                try db.execute(
                    sql: """
                        ATTACH '\(bench.path(other))' AS other;
                        INSERT INTO main.lines (\(columns)) SELECT \(columns) FROM other.lines ORDER BY number;
                        """)
            }
            try queue.close()
        }
    }

    @Test("results of other options are refused wherever they are", arguments: ["jsonl", "jsonl.zst", "sqlite"])
    func otherOptions(_ kind: String) async throws {
        try await ScanBench.run { bench in
            let (strict, plain) = ("strict.\(kind)", "plain.\(kind)")
            let first = ["127.0.0.1:1", "--min-tls", "1.3", "--resume", bench.path(strict)]
            #expect(try await bench.scan(first).code == 20)
            #expect(try await bench.scan(["127.0.0.1:2", "--resume", bench.path(plain)]).code == 20)
            for names in [[strict, plain], [plain, strict], [plain, strict, plain]] {
                let all = names.joined(separator: "-")
                try join(bench, names, into: all)
                for options in [[], ["--min-tls", "1.3"], ["--trust", "native"]] {
                    let scan = ["127.0.0.1:1", "127.0.0.1:2", "--resume", bench.path(all)] + options
                    let refused = try await bench.scan(scan)
                    #expect(
                        refused.code == 64 && refused.errors.contains("has results of different options"),
                        "\(names) \(options): \(refused.errors)")
                }
                #expect(try bench.lines(of: all).count == 2 * names.count)
            }
        }
    }

    @Test("so are those of scans that were killed before their manifests") func killed() async throws {
        try await ScanBench.run { bench in
            var lines: [String] = []
            let scans: [(String, [String])] = [("127.0.0.1:1", ["--min-tls", "1.3"]), ("127.0.0.1:2", [])]
            for (target, options) in scans {
                let path = bench.path(target)
                #expect(try await bench.scan([target, "--resume", path] + options).code == 20)
                let text = try String(contentsOfFile: path, encoding: .utf8)
                lines.append(String(try #require(text.split(separator: "\n").first)))
            }
            for all in [lines, Array(lines.reversed())] {
                try (all.joined(separator: "\n") + "\n").write(
                    toFile: bench.path("all"), atomically: true, encoding: .utf8)
                let refused = try await bench.scan(["127.0.0.1:1", "127.0.0.1:2", "--resume", bench.path("all")])
                #expect(
                    refused.code == 64 && refused.errors.contains("has results of different options"),
                    "\(refused.errors)")
            }
        }
    }

    /// A list may name a target twice, so that they are not refused.
    @Test("results that the list does not account for are noted", arguments: ["jsonl", "jsonl.zst", "sqlite"])
    func twice(_ kind: String) async throws {
        try await ScanBench.run { bench in
            let (once, twice) = ("once.\(kind)", "twice.\(kind)")
            let targets = ["127.0.0.1:1", "127.0.0.1:2"]
            #expect(try await bench.scan(targets + ["--resume", bench.path(once)]).errors.isEmpty)
            try join(bench, [once, once], into: twice)
            let noted = try await bench.scan(targets + ["--resume", bench.path(twice)])
            #expect(noted.code == 20)
            #expect(
                noted.errors.contains(
                    "has results of 2 targets that the list does not name, or not as often, and counts them"),
                "\(noted.errors)")
            #expect(try bench.lines(of: twice).last?.count("targets") == 4)
            // Named as often, they are all accounted for, and so are those of another part of the list.
            #expect(try await bench.scan(targets + targets + ["--resume", bench.path(twice)]).errors.isEmpty)
            for part in ["1/2", "2/2"] {
                #expect(try await bench.scan(targets + ["--shard", part, "--resume", bench.path(once)]).errors.isEmpty)
            }
            let shorter = try await bench.scan(["127.0.0.1:1", "--resume", bench.path(once)])
            #expect(shorter.errors.contains("has results of 1 target that"), "\(shorter.errors)")
        }
    }
}
