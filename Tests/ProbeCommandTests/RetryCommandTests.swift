import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `--retry`, `--fail-on-warning` and `--format csv` through the whole command.
@Suite(.bounded) struct RetryCommandTests {
    private static let pki = LabPKI(epoch: .now)

    private static func probe(_ peer: LabPeer, _ arguments: [String]) async throws -> Probe.Outcome {
        let root = FileManager.default.temporaryDirectory.appending(path: "probe-retry-\(UUID()).pem").path
        try pki.rootPEM().write(toFile: root, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: root) }
        return try await LabServer.run(peer, pki: pki) { server in
            try await Probe.run(arguments + ["--ca", root, "--connect", "\(server.endpoint)"])
        }
    }

    /// Reads CSV strictly (RFC 4180), and nothing else.
    private static func records(_ text: String) throws -> [[String]] {
        var records: [[String]] = []
        var fields: [String] = []
        var field = ""
        var rest = Array(text.unicodeScalars)[...]
        func next(_ wanted: Unicode.Scalar) -> Bool {
            guard rest.first == wanted else { return false }
            rest.removeFirst()
            return true
        }
        while !rest.isEmpty {
            if next("\"") {
                while let scalar = rest.popFirst() {
                    if scalar != "\"" {
                        field.unicodeScalars.append(scalar)
                    } else if next("\"") {
                        field += "\""
                    } else {
                        break
                    }
                }
            } else {
                while let scalar = rest.first, ![",", "\r", "\n", "\""].contains(scalar) {
                    field.unicodeScalars.append(scalar)
                    rest.removeFirst()
                }
            }
            fields.append(field)
            field = ""
            if next(",") { continue }
            try #require(next("\r") && next("\n"), "\(fields)")
            records.append(fields)
            fields = []
        }
        return records
    }

    @Test("what gave no answer is asked again, and JSON says how often") func retries() async throws {
        let options = ["--format", "json", "--backend", "openssl", "--retry", "2", "good.test"]
        for command in [["check"], ["scan"]] {
            for peer in [LabPeer.dead, .closes] {
                let found = try await Self.probe(peer, command + options)
                #expect(found.code == 20, "\(found.output)\(found.errors)")
                #expect(found.lines.first?["tries"] as? Int == 3, "\(found.output)")
            }
            for peer in [LabPeer.tls(LabTLSRecipe(.good)), .tls(LabTLSRecipe(.expired)), .plainHTTP] {
                let found = try await Self.probe(peer, command + options)
                #expect(found.lines.first?["tries"] as? Int == 1, "\(found.output)")
            }
        }
    }

    @Test("a warning fails on request, as a policy of the user's own does") func failingOnWarning() async throws {
        let warns = LabPeer.tls(LabTLSRecipe(.good, asksForCertificate: true))
        let options = ["--backend", "openssl", "good.test"]
        #expect(try await Self.probe(warns, options).code == 0)
        #expect(try await Self.probe(warns, options + ["--fail-on-warning"]).code == 17)
        #expect(try await Self.probe(.tls(LabTLSRecipe(.good)), options + ["--fail-on-warning"]).code == 0)
        #expect(try await Self.probe(.dead, options + ["--fail-on-warning"]).code == 20)
        let junit = try await Self.probe(warns, options + ["--fail-on-warning", "--format", "junit"])
        #expect(junit.code == 17 && junit.output.contains("failures=\"1\"") && junit.output.contains("<failure"))
        #expect(try await !Self.probe(warns, options + ["--format", "junit"]).output.contains("<failure"))
        let nagios = try await Self.probe(warns, options + ["--fail-on-warning", "--format", "nagios"])
        #expect(nagios.code == 64 && nagios.errors.contains("has a code for warnings"))
    }

    @Test("CSV has a header and a record for each result") func csv() async throws {
        let columns = [
            "target", "service", "transport", "resolver", "outcome", "exit_code", "stage", "code", "message", "fix",
            "tries", "address", "tls_version", "cipher_suite", "group", "alpn", "native_trust", "reference_trust",
            "leaf_subject", "leaf_issuer", "leaf_not_before", "leaf_not_after", "leaf_cert_sha256",
            "leaf_spki_sha256", "connect_seconds", "handshake_seconds",
        ]
        let expired = LabPeer.tls(LabTLSRecipe(.expired))
        let checked = try Self.records(
            try await Self.probe(expired, ["--format", "csv", "good.test", "good.test"]).output)
        #expect(checked.first == columns)
        #expect(checked.count == 1 + 2 * 4)
        let list = FileManager.default.temporaryDirectory.appending(path: "probe-list-\(UUID()).txt").path
        try "good.test\nftp2://a,b\n".write(toFile: list, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: list) }
        let scanned = try Self.records(
            try await Self.probe(expired, ["scan", "--format", "csv", "--list", list]).output)
        #expect(scanned.first == columns + ["id", "dialled", "result", "results"])
        #expect(scanned.allSatisfy { $0.count == scanned.first?.count })
        #expect(
            scanned.contains { $0[4] == "usage-error" && $0[5] == "65" && $0[0] == "ftp2://a,b" }, "\(scanned)")
        for record in checked.dropFirst() + scanned.dropFirst().filter({ $0[4] != "usage-error" }) {
            let fields = Dictionary(uniqueKeysWithValues: zip(columns, record))
            #expect(fields["outcome"] == "trust-failed" && fields["exit_code"] == "11", "\(record)")
            #expect(fields["code"] == "expired" && fields["tries"] == "1")
            #expect(fields["leaf_spki_sha256"]?.count == 64 && fields["leaf_subject"]?.isEmpty == false)
        }
        let resumed = try await Self.probe(expired, ["scan", "--format", "csv", "--resume", "/tmp/none", "a.test"])
        #expect(resumed.code == 64 && resumed.errors.contains("a scan goes on from JSON alone"))
    }
}
