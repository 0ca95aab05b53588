import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Subprocess
import SystemPackage
import Testing

/// Client certificates and keys from files of every form, through the whole command.
@Suite(.bounded) struct ClientIdentityCommandTests {
    private static let pki = LabPKI(epoch: .now)

    /// A folder with an identity in all forms, made by `openssl`; the secrets' files are their owner's alone.
    private struct Files {
        let folder: String

        init() async throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "probe-identity-\(UUID())").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let client = try ClientIdentityCommandTests.pki.identity(.clientPurpose)
            try ClientIdentityCommandTests.pki.rootPEM().write(
                toFile: "\(folder)/ca.pem", atomically: true, encoding: .utf8)
            try secret(client.chainPEM, "client.pem")
            try secret(client.keyPEM, "client.key")
            try secret(client.chainPEM + client.keyPEM, "both.pem")
            try secret(try ClientIdentityCommandTests.pki.identity(.good).keyPEM, "other.key")
            try secret("sesame\n", "passphrase")
            try secret("wrong\n", "wrong")
            try await openssl(
                "pkcs8", "-topk8", "-in", "client.key", "-out", "encrypted.key", "-passout", "pass:sesame")
            try await openssl(
                "pkcs12", "-export", "-in", "client.pem", "-inkey", "client.key", "-out", "client.p12", "-passout",
                "pass:sesame")
            try await openssl(
                "pkcs12", "-export", "-in", "client.pem", "-inkey", "client.key", "-out", "empty.p12", "-passout",
                "pass:")
            try await openssl("pkey", "-in", "client.key", "-outform", "DER", "-out", "key.der")
            for name in ["encrypted.key", "client.p12", "empty.p12", "key.der"] { try mode(0o600, name) }
        }

        func secret(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            try mode(0o600, name)
        }

        func mode(_ mode: Int, _ name: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/\(name)")
        }

        private func openssl(_ arguments: String...) async throws {
            let result = try await Subprocess.run(
                .name("openssl"), arguments: Arguments(arguments), workingDirectory: FilePath(folder),
                output: .discarded, error: .string(limit: 10_000))
            try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }

        /// The arguments with the folder before each file's name.
        func located(_ arguments: [String]) -> [String] {
            arguments.map { $0.hasPrefix("--") || $0.contains(".test") ? $0 : "\(folder)/\($0)" }
        }
    }

    private static let server = LabPeer.tls(
        LabTLSRecipe(.good, requiresCertificate: true, takesClients: [.clientPurpose]))

    @Test("PEM, PKCS #8 and PKCS #12, plain and encrypted, are the same identity to every backend")
    func forms() async throws {
        let files = try await Files()
        defer { files.remove() }
        try await LabServer.run(Self.server, pki: Self.pki) { server in
            let connect = ["--connect", "\(server.endpoint)", "--timeout", "60", "--format", "json"]
            for form in [
                ["--client-cert", "client.pem", "--client-key", "client.key"], ["--client-cert", "both.pem"],
                ["--client-cert", "client.pem", "--client-key", "key.der"],
                ["--client-cert", "client.pem", "--client-key", "encrypted.key", "--client-passphrase", "passphrase"],
                ["--client-cert", "client.p12", "--client-passphrase", "passphrase"],
            ] {
                let found = try await Probe.run(files.located(["--ca", "ca.pem", "good.test"] + form) + connect)
                #expect(found.code == 0, "\(form) \(found.output)\(found.errors)")
                #expect(found.lines.count == 4)
                for line in found.lines {
                    let tls = (line["evidence"] as? [String: Any])?["tls"] as? [String: Any]
                    #expect(tls?["clientCertificateSent"] as? Bool == true, "\(line)")
                }
            }
            let without = try await Probe.run(files.located(["--ca", "ca.pem", "good.test"]) + connect)
            #expect(without.code == 20 && without.output.contains("client-certificate-required"))
            #expect(without.output.contains("--client-cert FILE"), "\(without.output)")
        }
    }

    @Test("a profile and a list name an identity's files") func references() async throws {
        let files = try await Files()
        defer { files.remove() }
        try await LabServer.run(Self.server, pki: Self.pki) { server in
            let connect = ["--connect", "\(server.endpoint)", "--timeout", "60"]
            let identity = "clientCertificate: {certificate: client.pem, key: encrypted.key, passphrase: passphrase}"
            try files.secret(
                "profile: 1\nunlistedHost: system\nservices: {api: {url: \"https://good.test\", \(identity)}}\n",
                "app.yaml")
            let checked = try await Probe.run(files.located(["--ca", "ca.pem", "--profile", "app.yaml"]) + connect)
            #expect(checked.code == 0, "\(checked.output)\(checked.errors)")
            let fields = ["clientCert": "client.pem", "clientKey": "client.key"].map { key, name in
                "\"\(key)\":\"\(files.folder)/\(name)\""
            }.joined(separator: ",")
            let scanned = try await Probe.run(
                ["scan", "--ca", "\(files.folder)/ca.pem", "{\"target\":\"good.test\",\(fields)}"] + connect)
            #expect(scanned.code == 0, "\(scanned.output)\(scanned.errors)")
        }
    }

    /// A pipe has its content once, and a passphrase would be asked for twice.
    @Test func anIdentityOfAScansArgumentIsReadOnce() async throws {
        let files = try await Files()
        defer { files.remove() }
        try await LabServer.run(Self.server, pki: Self.pki) { server in
            let target = #"{"target":"good.test","clientCert":"/dev/stdin","clientKey":"client.key"}"#
            let scanned = try await Probe.shell(
                "cd '\(files.folder)' && cat client.pem | "
                    + "$0 scan --ca ca.pem --connect \(server.endpoint) --timeout 60 '\(target)'")
            #expect(scanned.code == 0, "\(scanned.output)\(scanned.errors)")
        }
    }

    @Test(
        "what is no identity is refused before anything is sent, by its file, and no secret is shown",
        arguments: [
            (["--client-cert", "client.pem"], 65, "client.pem has no usable private key"),
            (["--client-cert", "ca.pem", "--client-key", "client.key"], 65, "is not that of the first certificate"),
            (["--client-cert", "client.pem", "--client-key", "other.key"], 65, "is not that of the first certificate"),
            (["--client-cert", "client.key", "--client-key", "client.key"], 65, "has no usable client certificate"),
            (["--client-cert", "client.pem", "--client-key", "encrypted.key"], 65, "is encrypted"),
            (
                ["--client-cert", "client.pem", "--client-key", "encrypted.key", "--client-passphrase", "wrong"], 65,
                "the passphrase does not open"
            ),
            (["--client-cert", "client.p12", "--client-passphrase", "wrong"], 65, "the passphrase does not open"),
            (["--client-cert", "none.pem"], 65, "none.pem can't be read"),
            (["--client-key", "client.key"], 64, "--client-key is of no use without --client-cert"),
        ] as [([String], Int32, String)])
    func refusals(options: [String], code: Int32, words: String) async throws {
        let files = try await Files()
        defer { files.remove() }
        let found = try await Probe.run(
            files.located(["--ca", "ca.pem", "good.test"] + options) + ["--connect", "127.0.0.1:1"])
        #expect(found.code == code, "\(found)")
        #expect(found.errors.contains(words), "\(found.errors)")
        #expect(!found.errors.contains("sesame") && !found.output.contains("sesame"))
    }

    /// No file can hold an empty passphrase, and nothing is asked for one.
    @Test func aContainerWithAnEmptyPassphraseIsOpened() async throws {
        let files = try await Files()
        defer { files.remove() }
        let found = try await Probe.run(
            files.located(["good.test", "--client-cert", "empty.p12"]) + ["--connect", "127.0.0.1:1"])
        #expect(found.code == 20 && found.output.contains("connection-refused"), "\(found)")
    }

    @Test func aKeyThatOthersCanReadIsRefused() async throws {
        let files = try await Files()
        defer { files.remove() }
        try files.mode(0o640, "client.key")
        let found = try await Probe.run(
            files.located(["good.test", "--client-cert", "client.pem", "--client-key", "client.key"]))
        #expect(found.code == 65 && found.errors.contains("has mode 640"), "\(found)")
        // A certificate alone is nobody's secret, and its mode is not the matter.
        try files.mode(0o644, "client.pem")
        let alone = try await Probe.run(files.located(["good.test", "--client-cert", "client.pem"]))
        #expect(alone.code == 65 && alone.errors.contains("or name the key's file too"), "\(alone)")
    }
}
