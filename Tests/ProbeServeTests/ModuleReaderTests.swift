import Foundation
import ProbeKit
import ProbeRun
import Testing

@testable import ProbeServe

/// The contents that a blackbox.yml may have, and those that are refused with their line.
@Suite struct ModuleReaderTests {
    private func read(_ text: String, rules: TargetRules = TargetRules()) throws -> ServeConfiguration {
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID()).yml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try ServeConfiguration.read(file.path, policies: [:], rules: rules)
    }

    /// Returns the refusal of a module with these lines below its name, which is on line 2.
    private func refusal(_ lines: String) throws -> InputError {
        try #require(throws: InputError.self) { try read("modules:\n  m:\n" + lines) }
    }

    @Test func modulesAreRead() throws {
        let configuration = try read(
            """
            modules:
              http_2xx: {prober: http}
              web:
                prober: http
                timeout: 1m0.5s
                http:
                  method: GET
                  enable_http2: false
                  follow_redirects: false
                  fail_if_not_ssl: true
                  preferred_ip_protocol: ip4
                  ip_protocol_fallback: false
                  tls_config: {min_version: TLS13, server_name: API.example.com, insecure_skip_verify: false}
              tls: {prober: tcp, timeout: 5s, tcp: {tls: true}}
              txt: {prober: dns, dns: {query_name: models.example.com, query_type: TXT, valid_rcodes: [NOERROR, NXDOMAIN]}}
            """)
        #expect(configuration.modules.map(\.name) == ["http_2xx", "tls", "txt", "web"])
        let web = try #require(configuration["web"])
        #expect(web.timeout == .seconds(60.5) && web.addresses == AddressPreference(version: .ip4, isOptional: false))
        guard case .tls(let tls) = web.prober, case .dns(let dns)? = configuration["txt"]?.prober else {
            Issue.record("\(web)")
            return
        }
        #expect(tls.isHTTP && tls.alpn == ["http/1.1"] && tls.minimumTLS == .tls13)
        #expect(tls.serverName == (try ServerName("api.example.com")))
        #expect("\(dns.name)" == "models.example.com" && dns.validCodes == [.noError, .nameError])
    }

    /// The schemes of other protocols are those of a target elsewhere.
    @Test(
        "a target that is not an https:// URL is refused with what this module takes",
        arguments: ["http://a.test", "SMTP://a.test", "imap://a.test:143", "x://a.test"]) func otherSchemes(
            text: String
        )
        throws
    {
        guard case .tls(let web)? = try read("modules: {web: {prober: http}}")["web"]?.prober else {
            Issue.record("not a module")
            return
        }
        let error = #expect(throws: InputError.self) { try web.target(text) }
        #expect(error?.message == "'\(text)' is not an https:// URL")
        #expect(error?.remedy.contains("https://NAME") == true && error?.remedy.contains("://,") == false)
        for text in ["https://a.test/x", "wss://a.test", "a.test", "a.test:443"] {
            #expect("\(try web.target(text))" == "a.test:443")
        }
    }

    @Test(
        "TLS is started by a name, and by the steps of blackbox_exporter",
        arguments: [
            ("starttls: imap", StartTLS.imap), ("{starttls: xmpp-server, tls: false}", .xmppServer),
            (
                #"query_response: [{expect: "^220 ([^ ]+) ESMTP (.+)$"}, {send: "EHLO prober\r"}, {expect: "^250-STARTTLS"}, {send: "STARTTLS\r"}, {expect: "^220"}, {starttls: true}, {send: "QUIT\r"}]"#,
                .smtp
            ),
            (#"query_response: [{expect: "OK"}, {send: ". STARTTLS"}, {expect: "OK"}, {starttls: true}]"#, .imap),
            (#"query_response: [{expect: "^\\+OK"}, {send: "STLS"}, {starttls: true}]"#, .pop3),
            (#"query_response: [{expect: "^220"}, {send: "AUTH TLS"}, {expect: "^234"}, {starttls: true}]"#, .ftp),
            (#"query_response: [{send: "LHLO x"}, {send: "STARTTLS"}, {starttls: true}]"#, .lmtp),
            (#"query_response: [{send: "STARTTLS"}, {expect: "^382"}, {starttls: true}]"#, .nntp),
            (
                #"query_response: [{send: "<stream:stream xmlns='jabber:client'>"}, {send: "<starttls/>"}, {expect: "<proceed"}, {starttls: true}]"#,
                .xmppClient
            ),
        ])
    func startTLS(lines: String, known: StartTLS) throws {
        let configuration = try read(
            "modules:\n  m:\n    prober: tcp\n    tcp:\n      \(lines)\n".replacing("tcp:\n      {", with: "tcp: {"))
        guard case .tls(let tls)? = configuration["m"]?.prober else {
            Issue.record("\(configuration)")
            return
        }
        #expect(tls.startTLS == known)
        #expect(try tls.target("mail.test:25").startTLS == known)
        #expect(try read(configuration.text).text == configuration.text)
    }

    @Test(
        "a step that asks for more is refused",
        arguments: [
            #"{send: EHLO x}, {send: STARTTLS}, {starttls: true}, {expect: "^250-AUTH"}"#,
            #"{expect: "^220 mail.example.com"}, {send: EHLO x}, {send: STARTTLS}, {starttls: true}"#,
            #"{expect: "^250-AUTH LOGIN"}, {send: EHLO x}, {send: STARTTLS}, {starttls: true}"#,
            #"{send: HELLO}, {send: START TLS}, {starttls: true}"#,
        ])
    func stepsThatAskForMore(steps: String) throws {
        let error = try refusal("    prober: tcp\n    tcp:\n      query_response: [\(steps)]\n")
        #expect(error.message.contains(".yml:5: 'modules.m.tcp.query_response"), "\(error)")
    }

    @Test func tlsIsStartedOnce() throws {
        for lines in ["tls: true\n      starttls: smtp", "starttls: smtp\n      query_response: []"] {
            #expect(try refusal("    prober: tcp\n    tcp:\n      \(lines)\n").message.contains("is given beside"))
        }
    }

    @Test("a client certificate is read with its key, and neither alone") func clientCertificates() throws {
        let text = "modules: {m: {prober: tcp, tcp: {tls: true, tls_config: {cert_file: c.pem, key_file: /k.pem}}}}"
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID()).yml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let configuration = try ServeConfiguration.read(file.path, policies: [:]) { files throws(InputError) in
            guard files.certificate.hasSuffix("/c.pem"), files.certificate.hasPrefix("/"), files.key == "/k.pem" else {
                throw InputError("\(files)", remedy: "none")
            }
            let key: [UInt8] = [2]
            return ClientIdentity(chain: [[1]], key: .pkcs8(Secret(copying: key.span)))
        }
        guard case .tls(let tls)? = configuration["m"]?.prober else {
            Issue.record("\(configuration)")
            return
        }
        let check = tls.check(try tls.target("a.test:443"), hostname: nil, timeout: .seconds(1))
        #expect(check.clientIdentity?.chain == [[1]])
        #expect(configuration.text.contains(#"cert_file: "c.pem", key_file: "/k.pem""#))
        for (lines, words) in [
            ("cert_file: x", "without 'key_file'"), ("key_file: x", "without 'cert_file'"),
            ("cert_file: x\n        key_file: y", "this build"),
        ] {
            let error = try refusal(
                "    prober: tcp\n    tcp:\n      tls: true\n      tls_config:\n        \(lines)\n")
            #expect(error.message.contains(words))
        }
    }

    @Test(
        "a client identity that can't be read is refused at the file that is at fault",
        arguments: [
            ("/k.pem has mode 640: others may reach the secret in it", "key_file"),
            ("the key in /k.pem is not that of the first certificate in /c.pem", "key_file"),
            ("/c.pem can't be read: No such file", "cert_file"),
            ("/c.pem has no usable client certificate: none", "cert_file"),
        ])
    func identityAtFault(message: String, key: String) throws {
        let text = "modules: {m: {prober: tcp, tcp: {tls: true, tls_config: {cert_file: /c.pem, key_file: /k.pem}}}}"
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID()).yml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = try #require(throws: InputError.self) {
            try ServeConfiguration.read(file.path, policies: [:]) { _ throws(InputError) in
                throw InputError(message, remedy: "chmod 600 /k.pem")
            }
        }
        #expect(error.message.contains("'modules.m.tcp.tls_config.\(key)' can't be used: \(message)"), "\(error)")
        #expect(error.remedy == "chmod 600 /k.pem")
    }

    @Test("the file at fault is found if errors hide a part of its path") func hiddenPath() throws {
        let text =
            "modules: {m: {prober: tcp, tcp: {tls: true, tls_config: {cert_file: '/a,b:c@d.pem', key_file: /k.pem}}}}"
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID()).yml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = try #require(throws: InputError.self) {
            try ServeConfiguration.read(file.path, policies: [:]) { files throws(InputError) in
                throw InputError("\(files.certificate) can't be read", remedy: "none")
            }
        }
        #expect(error.message.contains(".tls_config.cert_file' can't be used: /a,…@d.pem can't be read"), "\(error)")
    }

    @Test("the page of the configuration reads back the same") func textReadsBack() throws {
        let configuration = try read(
            """
            modules:
              'a "b': {prober: http, timeout: 500ms, http: {tls_config: {server_name: x.test}}}
              tls: {prober: tcp, tcp: {tls: true, preferred_ip_protocol: ip4}}
              txt: {prober: dns, dns: {query_name: a.test, query_type: TXT}}
            """)
        #expect(try read(configuration.text).text == configuration.text)
    }

    /// Every key of blackbox_exporter that asks for what is not done, by section.
    private static let refused: [(section: String, key: String, value: String)] =
        [
            "valid_status_codes", "valid_http_versions", "headers", "body", "body_file", "body_size_limit",
            "compression",
            "fail_if_body_matches_regexp", "fail_if_body_not_matches_regexp", "fail_if_body_json_matches_cel",
            "fail_if_body_json_not_matches_cel", "fail_if_header_matches", "fail_if_header_not_matches", "basic_auth",
            "authorization", "oauth2", "bearer_token", "bearer_token_file", "proxy_url", "no_proxy",
            "proxy_from_environment", "proxy_connect_header", "http_headers", "skip_resolve_phase_with_proxy",
        ].map { ("http", $0, "x") }
        + [
            ("http", "method", "POST"), ("http", "follow_redirects", "true"), ("http", "no_follow_redirects", "false"),
            ("http", "fail_if_ssl", "true"), ("tcp", "query_response", "[]"),
            ("tcp", "query_response", "[{expect: \"^+OK\"}]"), ("tcp", "starttls", "http"),
            ("tcp", "query_response", "[{send: STARTTLS}, {starttls: true}]"),
            ("tcp", "query_response", "[{send: EHLO x}, {send: STARTTLS, labels: []}, {starttls: true}]"),
            ("tcp", "source_ip_address", "127.0.0.1"),
            ("dns", "query_type", "SOA"), ("dns", "query_class", "CH"), ("dns", "transport_protocol", "tcp"),
            ("dns", "recursion_desired", "false"), ("dns", "dns_over_tls", "true"), ("dns", "tls_config", "{}"),
            ("dns", "validate_answer_rrs", "{}"), ("dns", "validate_authority_rrs", "{}"),
            ("dns", "validate_additional_rrs", "{}"), ("dns", "valid_rcodes", "[NOSUCH]"),
        ]

    @Test("a key that is not honoured is refused with its line", arguments: refused)
    func refusedWithLine(section: String, key: String, value: String) throws {
        let error = try refusal(
            "    prober: \(section)\n    \(section):\n      preferred_ip_protocol: ip4\n      \(key): \(value)\n")
        #expect(error.message.contains(".yml:6: 'modules.m.\(section).\(key)"), "\(error)")
        #expect(error.source == .file && !error.remedy.isEmpty)
    }

    private static let refusedTLS = [
        ("insecure_skip_verify", "true"), ("cert_file", "x"), ("key_file", "x"),
        ("cert", "x"), ("key", "x"),
        ("ca_ref", "x"), ("cert_ref", "x"), ("key_ref", "x"), ("max_version", "TLS12"), ("min_version", "TLS9"),
        ("ca_file", "/no/such/file"), ("ca", "nonsense"), ("server_name", "a b"),
    ]

    @Test("so are those of tls_config", arguments: refusedTLS)
    func refusedWithLine(key: String, value: String) throws {
        let error = try refusal(
            "    prober: tcp\n    tcp:\n      tls: true\n      tls_config:\n        \(key): \(value)\n")
        #expect(error.message.contains(".yml:7: 'modules.m.tcp.tls_config.\(key)'"), "\(error)")
    }

    @Test(arguments: [
        ("    prober: icmp\n", "'modules.m.prober' is 'icmp'"), ("    prober: x\n", "is unknown"),
        ("    prober: tcp\n", "has no 'tcp'"), ("    prober: tcp\n    tcp: {tls: false}\n", "is false"),
        ("    prober: tcp\n    tcp: {preferred_ip_protocol: ip4}\n", "lacks 'tls: true'"),
        ("    prober: dns\n    dns: {query_name: a.test}\n", "lacks 'query_type'"),
        ("    prober: dns\n    dns: {query_type: TXT}\n", "lacks 'query_name'"),
        ("    prober: http\n    tcp: {tls: true}\n", "is of another prober"),
        ("    prober: http\n    timeout: 5\n", "is not a duration"),
        ("    prober: http\n    timeout: 2h\n", "is not a duration"),
        ("    prober: http\n    hpt: {}\n", "is not a key of a module"), ("    timeout: 5s\n", "lacks 'prober'"),
        ("    prober: profile\n    profile: {file: /no/such.yaml}\n", "/no/such.yaml"),
    ])
    func otherFaults(lines: String, part: String) throws {
        #expect(try refusal(lines).description.contains(part))
    }

    @Test("targets are watched by modules that there are, at a time that can be kept") func watchPlans() throws {
        let configuration = try read(
            """
            modules: {tls: {prober: tcp, tcp: {tls: true}}, app: {prober: http}}
            watch:
              every: 90s
              targets:
                - {module: tls, target: "a.test:443", hostname: b.test}
                - {module: app, target: "https://c.test"}
            """)
        #expect(configuration.watch.every == .seconds(90))
        #expect(
            configuration.watch.items == [
                WatchPlan.Item(module: "tls", target: "a.test:443", hostname: "b.test"),
                WatchPlan.Item(module: "app", target: "https://c.test", hostname: nil),
            ])
        #expect(try read(configuration.text).text == configuration.text)
        for (watch, words) in [
            ("{targets: [{module: no}]}", "'watch.targets[0].module' is 'no'"),
            ("{every: 5ms, targets: []}", "is less than a second"), ("{every: 5m}", "lacks 'targets'"),
            ("{targets: [{target: a}]}", "lacks 'module'"), ("{targets: [{module: m, port: 1}]}", "is not a key"),
            ("{targets: [{module: m}]}", "has no target"),
            ("{targets: [{module: d, target: a, hostname: b}]}", "is of no use with the module 'd'"),
        ] {
            let error = try #require(throws: InputError.self) {
                try read(
                    "modules: {m: {prober: http}, d: {prober: dns, dns: {query_name: a.test, query_type: TXT}}}\nwatch: \(watch)\n"
                )
            }
            #expect(error.description.contains(words), "\(error)")
        }
    }

    @Test(
        "a watched target that no round could ask is refused with its line",
        arguments: [
            ("[{module: m, target: 'a.test'}]", "targets[0].target' can't be used: "),
            ("[{module: w, target: 'smtp://a.test'}]", "targets[0].target' can't be used: "),
            ("[{module: d, target: 'a.test:x'}]", "targets[0].target' can't be used: "),
            ("[{module: w, target: a.test}, {module: w, target: b.test}]", "targets[1].target' leads to 'b.test'"),
            ("[{module: m, target: 'b.test:1'}]", "targets[0].target' leads to 'b.test'"),
            ("[{module: d, target: b.test}]", "targets[0].target' leads to 'b.test'"),
            (
                "[{module: w, target: a.test}, {module: d, target: a.test}, {module: w, target: a.test}]",
                "targets[2]' is the same as 'watch.targets[0]'"
            ),
        ]) func watchedTargets(targets: String, words: String) throws
    {
        let rules = try TargetRules(names: ["a.test"])
        let error = try #require(throws: InputError.self) {
            try read(
                """
                modules: {w: {prober: http}, m: {prober: tcp, tcp: {tls: true}}, d: {prober: dns, dns: \
                {query_name: a.test, query_type: TXT}}}
                watch: {targets: \(targets)}
                """, rules: rules)
        }
        #expect(error.description.contains(".yml:2: 'watch." + words) && error.source == .file, "\(error)")
        #expect(!error.remedy.isEmpty)
    }

    @Test(arguments: ["", "modules: []", "modules: {}\nmore: 1", "a: [", "- x"])
    func filesThatAreNoConfiguration(text: String) {
        #expect(throws: InputError.self) { try read(text) }
    }
}
