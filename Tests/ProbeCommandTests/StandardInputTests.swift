import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import ProbeTrust
import Testing

/// `-` where a file is read is standard input.
@Suite(.bounded) struct StandardInputTests {
    private static let pki = LabPKI(epoch: .now)

    @Test(arguments: [
        ("leaf.pem", "check --chain - --ca ca.pem good.test"),
        ("leaf.pem", "check --chain - --ca ca.pem --profile app.yaml"),
        ("leaf.pem", "check --chain /dev/stdin --ca ca.pem --profile app.yaml"),
        ("ca.pem", "check --chain leaf.pem --ca - good.test"),
        ("pins.txt", "check --chain leaf.pem --ca ca.pem --profile - good.test"),
        ("leaf.pem", "check --chain leaf.pem --ca ca.pem --expect-certificate -@leaf good.test"),
        ("leaf.pem", "verify - --ca ca.pem --name good.test"), ("leaf.pem", "pins -"),
        ("clients.yaml", "check --client - --chain leaf.pem good.test"), ("clients.yaml", "clients show -"),
        ("fleet.yaml", "fleet --fleet - --chain leaf.pem good.test"), ("pins.txt", "match --pins - leaf.pem"),
        ("pins.txt", "profile convert - --to native-yaml"),
        (
            "exemptions.json",
            "conformance --backend openssl --resolver ldns --filter tls/pins/spki-leaf --exemptions -"
        ),
    ])
    func isRead(file: String, arguments: String) async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for line in ["$0 \(arguments) < \(file)", "cat \(file) | $0 \(arguments)"] {
            let outcome = try await Probe.shell("cd '\(folder.path)' && \(line)")
            #expect(outcome.code == 0, "\(line): \(outcome.errors)\(outcome.output)")
        }
    }

    /// A path in a profile is a file's, so that what comes through a pipe can't stand in for it.
    @Test func isNoPathOfAProfile() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pin = "spki:sha256:" + PinDigest.sha256(of: [1]).hex
        try "profile: 1\nanchors: ['-']\nhosts: [{host: good.test, pins: [{anyOf: ['\(pin)']}]}]\n".write(
            to: folder.appending(path: "profile.yaml"), atomically: true, encoding: .utf8)
        let outcome = try await Probe.shell(
            "cd '\(folder.path)' && $0 check --chain leaf.pem --profile profile.yaml good.test < ca.pem")
        #expect(outcome.code == 65 && outcome.errors.contains("./-"), "\(outcome.errors)")
    }

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-input-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let identity = try Self.pki.identity(.good)
        let pin = PinDigest.sha256(of: identity.key.spki).hex
        for (name, text) in [
            ("ca.pem", try Self.pki.rootPEM()), ("leaf.pem", identity.chain.map(CertificateFile.pem).joined()),
            ("pins.txt", "spki:sha256:\(pin)\n"),
            ("app.yaml", "profile: 1\nservices: {api: {url: good.test, pins: [{anyOf: ['spki:sha256:\(pin)']}]}}\n"),
            ("fleet.yaml", "fleet: 1\nclients: {curl-7.68-debian-10: 100}\n"),
            (
                "clients.yaml",
                """
                clients:
                  terminal:
                    {released: 2020-01-01, library: Terminal, roots: ca.pem, sources: {released: us, library: us, roots: us}}
                """
            ),
            ("exemptions.json", #"{"schema": "probe-exemptions/1", "backends": {}}"#),
        ] {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        return folder
    }
}
