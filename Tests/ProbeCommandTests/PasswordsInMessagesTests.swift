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

    /// Each command has two of the forms, each form a quarter of the commands.
    @Test(arguments: forms.indices) func arguments(form: Int) async throws {
        for (index, command) in Self.commands.enumerated() where (index + form) % 4 == 0 {
            let outcome = try await Probe.run(command + [Self.forms[form]])
            #expect([64, 65].contains(outcome.code), "\(command) \(outcome)")
            #expect(!"\(outcome.output)\(outcome.errors)".contains("s3cret"), "\(command) \(outcome)")
        }
    }

    /// Files with the text as a host, a server or a pin.
    private static let files: [String: String] = [
        "target.yaml": "profile: 1\nunlistedHost: system\nservices: {a: {url: \"TEXT\"}}\n",
        "host.yaml": """
        profile: 1
        unlistedHost: system
        hosts: [{host: "TEXT", pins: [{position: any, anyOf: ["spki:sha256:DIGEST"]}]}]
        """,
        "list.yaml": "profile: 1\nunlistedHost: system\nmodels: [{model: m, hosts: [\"TEXT\"]}]\n",
        "server.yaml":
            "profile: 1\nunlistedHost: system\nmodels: [{model: m, hosts: [m.test], servers: [\"TEXT\"]}]\n",
        "key.yaml": "profile: 1\n\"TEXT\": 1\n",
        "okhttp.kt": "CertificatePinner.Builder().add(\"TEXT\", \"sha256/DIGEST\").build()\n",
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

    /// Writes a file with a text in its place, and returns its path.
    private static func write(_ name: String, of content: String, with text: String, to folder: URL) throws -> String {
        let path = folder.appending(path: name).path
        try content.replacing("TEXT", with: text).replacing("DIGEST", with: digest)
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Each file has each of the forms, and with each of them one of the commands.
    @Test(arguments: forms.indices) func contents(form: Int) async throws {
        try await ScratchFolder.withURL { folder in
            for (place, (name, content)) in Self.files.sorted(by: { $0.key < $1.key }).enumerated() {
                let path = try Self.write(name, of: content, with: Self.forms[form], to: folder)
                let lint = ["text", "json", "sarif"].map { ["profile", "lint", path, "--format", $0] }
                let others = [
                    ["check", "--profile", path], ["match", "--pins", path, "/dev/null"], ["scan", "--list", path],
                    ["serve", "--config.file", path],
                ]
                let commands = lint + others
                let command = commands[(place + form) % commands.count]
                let outcome = try await Probe.run(command)
                #expect(!"\(outcome.output)\(outcome.errors)".contains("s3cret"), "\(command) \(outcome)")
            }
        }
    }

    /// A file whose text is passed over would show nothing.
    @Test("a command reads the text of each file", arguments: files.keys.sorted())
    func reached(name: String) async throws {
        try await ScratchFolder.withURL { folder in
            let content = try #require(Self.files[name])
            let path = try Self.write(name, of: content, with: Self.forms[0], to: folder)
            let command =
                switch name {
                case "server.yaml": ["check", "--profile", path]
                case "list.txt": ["scan", "--list", path]
                default: ["profile", "lint", path]
                }
            let outcome = try await Probe.run(command)
            let text = "\(outcome.output)\(outcome.errors)"
            #expect(text.contains("…@") || text.contains("carries credentials"), "\(outcome)")
            #expect(!text.contains("s3cret"), "\(outcome)")
        }
    }
}
