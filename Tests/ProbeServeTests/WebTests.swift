import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeServe

/// The ways to the server itself: passwords, TLS, client certificates, by a file as Prometheus' exporters have it.
@Suite(.bounded) struct WebTests {
    private static let pki = LabPKI(epoch: .now)
    private static let modules = "modules: {tls: {prober: tcp, tcp: {tls: true}}}"
    /// Of `secret pass:word`.
    private static let hash = "$2b$04$bK2D/BWU5rvaOEkdq1TEJe/BgWYWnBkO6HbopbII7SdWObLMP..ha"

    /// Returns the status of an answer. URLSession has ways of its own with 401.
    private static func status(_ path: String, of server: ServerUnderTest, _ user: String? = nil) async throws -> String
    {
        let header = user.map { ["-H", "Authorization: Basic \(Data($0.utf8).base64EncodedString())"] } ?? []
        return try await curl(
            ["-o", "/dev/null", "-w", "%{http_code}"] + header + [server.base + path], in: server.folder)
    }

    private func refusal(_ text: String) throws -> InputError {
        let file = FileManager.default.temporaryDirectory.appending(path: "web-\(UUID()).yml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try #require(throws: InputError.self) { try WebConfiguration.read(file.path) }
    }

    @Test("nothing is served without a password, and it is not half of one") func passwords() async throws {
        try Self.requireCurl()
        let web = "basic_auth_users:\n  alice: \(Self.hash)\n"
        try await ServerUnderTest.run(Self.modules, web: web) { server async throws in
            for path in ["/metrics", "/", "/-/healthy", "/config", "/probe?target=x", "/nothing"] {
                #expect(try await Self.status(path, of: server) == "401", "\(path)")
            }
            for user in [
                "alice:secret pass:wor", "alice:", "bob:secret pass:word", "alice", "secret pass:word",
                "alice:secret pass:word\0",
            ] {
                #expect(try await Self.status("/metrics", of: server, user) == "401", "\(user)")
            }
            for _ in 0..<3 {
                #expect(try await Self.status("/metrics", of: server, "alice:secret pass:word") == "200")
            }
        }
    }

    @Test("a password is not shown, and is bcrypt's") func faults() throws {
        for hash in ["secret", "$1$abc", "$2b$31$\(Self.hash.suffix(53))", "\(Self.hash)x"] {
            let error = try refusal("basic_auth_users:\n  alice: \(hash)\n")
            #expect(error.message.contains(".yml:2: 'basic_auth_users.alice'") && !error.description.contains(hash))
        }
        for (text, part) in [
            ("tls_server_config: {cert_file: /no/such, key_file: x}", "/no/such"),
            ("tls_server_config: {key_file: x}", "lacks 'cert_file'"),
            ("http_server_config: {http2: true}", "HTTP/1.1"),
            ("tls_config: {}", "'tls_config' is not a key of a web configuration"),
            ("tls_server_config: {cert_file: a, key_file: b, min_version: TLS11}", "is 'TLS11', which is not served"),
            (
                "tls_server_config: {cert_file: a, key_file: b, min_version: TLS13, max_version: TLS12}",
                "is older than 'min_version'"
            ),
            ("tls_server_config: {cert_file: a, key_file: b, nothing: x}", "nothing' is not a key of"),
            (
                "tls_server_config: {cert_file: a, key_file: b, cipher_suites: []}",
                "cipher_suites' can't be chosen here"
            ),
        ] {
            #expect(try refusal(text).description.contains(part), "\(text)")
        }
    }

    @Test("over TLS, and with a client's certificate alone where one is asked for", arguments: [false, true])
    func overTLS(asksForClient: Bool) async throws {
        try Self.requireCurl()
        let (server, client) = (try Self.pki.identity(.good), try Self.pki.identity(.clientPurpose))
        let files = [
            "server.pem": server.chainPEM, "server.key": server.key.pem, "client.pem": client.chainPEM,
            "client.key": client.key.pem, "ca.pem": try Self.pki.rootPEM(),
        ]
        let web = """
            tls_server_config:
              cert_file: server.pem
              key_file: server.key
              \(asksForClient ? "client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: ca.pem" : "min_version: TLS13")
            """
        try await ServerUnderTest.run(Self.modules, files: files, web: web) { server async throws in
            let port = try #require(server.base.split(separator: ":").last)
            #expect(server.base.hasPrefix("https://"))
            let options = [
                "--cacert", "ca.pem", "--resolve", "good.test:\(port):127.0.0.1", "https://good.test:\(port)/-/healthy",
            ]
            let alone = try await Self.curl(options, in: server.folder)
            #expect((alone == "Healthy\n") == !asksForClient, "\(alone)")
            let known = try await Self.curl(
                ["--cert", "client.pem", "--key", "client.key"] + options, in: server.folder)
            #expect(known == "Healthy\n", "\(known)")
        }
    }

    private static func requireCurl() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") else { try skip("curl is not installed") }
    }

    /// Returns what curl prints.
    private static func curl(_ options: [String], in folder: String) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/curl")
        process.arguments = ["-sS", "--max-time", "120"] + options
        process.currentDirectoryURL = URL(filePath: folder)
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { _ in
                let data = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
                continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}
