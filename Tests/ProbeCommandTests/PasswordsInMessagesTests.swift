import Foundation
import ProbeTestSupport
import Testing

/// No message repeats a password, wherever a target or a URL with one is written.
@Suite(.bounded) struct PasswordsInMessagesTests {
    private static let forms = [
        "tls://bob:s3cret@h.example", "https://bob:s3cret@h.example/dns-query", "http://bob:s3cret@127.0.0.1:1",
        "smtp://bob:s3cret@h.example", "ftp://bob:s3cret@h.example", "bob:s3cret@h.example:443",
        "*.bob:s3cret@h.example", "**.bob:s3cret@h.example",
    ]

    /// Each is given the text at its end.
    private static let commands: [[String]] = [
        ["check"], ["check", "--format", "json"], ["check", "--format", "sarif"], ["check", "--format", "junit"],
        ["compare"], ["pins"], ["survey"], ["watch"], ["fleet"], ["scan"], ["verify"],
        ["match", "--pins"], ["models", "--dns-server", "127.0.0.1:1"], ["models", "a.test", "--dns-server"],
        ["bench", "handshake"], ["profile", "lint"], ["profile", "forecast"], ["check", "a.test", "--connect"],
        ["check", "a.test", "--proxy"], ["check", "a.test", "--ca"], ["check", "a.test", "--pin"],
        ["check", "a.test", "--profile"], ["check", "a.test", "--chain"], ["check", "a.test", "--client-cert"],
        ["check", "a.test", "--starttls"],
        ["check", "a.test", "--model", "m", "--dns-server", "127.0.0.1:1", "--model-host"],
        ["check", "a.test", "--model", "m", "--model-host", "m.test", "--dns-server"], ["scan", "--list"],
        ["serve", "--config.file", "/dev/null", "--web.listen-address"],
        ["serve", "--config.file", "/dev/null", "--allow-network"],
        ["serve", "--config.file", "/dev/null", "--allow-target"], ["serve", "--config.file"],
    ]

    @Test(arguments: forms) func arguments(form: String) async throws {
        for command in Self.commands {
            let outcome = try await Probe.run(command + [form])
            #expect([64, 65].contains(outcome.code), "\(command) \(outcome)")
            #expect(!"\(outcome.output)\(outcome.errors)".contains("s3cret"), "\(command) \(outcome)")
        }
    }

    /// Files with the text as a host, a server or a pin.
    private static let files: [String: String] = [
        "target.yaml": "profile: 1\nunlistedHost: system\nservices: {a: {url: \"TEXT\"}}\n",
        "host.yaml": "profile: 1\nhosts: [{host: \"TEXT\", pins: [\"PIN\"]}]\n",
        "list.yaml": "profile: 1\nmodels: [{name: m, hosts: [\"TEXT\"]}]\n",
        "server.yaml": "profile: 1\nmodels: [{name: m, hosts: [m.test], servers: [\"TEXT\"]}]\n",
        "key.yaml": "profile: 1\n\"TEXT\": 1\n",
        "okhttp.kt": "CertificatePinner.Builder().add(\"TEXT\", \"PIN\").build()\n",
        "nsc.xml": """
        <network-security-config><domain-config><domain>TEXT</domain><pin-set><pin digest="SHA-256">DIGEST</pin></pin-set>
        </domain-config></network-security-config>
        """,
        "apple.plist": """
        <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>TEXT</key>
        <dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>DIGEST</string></dict>
        </array></dict></dict></dict></dict></plist>
        """,
        "list.txt": "TEXT\n",
    ]
    private static let digest = "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="

    @Test(arguments: forms) func contents(form: String) async throws {
        try await ScratchFolder.withURL { folder in
            for (name, content) in Self.files {
                let path = folder.appending(path: name).path
                let text = content.replacing("TEXT", with: form).replacing("PIN", with: "sha256/" + Self.digest)
                    .replacing("DIGEST", with: Self.digest)
                try text.write(toFile: path, atomically: true, encoding: .utf8)
                let lint = ["text", "json", "sarif"].map { ["profile", "lint", path, "--format", $0] }
                let others = [
                    ["check", "--profile", path], ["match", "--pins", path, "/dev/null"], ["scan", "--list", path],
                    ["serve", "--config.file", path],
                ]
                for command in lint + others {
                    let outcome = try await Probe.run(command)
                    #expect(!"\(outcome.output)\(outcome.errors)".contains("s3cret"), "\(command) \(outcome)")
                }
            }
        }
    }
}
