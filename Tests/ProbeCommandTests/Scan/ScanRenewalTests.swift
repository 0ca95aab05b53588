import Foundation
import GRDB
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A scan that goes on with a file after client certificates of its list were renewed.
@Suite(.bounded) struct ScanRenewalTests {
    /// Writes an identity over the one that the list names.
    private func renew(_ bench: ScanBench) throws {
        let identity = try LabPKI(epoch: .now).identity(.clientPurpose)
        try identity.chainPEM.write(toFile: bench.path("client.pem"), atomically: true, encoding: .utf8)
        try identity.keyPEM.write(toFile: bench.path("client.key"), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: bench.path("client.key"))
    }

    @Test("results with a renewed certificate replace the earlier ones", arguments: ["out", "out.zst", "out.sqlite"])
    func renewed(output: String) async throws {
        try await ScanBench.run { bench in
            let dead = try await LabServer.start(.dead, pki: ScanBench.pki)
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { good in
                let files = #""clientCert":"\#(bench.path("client.pem"))","clientKey":"\#(bench.path("client.key"))""#
                let list = try bench.list(
                    [dead.endpoint, good.endpoint].map {
                        #"{"target":"good.test","connect":"\#($0)",\#(files)}"#
                    })
                let command = ["--list", list, "--resume", bench.path(output)]
                try renew(bench)
                let first = try await bench.scan(command)
                #expect(first.code == 20, "\(first.errors)")
                try renew(bench)
                for skipped in [0, 2] {
                    let again = try await bench.scan(command)
                    #expect(again.code == 20 && !again.errors.contains("does not name"), "\(again.errors)")
                    let manifest = try #require(try bench.lines(of: output).last)
                    #expect(manifest.count("targets") == 2 && manifest.count("results") == 2)
                    #expect(manifest.count(of: "unreachable") == 1 && manifest.count("skipped") == skipped)
                }
                let places = try bench.lines(of: output).filter { !$0.isManifest }.map(\.place)
                #expect(places.map { $0["retry"] as? Bool } == [false, false, true, true])
                #expect(Set(places.compactMap { $0["clientCertificate"] as? String }).count == 2)
                if output.hasSuffix(".sqlite") {
                    let counted = try bench.rows(of: output, "SELECT number FROM results")
                    #expect(counted.count == 2)
                }
            }
            await dead.stop()
        }
    }

    @Test("a target that a list names twice is asked twice, and then no more", arguments: ["out", "out.sqlite"])
    func twins(output: String) async throws {
        try await ScanBench.run { bench in
            let dead = try await LabServer.start(.dead, pki: ScanBench.pki)
            let line =
                #"{"target":"good.test","connect":"\#(dead.endpoint)","clientCert":"\#(bench.path("client.pem"))","#
                + #""clientKey":"\#(bench.path("client.key"))"}"#
            let command = ["--list", try bench.list([line, line]), "--resume", bench.path(output)]
            for skipped in [0, 0, 2] {
                if skipped == 0 { try renew(bench) }
                let run = try await bench.scan(command)
                let manifest = try #require(try bench.lines(of: output).last, "\(run.errors)")
                #expect(manifest.count("targets") == 2 && manifest.count("results") == 2)
                #expect(manifest.count(of: "unreachable") == 2 && manifest.count("skipped") == skipped)
            }
            if output.hasSuffix(".sqlite") {
                let question =
                    "SELECT count(DISTINCT json_extract(json, '$.scan.clientCertificate')) AS count FROM results"
                #expect(try bench.rows(of: output, "SELECT number FROM results").count == 2)
                #expect(try bench.rows(of: output, question).map { $0["count"] as Int } == [1])
            }
            await dead.stop()
        }
    }
}
