import Foundation
import GRDB
import ProbeKit
import ProbeLab
import ProbeScan
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// The database that a scan writes: its answers are those of its other outputs.
@Suite(.bounded) struct ScanDatabaseTests {
    /// Two scans of the same servers: what is compared does not change from one to the next.
    @Test("the columns of results are those of CSV") func columns() async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { good in
                try await LabServer.run(.tls(LabTLSRecipe(.expired)), pki: ScanBench.pki) { bad in
                    let targets = ["\(good.endpoint),good.test", "\(bad.endpoint),good.test", "127.0.0.1:1"]
                    let scan = targets + ["--backend", "openssl,gnutls"]
                    _ = try await bench.scan(scan + ["--resume", bench.path("out.sqlite")])
                    let csv = try await bench.scan(scan + ["--format", "csv"])
                    let records = Self.records(csv.output)
                    let header = try #require(records.first)
                    let rows = try bench.rows(of: "out.sqlite", "SELECT * FROM results")
                    let left = ["exit_code", "code", "message", "fix", "native_trust", "reference_trust"]
                    let columns = header.filter { !left.contains($0) }
                    #expect(Set(columns).isSubset(of: Set(rows.first?.columnNames.map(\.self) ?? [])))
                    let changing = ["connect_seconds", "handshake_seconds", "tries"]
                    let compared = columns.filter { !changing.contains($0) }
                    let asCSV = records.dropFirst().map { record in
                        compared.map { column in header.firstIndex(of: column).map { record[$0] } ?? "" }
                    }
                    let asRows = rows.map { row in
                        compared.map { String.fromDatabaseValue(row[$0]) ?? Self.number(row[$0]) }
                    }
                    #expect(Set(asRows) == Set(asCSV) && asRows.count == 6)
                    #expect(
                        rows.filter { $0["outcome"] == "pass" }.allSatisfy { ($0["handshake_seconds"] as Double) > 0 })
                }
            }
        }
    }

    /// Returns the values of CSV (RFC 4180).
    private static func records(_ text: String) -> [[String]] {
        var (records, record, value, isQuoted): ([[String]], [String], String, Bool) = ([], [], "", false)
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: (record, value) = (record + [value], "")
            case "\r\n" where !isQuoted: (records, record, value) = (records + [record + [value]], [], "")
            default: value.append(character)
            }
        }
        return records
    }

    private static func number(_ value: DatabaseValue) -> String { Int.fromDatabaseValue(value).map(String.init) ?? "" }

    @Test("findings and certificates are asked one by one") func parts() async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                let pin = "spki@leaf:sha256:" + Data(repeating: 1, count: 32).base64EncodedString()
                let scan = ["\(server.endpoint),good.test", "--pin", pin, "--resume", bench.path("out.sqlite")]
                #expect(try await bench.scan(scan).code == 10)
                let findings = try bench.rows(of: "out.sqlite", "SELECT * FROM findings WHERE severity = 'error'")
                #expect(findings.map { $0["code"] as String } == ["pin-mismatch"])
                #expect(findings.first?["target"] == "good.test:\(server.endpoint.port)")
                let line = try #require(try bench.lines(of: "out.sqlite").first)
                let chain = try #require((line["evidence"] as? [String: Any])?["chain"] as? [[String: Any]])
                let rows = try bench.rows(of: "out.sqlite", "SELECT * FROM certificates ORDER BY \"index\"")
                #expect(rows.map { $0["spki_sha256"] as String? } == chain.map { $0["spkiSHA256"] as? String })
                #expect(rows.map { $0["not_after"] as String? } == chain.map { $0["notAfter"] as? String })
                #expect(rows.count >= 2)
            }
        }
    }

    /// A list may name a target twice, and the first of its lines may have passed.
    @Test("results are those that the manifest counts, after retries too", arguments: ["out", "out.sqlite"])
    func retries(_ file: String) async throws {
        try await ScanBench.run { bench in
            let scan = try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                let there = "\(server.endpoint),good.test"
                let list = try bench.list([there, "127.0.0.1:1", there, "127.0.0.1:1", "127.0.0.1:2", "a b"])
                let scan = ["--backend", "openssl,nio", "--list", list, "--resume", bench.path(file)]
                #expect(try await bench.scan(scan).code == 20)
                try counts(bench, file, ["pass": 4, "unreachable": 6], lines: 10, replaced: 0)
                #expect(try await bench.scan(scan + ["--retry-failed"]).code == 20)
                try counts(bench, file, ["pass": 4, "unreachable": 6], lines: 16, replaced: 6)
                return scan
            }
            // What passed is not asked again.
            #expect(try await bench.scan(scan + ["--retry-failed"]).code == 20)
            try counts(bench, file, ["pass": 4, "unreachable": 6], lines: 22, replaced: 12)
        }
    }

    /// The outcome is another one each time, so that what is left of the one before shows.
    @Test("a target that is named twice is retried twice", arguments: ["out", "out.sqlite"])
    func twice(_ file: String) async throws {
        try await ScanBench.run { bench in
            var held: (port: UInt16, scan: [String]) = (0, [])
            try await LabServer.run(.resetsAfterHello, pki: ScanBench.pki) { server in
                held.port = server.endpoint.port
                let list = try bench.list(["\(server.endpoint)", "\(server.endpoint)", "\(server.endpoint)"])
                held.scan = ["--list", list, "--resume", bench.path(file)]
                _ = try await bench.scan(held.scan)
                try counts(bench, file, ["handshake-failed": 3], lines: 3, replaced: 0)
                _ = try await bench.scan(held.scan + ["--retry-failed"])
                try counts(bench, file, ["handshake-failed": 3], lines: 6, replaced: 3)
            }
            _ = try await bench.scan(held.scan + ["--retry-failed"])
            try counts(bench, file, ["unreachable": 3], lines: 9, replaced: 6)
            _ = try await bench.scan(held.scan)
            try counts(bench, file, ["unreachable": 3], lines: 9, replaced: 6)
        }
    }

    private func counts(
        _ bench: ScanBench, _ file: String, _ expected: [String: Int], lines: Int, replaced: Int
    ) throws {
        let manifest = try #require(try bench.lines(of: file).last)
        for (outcome, count) in expected { #expect(manifest.count(of: outcome) == count) }
        #expect(manifest.count("results") == expected.values.reduce(0, +))
        guard file.hasSuffix(".sqlite") else { return }
        let rows = try bench.rows(of: file, "SELECT outcome, count(*) AS count FROM results GROUP BY outcome")
        #expect(Dictionary(rows.map { ($0["outcome"] as String, $0["count"] as Int) }) { $1 } == expected)
        let all = try bench.rows(
            of: file, "SELECT count(*) AS count, sum(replaced) AS replaced FROM lines WHERE schema = 'probe/1'"
        ).first
        #expect(all?["count"] == lines && all?["replaced"] == replaced)
    }

    @Test("after a signal it is one file, and goes on") func signal() async throws {
        try await ScanBench.run { bench in
            let path = bench.path("out.sqlite")
            let arguments = bench.arguments(["--spacing", "600", "127.0.0.1:1", "127.0.0.1:2", "--resume", path])
                .joined(separator: " ")
            let outcome = try await Probe.shell(
                """
                timeout -s KILL 1500 "$0" \(arguments) & for _ in $(seq 50000); do [ -s '\(path)-wal' ] &&
                [ "$(sqlite3 -readonly '\(path)' 'SELECT count(*) FROM results' 2>&1)" = 1 ] && break; sleep 0.02; done
                pkill -INT -P $!; wait $!; echo $? >&2
                """)
            #expect(outcome.errors.hasSuffix("130\n"), "\(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            // It can be read where nothing can be written: the file says how it is to be opened.
            #expect(try Data(contentsOf: URL(filePath: path))[18...19] == Data([1, 1]))
            #expect(try bench.lines(of: "out.sqlite").map(\.outcome) == ["unreachable", nil])
            #expect(try await bench.scan(["127.0.0.1:1", "127.0.0.1:2", "--resume", path]).code == 20)
            #expect(try bench.lines(of: "out.sqlite").compactMap(\.target).sorted() == ["127.0.0.1:1", "127.0.0.1:2"])
        }
    }

    /// The lock is held for as long as the scan runs.
    @Test("a signal ends a scan whose database somebody else writes to") func lockedBySomebody() async throws {
        try await ScanBench.run { bench in
            let path = bench.path("out.sqlite")
            let arguments = bench.arguments(["--spacing", "600", "127.0.0.1:1", "127.0.0.1:2", "--resume", path])
                .joined(separator: " ")
            let outcome = try await Probe.shell(
                """
                timeout -s KILL 1500 "$0" \(arguments) & scan=$!; for _ in $(seq 50000); do [ -s '\(path)-wal' ] &&
                [ "$(sqlite3 -readonly '\(path)' 'SELECT count(*) FROM results' 2>&1)" = 1 ] && break; sleep 0.02; done
                mkfifo '\(bench.path("pipe"))'; sqlite3 '\(path)' < '\(bench.path("pipe"))' & held=$!
                exec 9> '\(bench.path("pipe"))'; echo "BEGIN IMMEDIATE;" >&9
                echo ".system touch '\(bench.path("held"))'" >&9
                for _ in $(seq 5000); do [ -e '\(bench.path("held"))' ] && break; sleep 0.02; done
                pkill -INT -P $scan
                for _ in $(seq 400); do kill -0 $scan 2> '\(bench.path("gone"))' || break; sleep 0.1; done
                kill -0 $scan 2> '\(bench.path("gone"))' && echo it goes on >&2; exec 9>&-; wait $held; wait
                """)
            #expect(!outcome.errors.contains("it goes on"), "\(outcome.errors)")
            #expect(try bench.lines(of: "out.sqlite").map(\.outcome) == ["unreachable"])
        }
    }

    @Test("a disk that is full when a database begins has no room for the output") func fullFromTheStart() async throws
    {
        try await ScanBench.run { bench in
            let arguments = bench.arguments(["127.0.0.1:1", "--resume", bench.path("out.sqlite")])
                .joined(separator: " ")
            let full = try await Probe.shell("ulimit -f 4; \"$0\" \(arguments)")
            #expect(full.code == 70 && full.errors.contains("the output can't be written: "), "\(full.errors)")
            #expect(try await Probe.shell("\"$0\" \(arguments)").code == 20)
            #expect(try bench.lines(of: "out.sqlite").map(\.outcome) == ["unreachable", nil])
        }
    }

    @Test("only one scan writes, and a disk that is full ends it with what was written") func refused() async throws {
        try await ScanBench.run { bench in
            let path = bench.path("out.sqlite")
            try Data().write(to: URL(filePath: path))
            let other = try ContinuedFile(path, named: path, of: "scan", replacing: [])
            let refused = try await bench.scan(["127.0.0.1:1", "--resume", path])
            #expect(refused.code == 65 && refused.errors.contains("written to by another scan"), "\(refused.errors)")
            withExtendedLifetime(other) {}
        }
        try await ScanBench.run { bench in
            let path = bench.path("out.sqlite")
            let list = try bench.list((1...400).map { "127.0.0.1:1,a\($0).test" })
            let arguments = bench.arguments(["--list", list, "--resume", path]).joined(separator: " ")
            let full = try await Probe.shell("ulimit -f 200; \"$0\" \(arguments)")
            #expect(
                full.code == 70 && full.errors.contains("the output can't be written: File too large"),
                "\(full.errors)")
            let before = try bench.rows(of: "out.sqlite", "SELECT target FROM results").count
            #expect((1..<400).contains(before))
            #expect(try await bench.scan(["--list", list, "--resume", path]).code == 20)
            let targets = try bench.lines(of: "out.sqlite").compactMap(\.target)
            #expect(targets.count == 400 && Set(targets).count == 400)
        }
    }
}
