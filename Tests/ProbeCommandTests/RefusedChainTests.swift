import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeTestSupport
import ProbeTrust
import Testing

@testable import ProbeCommand

/// The findings of lint and the rows of forecast for a chain that is refused for its dates or its name, and without one.
@Suite(.bounded) struct RefusedChainTests {
    private static let pki = LabPKI(epoch: .now)

    /// A profile that pins the intermediate, and the chain.
    private struct Files {
        let folder: String

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "probe-refused-\(UUID())").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let chain = try RefusedChainTests.pki.identity(.good).chain
            let issuer = chain[1]
            let pin = try CertificateDigests(certificate: issuer.span, digester: SwiftCryptoDigester()).spki.base64
            let backup = PinDigest.sha256(of: [1]).base64
            for (name, text) in [
                ("ca.pem", try RefusedChainTests.pki.rootPEM()),
                ("chain.pem", CertificateFile.pem(chain[0]) + CertificateFile.pem(chain[1])),
                (
                    "app.yaml",
                    """
                    profile: 1
                    anchors: [ca.pem]
                    services:
                      api: {url: "https://good.test", pins: [{position: ca, anyOf: ["spki:\(pin)", {pin: "spki:\(backup)", backup: true}]}]}
                      other: {url: "https://other.test", pins: [{position: ca, anyOf: ["spki:\(pin)", {pin: "spki:\(backup)", backup: true}]}]}
                    """
                ),
            ] { try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// The pins are right: what is wrong is the leaf's end, or that it is served for another name.
    @Test(arguments: [("api", 70.0, "expired"), ("other", 1.0, "not for other.test")])
    func thePinsAreJudgedOnThePath(service: String, days: Double, words: String) async throws {
        let files = try Files()
        defer { files.remove() }
        let arguments = [
            "\(files.folder)/app.yaml", "--chain", "\(service)=\(files.folder)/chain.pem", "--at",
            RFC3339.format(Self.pki.epoch.addingTimeInterval(days * 86_400)), "--format", "json",
        ]
        let linted = try await Probe.run(["profile", "lint"] + arguments)
        let findings = linted.lines.filter { ($0["path"] as? String)?.contains(service) ?? true }
        let codes = findings.compactMap { $0["code"] as? String }
        #expect(!codes.contains("pin-out-of-reach") && !codes.contains("no-pin-matches"), "\(linted.output)")
        let refused = findings.first { $0["code"] as? String == "chain-not-trusted" }
        #expect((refused?["message"] as? String)?.contains(words) == true, "\(linted.output)")
        #expect((refused?["fix"] as? String)?.contains("--ca") == false, "\(linted.output)")
        let forecast = try await Probe.run(["profile", "forecast"] + arguments)
        #expect(forecast.code == 11, "\(forecast.errors)")
        let results = Dictionary(
            forecast.lines.filter { $0["service"] as? String == service }.compactMap { line in
                (line["event"] as? String).map { ($0, line["result"] as? String) }
            }
        ) { first, _ in first }
        #expect(results["as-served"] == "fails" && results["renewed-same-key"] == "passes", "\(forecast.output)")
        #expect(results["renewed-new-key"] == "passes" && results["new-root"] == "fails")
    }

    /// A supposed chain is not served.
    @Test func whatWasNotSeenIsNotForecast() async throws {
        let files = try Files()
        defer { files.remove() }
        let outcome = try await Probe.run([
            "profile", "forecast", "\(files.folder)/app.yaml", "--live", "--connect", "127.0.0.1:1", "--format", "json",
        ])
        #expect(outcome.code == 20 && outcome.errors.contains("could not be asked"), "\(outcome)")
        let events = outcome.lines.compactMap { $0["event"] as? String }
        #expect(!events.contains("as-served") && events.contains("renewed-same-key"))
    }
}
