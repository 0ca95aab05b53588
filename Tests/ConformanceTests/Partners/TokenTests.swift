import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// Client certificates whose key stays in a PKCS #11 token, shown by the built command to servers that are not ours.
@Suite(
    .bounded,
    .enabled(if: SoftToken.isInstalled, "softhsm2 or p11tool (gnutls-bin) is not installed"))
struct TokenTests {
    private static let pki = LabPKI(epoch: .now)

    /// Runs `body` beside `openssl s_server`, which demands a client certificate under one of the anchors in a file.
    private static func serve(
        _ token: SoftToken, anchors: String, _ version: TLSVersion = .tls13,
        _ body: @Sendable ([String]) async throws -> Void
    ) async throws {
        let root = try token.write(pki.rootPEM(), to: "root.pem")
        let server = OpenSSLServer(
            presented: .chain(of: try pki.identity(.good)), version: version, clients: .required(depth: 3),
            authorities: try String(contentsOfFile: anchors, encoding: .utf8), further: ["-verify_return_error"])
        try await server.run { endpoint in
            try await body([
                "good.test", "--ca", root, "--connect", endpoint.description, "--timeout", "60", "--format", "json",
            ])
        }
    }

    private static func expectShown(_ found: ProgramOutcome, _ comment: Comment) {
        #expect(found.code == 0, "\(comment): \(found.output)\(found.errors)")
        for line in found.lines {
            let tls = (line["evidence"] as? [String: Any])?["tls"] as? [String: Any]
            #expect(tls?["clientCertificateSent"] as? Bool == true, comment)
        }
        #expect(!found.lines.isEmpty, comment)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13], [["rsa:2048"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]])
    func keysSign(over version: TLSVersion, algorithm: [String]) async throws {
        let token = try await SoftToken()
        if algorithm.count == 1 {
            try await token.generate("client", algorithm[0])
        } else {
            try await token.generate("client", algorithm[0], algorithm[1], algorithm[2])
        }
        let uri = "pkcs11:token=lab;object=client"
        try await Self.serve(token, anchors: token.path("client.pem"), version) { common in
            for form in [
                [
                    "--client-cert", token.path("client.pem"), "--client-key", uri, "--client-passphrase",
                    token.path("pin"),
                ],
                ["--client-cert", "\(uri);type=cert?pin-source=file:\(token.path("pin"))"],
                [
                    "--client-cert", "PKCS11:token=lab;object=client", "--client-key",
                    "\(uri);type=private?module-path=\(SoftToken.module ?? "")&pin-source=\(token.path("pin"))",
                ],
            ] {
                Self.expectShown(try await token.probe(["--backend", "gnutls"] + common + form), "\(form)")
            }
            let without = try await token.probe(["--backend", "gnutls"] + common)
            #expect(without.code == 20, "the server takes everybody")
        }
    }

    @Test("issuers come from the token too, as far as it has them") func issuers() async throws {
        let token = try await SoftToken()
        let identity = try Self.pki.identity(.clientPurpose)
        try await token.add("client", "--load-privkey", token.write(identity.keyPEM, to: "key.pem"))
        try await token.add(
            "client", "--load-certificate", token.write(LabIdentity.pem([identity.leaf]), to: "leaf.pem"))
        for (index, issuer) in identity.chain.dropFirst().enumerated() {
            try await token.add(
                "issuer\(index)", "--load-certificate", token.write(LabIdentity.pem([issuer]), to: "issuer.pem"))
        }
        let root = try token.write(Self.pki.rootPEM(), to: "root.pem")
        try await Self.serve(token, anchors: root) { common in
            let form = ["--client-cert", "pkcs11:token=lab;object=client", "--client-passphrase", token.path("pin")]
            Self.expectShown(try await token.probe(["--backend", "gnutls"] + common + form), "\(form)")
        }
    }

    @Test("all backends are those that can; the others refuse by name") func otherBackends() async throws {
        let token = try await SoftToken()
        try await token.generate("client", "rsa:2048")
        let form = [
            "--client-cert", token.path("client.pem"), "--client-key", "pkcs11:token=lab;object=client",
            "--client-passphrase", token.path("pin"),
        ]
        try await Self.serve(token, anchors: token.path("client.pem")) { common in
            let all = try await token.probe(["--backend", "all"] + common + form)
            Self.expectShown(all, "all")
            #expect(all.lines.count == 1)
            #expect(all.output.contains("openssl can't do token-key; curl can't do token-key; nio can't do token-key"))
            for name in ["openssl", "curl", "nio"] {
                let found = try await token.probe(["--backend", name] + common + form)
                #expect(found.code == 40, "\(name): \(found.output)\(found.errors)")
                #expect(found.output.contains("\(name) can't do token-key, so nothing was sent"))
            }
        }
    }

    @Test("a profile, a list and a module of the exporter name a token's key, and no path is made of it")
    func references() async throws {
        let token = try await SoftToken()
        try await token.generate("client", "rsa:2048")
        let key = "pkcs11:token=lab;object=client"
        try token.write(
            """
            profile: 1
            unlistedHost: system
            services:
              api:
                url: "https://good.test"
                clientCertificate: {certificate: client.pem, key: "\(key)", passphrase: pin}

            """, to: "app.yaml")
        try token.write(
            """
            modules:
              tls:
                prober: tcp
                tcp:
                  tls: true
                  tls_config: {cert_file: client.pem, key_file: "\(key)?pin-source=file:\(token.path("pin"))"}

            """, to: "serve.yml")
        try await Self.serve(token, anchors: token.path("client.pem")) { common in
            let checked = try await token.probe(
                ["--backend", "gnutls", "--profile", token.path("app.yaml")] + common.dropFirst())
            Self.expectShown(checked, "the profile")
            let line = """
                {"target":"good.test","clientCert":"\(token.path("client.pem"))","clientKey":"\(key)",\
                "clientPassphrase":"\(token.path("pin"))"}
                """
            let place = common.dropFirst().prefix(4)
            let scanned = try await token.probe(["scan", "--backend", "gnutls", line] + place)
            #expect(scanned.code == 0, "\(scanned.output)\(scanned.errors)")
            #expect(scanned.output.contains(#""clientCertificateSent":true"#))
        }
        let served = try await token.probe(["serve", "--config.file", token.path("serve.yml"), "--config.check"])
        #expect(served.code == 0, "\(served.errors)")
    }

    /// A wrong attempt: its options, of which names of files are in the token's folder; the exit code, and words of the error.
    private static let attempts: [([String], Int32, String)] = [
        (["client.pem", "pkcs11:token=lab;object=client", "wrong"], 65, "is wrong, and is not tried again"),
        (["client.pem", "pkcs11:token=lab;object=client"], 65, "asks for a PIN"),
        (["client.pem", "pkcs11:token=lab;object=other", "pin"], 65, "is not that of the first certificate"),
        (["client.pem", "pkcs11:token=lab;object=none", "pin"], 65, "the token has no such object"),
        (["pkcs11:token=lab;object=bare", "pin"], 65, "no usable client certificate"),
        (["client.pem", "pkcs11:token=none;object=client", "pin"], 65, "the tokens here are 'lab'"),
        (["client.pem", "pkcs11:token=lab;object=client?pin-value=271828"], 64, "shows the PIN to everybody"),
        (["client.pem", "pkcs11:token=lab;object=client;pin-value=271828"], 64, "shows the PIN to everybody"),
        (["client.pem", "pkcs11:token=lab;objekt=client", "pin"], 64, "did you mean 'object'?"),
        (["client.pem", "pkcs11:token=lab;object=client;type=cert", "pin"], 64, "is not of type=private"),
        (["client.pem", "pkcs11:token=lab;object=client?module-path=/none.so", "pin"], 65, "/none.so can't be loaded"),
        (["client.pem", "pkcs11:token=lab;object=client?pin-source=file:/none"], 65, "/none can't be read"),
        (["none.pem", "pkcs11:token=lab;object=client", "pin"], 65, "none.pem can't be read"),
        (["pin", "pkcs11:token=lab;object=client", "pin"], 65, "has no usable client certificate"),
    ]

    @Test("what opens no key is refused before anything is sent, and no PIN is shown") func refusals() async throws {
        let token = try await SoftToken()
        for label in ["client", "other"] {
            try await token.generate(label, "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
        }
        let bare = try token.write(Self.pki.identity(.good).keyPEM, to: "bare.key")
        try await token.add("bare", "--load-privkey", bare)
        for (values, code, words) in Self.attempts {
            var options = ["--client-cert", "--client-key", "--client-passphrase"]
            if values[0].hasPrefix("pkcs11:") { options.remove(at: 1) }
            let given = zip(options, values).flatMap { option, value in
                [option, value.hasPrefix("pkcs11:") ? value : token.path(value)]
            }
            let found = try await token.probe(
                ["--backend", "gnutls", "good.test", "--connect", "127.0.0.1:1"] + given)
            #expect(found.code == code, "\(values): \(found)")
            #expect(found.errors.contains(words), "\(values): \(found.errors)")
            for secret in [SoftToken.pin, "314159"] {
                #expect(!found.errors.contains(secret) && !found.output.contains(secret), "\(values)")
            }
        }
    }

    @Test("files of others load no module, and an error does not repeat their PINs") func foreignFiles() async throws {
        let token = try await SoftToken()
        for query in ["module-path=/none.so", "pin-value=271828"] {
            let key = "pkcs11:token=lab;object=client?\(query)"
            try token.write(
                "profile: 1\nservices: {a: {url: \"https://good.test\", clientCertificate: {certificate: \"\(key)\"}}}\n",
                to: "app.yaml")
            let checked = try await token.probe(["--profile", token.path("app.yaml"), "--connect", "127.0.0.1:1"])
            #expect(checked.code == 65, "\(checked)")
            let list = try token.write("{\"target\":\"good.test\",\"clientCert\":\"\(key)\"}\n", to: "list")
            let scanned = try await token.probe(["scan", "--list", list, "--connect", "127.0.0.1:1"])
            #expect(scanned.code == 65, "\(scanned)")
            for found in [checked, scanned] {
                #expect((found.output + found.errors).contains(query.prefix { $0 != "=" }), "\(found)")
                #expect(!(found.output + found.errors).contains("271828"), "\(found)")
            }
        }
    }
}
