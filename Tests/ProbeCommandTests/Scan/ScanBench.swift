import Foundation
import GRDB
import ProbeLab
import ProbePacking
import ProbeTestSupport
import Testing

/// A folder with the lab's CA, lists and outputs.
struct ScanBench {
    static let pki = LabPKI(epoch: .now)
    let folder: String

    /// Runs `body` with a folder of its own.
    static func run<Value>(_ body: (ScanBench) async throws -> Value) async throws -> Value {
        try await ScratchFolder.withURL { folder in
            let bench = ScanBench(folder: folder.path)
            try pki.rootPEM().write(toFile: bench.path("ca.pem"), atomically: true, encoding: .utf8)
            return try await body(bench)
        }
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Writes a list and returns its path.
    func list(_ lines: [String], ending: String = "\n") throws -> String {
        try (lines.joined(separator: "\n") + ending).write(toFile: path("list"), atomically: true, encoding: .utf8)
        return path("list")
    }

    /// Returns the arguments of a scan through one backend that trusts the lab.
    func arguments(_ more: [String]) -> [String] {
        ["scan", "--ca", path("ca.pem"), "--backend", "openssl"] + more
    }

    func scan(_ more: [String]) async throws -> Probe.Outcome { try await Probe.run(arguments(more)) }

    /// Returns the lines of a file that a scan wrote, each of which has to be whole.
    func lines(of name: String) throws -> [[String: Any]] {
        if name.hasSuffix(".sqlite") {
            let lines = try rows(of: name, "SELECT json FROM lines ORDER BY number").map { $0["json"] as String + "\n" }
            return try Self.lines(of: Data(lines.joined().utf8))
        }
        let bytes = try Data(contentsOf: URL(filePath: path(name)))
        guard name.hasSuffix(".zst") else { return try Self.lines(of: bytes) }
        return try Self.lines(of: Data(try Unpacked.bytes(Array(bytes)[...], .zstd, limit: 1 << 30)))
    }

    /// Asks a database that a scan wrote, as anybody does.
    func rows(of name: String, _ question: String) throws -> [Row] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path(name), configuration: configuration)
        return try queue.read { try Row.fetchAll($0, sql: question) }
    }

    /// Returns the lines of an output, each of which has to be whole.
    static func lines(of output: Data) throws -> [[String: Any]] {
        if !output.isEmpty { #expect(output.last == UInt8(ascii: "\n"), "the last line is not whole") }
        return try output.split(separator: UInt8(ascii: "\n")).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
    }
}

extension [String: Any] {
    var outcome: String? { self["outcome"] as? String }
    var target: String? { self["target"] as? String }
    var isManifest: Bool { self["schema"] as? String == "probe-scan/1" }
    var place: [String: Any] { self["scan"] as? [String: Any] ?? [:] }

    /// Returns a number of a manifest.
    func count(_ name: String) -> Int? { (self["counts"] as? [String: Any])?[name] as? Int }
    /// Returns the number of a manifest's results with an outcome.
    func count(of outcome: String) -> Int? {
        ((self["counts"] as? [String: Any])?["outcomes"] as? [String: Any])?[outcome] as? Int
    }
}
