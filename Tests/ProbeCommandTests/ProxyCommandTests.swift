import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Subprocess
import Testing

/// Proxies through the whole command.
@Suite(.bounded) struct ProxyCommandTests {
    private static let pki = LabPKI(epoch: .now)
    private static let target = Endpoint(host: .dns("good.test"), port: 443)

    private static func proxy(
        _ scheme: HandshakeRequest.Proxy.Scheme, credentials: String? = nil, fault: LabProxyFault? = nil
    ) -> LabPeer {
        .tls(
            LabTLSRecipe(
                .good,
                dialogue: LabDialogue(
                    proxy: scheme, to: target, credentials: credentials, identity: scheme == .https ? .address : nil,
                    fault: fault)))
    }

    /// Runs the command with files of a folder: the root, and credentials.
    private static func probe(
        _ arguments: [String], mode: Int = 0o600, credentials: String = "user:sesame\n",
        environment: [Environment.Key: String?] = [:]
    ) async throws -> Probe.Outcome {
        try await ScratchFolder.with { folder in
            try pki.rootPEM().write(toFile: "\(folder)/ca.pem", atomically: true, encoding: .utf8)
            try credentials.write(toFile: "\(folder)/secret", atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/secret")
            let located = arguments.map { $0.replacing("FOLDER", with: folder) }
            return try await Probe.run(
                located + ["--ca", "\(folder)/ca.pem", "--timeout", "60"], environment: .inherit.updating(environment))
        }
    }

    private static func codes(_ line: [String: Any]) -> [String] {
        (line["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    @Test("every backend goes through a proxy, which the report names, and none of all is left out")
    func isUsed() async throws {
        for scheme in [HandshakeRequest.Proxy.Scheme.http, .https, .socks5h] {
            try await LabServer.run(Self.proxy(scheme, credentials: "user:sesame"), pki: Self.pki) { server in
                let own = scheme == .https ? ["--proxy-ca", "FOLDER/ca.pem"] : []
                let found = try await Self.probe(
                    [
                        "--proxy", "\(scheme.rawValue)://\(server.endpoint)", "--proxy-credentials", "FOLDER/secret",
                        "--format", "json", "good.test",
                    ] + own)
                #expect(found.code == 0, "\(found.output)\(found.errors)")
                #expect(found.lines.count == 4)
                for line in found.lines {
                    #expect(Self.codes(line).contains("proxy-used"), "\(line)")
                    #expect(Self.codes(line).contains("proxy-may-intercept"), "\(line)")
                }
                #expect(!found.output.contains("sesame"))
            }
        }
    }

    @Test("the proxy of the environment is followed on request, and else its neglect is a note")
    func environment() async throws {
        try await LabServer.run(Self.proxy(.http, credentials: "user:sesame"), pki: Self.pki) { server in
            let url = "http://user:sesame@\(server.endpoint)"
            let arguments = ["--format", "json", "--backend", "openssl", "good.test"]
            let used = try await Self.probe(
                arguments + ["--proxy", "environment"], environment: ["https_proxy": url, "no_proxy": "other.test"])
            #expect(used.code == 0, "\(used.output)\(used.errors)")
            #expect(used.lines.contains { Self.codes($0).contains("proxy-used") })
            #expect(!(used.output + used.errors).contains("sesame"))
        }
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            let arguments = [
                "--format", "json", "--backend", "openssl", "--connect", "\(server.endpoint)", "good.test",
            ]
            let dead: [Environment.Key: String?] = ["HTTPS_PROXY": "http://user:sesame@127.0.0.1:1"]
            let neglected = try await Self.probe(arguments, environment: dead)
            #expect(neglected.code == 0, "\(neglected.output)\(neglected.errors)")
            let line = try #require(neglected.lines.first)
            #expect(Self.codes(line).contains("proxy-neglected"), "\(line)")
            #expect(neglected.output.contains("HTTPS_PROXY") && neglected.output.contains("--proxy environment"))
            #expect(!neglected.output.contains("sesame"))
            let excluded = try await Self.probe(
                arguments + ["--proxy", "environment"], environment: dead.merging(["NO_PROXY": ".test"]) { $1 })
            #expect(excluded.code == 0, "\(excluded.output)\(excluded.errors)")
            let quiet = try await Self.probe(arguments, environment: dead.merging(["NO_PROXY": ".test"]) { $1 })
            #expect(!quiet.output.contains("proxy-neglected"))
        }
    }

    @Test("compare, watch, scan and pins go through it too") func commands() async throws {
        try await LabServer.run(Self.proxy(.http), pki: Self.pki) { server in
            let proxy = ["--proxy", "http://\(server.endpoint)", "good.test"]
            for command in [["compare"], ["watch", "--rounds", "1"], ["scan"], ["pins"]] {
                let found = try await Self.probe(command + proxy)
                #expect(found.code == 0, "\(command): \(found.output)\(found.errors)")
            }
        }
    }

    @Test("a proxy that refuses is named, with the option that helps") func refused() async throws {
        try await LabServer.run(Self.proxy(.http, fault: .wantsCredentials), pki: Self.pki) { server in
            let found = try await Self.probe(["--proxy", "http://\(server.endpoint)", "good.test"])
            #expect(found.code == 20 && found.output.contains("proxy-refused"), "\(found.output)")
            #expect(found.output.contains("--proxy-credentials FILE"), "\(found.output)")
        }
    }

    @Test(
        "what can't be meant is refused before anything is sent",
        arguments: [
            (["--proxy", "http://user:sesame@127.0.0.1:1"], 64, "--proxy-credentials FILE"),
            (["--proxy", "socks4://127.0.0.1:1"], 64, "'socks4' is not a protocol of proxies"),
            (["--proxy-credentials", "FOLDER/secret"], 64, "of no use without --proxy"),
            (["--proxy", "http://127.0.0.1:1", "--proxy-ca", "FOLDER/ca.pem"], 64, "about TLS to the proxy"),
            (["--proxy", "http://127.0.0.1:1", "--connect", "unix:/x"], 64, "choose one of the two"),
            (["--proxy", "http://127.0.0.1:1", "--chain", "FOLDER/ca.pem"], 64, "--proxy and --chain"),
            (["--proxy", "http://127.0.0.1:1", "--proxy-credentials", "FOLDER/none"], 65, "can't be read"),
            (["--proxy", "http://127.0.0.1:1", "--proxy-credentials", "FOLDER/ca.pem"], 65, "has mode"),
        ] as [([String], Int32, String)])
    func misuse(options: [String], code: Int32, words: String) async throws {
        let found = try await Self.probe(options + ["good.test"])
        #expect(found.code == code && found.errors.contains(words), "\(found)")
        #expect(!found.errors.contains("sesame"), "\(found.errors)")
    }

    @Test("a file of credentials has one line, of a name and a password or of a token")
    func credentials() async throws {
        for text in ["sesame", "user:sesame\nX: y\n", "Bearer \n", "\n"] {
            let found = try await Self.probe(
                ["--proxy", "http://127.0.0.1:1", "--proxy-credentials", "FOLDER/secret", "good.test"],
                credentials: text)
            #expect(found.code == 65 && found.errors.contains("has no credentials"), "\(found)")
        }
        let token = try await Self.probe(
            ["--proxy", "socks5h://127.0.0.1:1", "--proxy-credentials", "FOLDER/secret", "good.test"],
            credentials: "Bearer sesame")
        #expect(token.code == 64 && token.errors.contains("SOCKS has no tokens"), "\(token)")
    }
}
