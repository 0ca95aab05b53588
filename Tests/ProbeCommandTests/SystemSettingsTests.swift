import Foundation
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Subprocess
import SystemPackage
import Testing

/// The environment's settings for TLS and DNS libraries, which change nothing unless somebody asks for them.
@Suite(.bounded) struct SystemSettingsTests {
    private static let pki = LabPKI(epoch: .now)

    /// The variables that the manuals of the libraries name: openssl-env(7), the GnuTLS manual's "Debugging and auditing",
    /// "System-wide configuration" and "FIPS140-2 mode", libcurl-env(3), p11-kit(8), ares_init_options(3), resolver(3),
    /// host.conf(5) and libevent's "Setting up", which is below libunbound.
    static let manuals = [
        "CTLOG_FILE", "OPENSSL", "OPENSSL_CONF", "OPENSSL_CONF_INCLUDE", "OPENSSL_ENGINES", "OPENSSL_MALLOC_FAILURES",
        "OPENSSL_MALLOC_FD", "OPENSSL_MODULES", "OPENSSL_TRACE", "OPENSSL_WIN32_UTF8", "OPENSSL_armcap",
        "OPENSSL_ia32cap", "OPENSSL_ppccap", "OPENSSL_riscvcap", "OPENSSL_s390xcap", "OPENSSL_sparcv9cap",
        "OSSL_QFILTER", "QLOGDIR", "RANDFILE", "SSLKEYLOGFILE", "SSL_CERT_DIR", "SSL_CERT_FILE",
        "GNUTLS_CPUID_OVERRIDE", "GNUTLS_DEBUG_LEVEL", "GNUTLS_FORCE_FIPS_MODE", "GNUTLS_NO_EXPLICIT_INIT",
        "GNUTLS_NO_IMPLICIT_INIT", "GNUTLS_SKIP_FIPS_INTEGRITY_CHECKS", "GNUTLS_SYSTEM_PRIORITY_FAIL_ON_INVALID",
        "GNUTLS_SYSTEM_PRIORITY_FILE", "P11_KIT_DEBUG", "P11_KIT_NO_USER_CONFIG", "P11_KIT_STRICT",
        "http_proxy", "https_proxy", "HTTPS_PROXY", "ftp_proxy", "FTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
        "NO_PROXY", "CURL_CA_BUNDLE", "CURL_HOME", "CURL_SSL_BACKEND", "NETRC", "NTLMUSER", "SSL_DIR",
        "CARES_HOSTS", "HOSTALIASES", "LOCALDOMAIN", "RES_OPTIONS", "RESOLV_ADD_TRIM_DOMAINS", "RESOLV_HOST_CONF",
        "RESOLV_MULTI", "RESOLV_OVERRIDE_TRIM_DOMAINS", "RESOLV_REORDER", "EVENT_NOEPOLL", "EVENT_NOPOLL",
        "EVENT_SHOW_METHOD",
    ]

    /// A folder with settings that would each change or end a handshake.
    private struct Files {
        let folder: URL
        var keyLog: String { folder.appending(path: "keys").path }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "probe-settings-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        func write(_ name: String, _ text: String) throws -> String {
            let file = folder.appending(path: name)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }

        func openSSL(_ settings: String) throws -> String {
            try write("openssl.cnf", "openssl_conf = init\n[init]\n" + settings)
        }

        func groups() throws -> String {
            try openSSL("ssl_conf = ssl\n[ssl]\nsystem_default = default\n[default]\nGroups = P-384\n")
        }

        func gnuTLS() throws -> String { try write("gnutls.cfg", "[overrides]\nnonsense = 1\n") }
    }

    private func probe(
        _ more: [String] = [], _ environment: [String: String] = [:]
    ) async throws -> Probe.Outcome {
        let ca = FileManager.default.temporaryDirectory.appending(path: "probe-settings-\(UUID()).pem")
        defer { try? FileManager.default.removeItem(at: ca) }
        try Self.pki.rootPEM().write(to: ca, atomically: true, encoding: .utf8)
        return try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            let changes = Dictionary(
                uniqueKeysWithValues: environment.map { (Environment.Key(rawValue: $0.key), Optional($0.value)) }
                    .compactMap { pair in pair.0.map { ($0, pair.1) } })
            return try await Probe.run(
                ["--ca", ca.path, "--connect", "\(server.endpoint)", "--format", "json", "good.test"] + more,
                environment: .inherit.updating(changes))
        }
    }

    /// The negotiated groups, by backend.
    private static func groups(_ outcome: Probe.Outcome) -> [String: String] {
        var groups: [String: String] = [:]
        for line in outcome.lines {
            let tls = (line["evidence"] as? [String: Any])?["tls"] as? [String: Any]
            if let name = line["transport"] as? String { groups[name] = tls?["group"] as? String ?? "" }
        }
        return groups
    }

    @Test func everyVariableOfTheManualsIsASetting() {
        for name in Self.manuals { #expect(SystemSettings.includes(name), "\(name)") }
        for name in ["PATH", "HOME", "LANG", "TZ", "PROBE_SYSTEM_SETTINGS", "SWIFT_BACKTRACE", "_proxy"] {
            #expect(!SystemSettings.includes(name), "\(name)")
        }
    }

    /// All of them at once, each with a value that would be noticed.
    @Test func noneChangesAnything() async throws {
        let files = try Files()
        defer { try? FileManager.default.removeItem(at: files.folder) }
        var environment = Dictionary(uniqueKeysWithValues: Self.manuals.map { ($0, "1") })
        for name in Self.manuals where name.lowercased().hasSuffix("_proxy") {
            environment[name] = "http://127.0.0.1:1"
        }
        environment["no_proxy"] = nil
        environment["NO_PROXY"] = nil
        environment["OPENSSL_CONF"] = try files.groups()
        environment["GNUTLS_SYSTEM_PRIORITY_FILE"] = try files.gnuTLS()
        environment["SSLKEYLOGFILE"] = files.keyLog
        environment["GNUTLS_DEBUG_LEVEL"] = "9"
        environment["P11_KIT_DEBUG"] = "all"
        environment["OPENSSL_ia32cap"] = ":~0x20000000"
        let expected = try await probe()
        let found = try await probe([], environment)
        #expect(found.code == 0 && expected.code == 0, "\(found.output)\(found.errors)")
        #expect(found.errors.isEmpty)
        #expect(Self.groups(found) == Self.groups(expected) && !Self.groups(found).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: files.keyLog))
    }

    @Test func askedForTheyCountAndAreNamed() async throws {
        let files = try Files()
        defer { try? FileManager.default.removeItem(at: files.folder) }
        let settings = ["OPENSSL_CONF": try files.groups(), "SSLKEYLOGFILE": files.keyLog]
        let outcome = try await probe(["--system-settings", "--backend", "openssl,curl"], settings)
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(Self.groups(outcome) == ["openssl": "secp384r1", "curl": "secp384r1"])
        #expect(FileManager.default.fileExists(atPath: files.keyLog))
        let findings = outcome.lines.first?["findings"] as? [[String: Any]]
        let note = findings?.first { $0["code"] as? String == "system-settings" }
        let message = try #require(note?["message"] as? String)
        #expect(message.contains("OPENSSL_CONF=\(files.folder.path)") && message.contains("SSLKEYLOGFILE"))
    }

    /// The variable is inherited unseen, and the libraries would read what no option asks for.
    @Test(arguments: [["--version"], ["survey", "good.test"], ["scan", "good.test"], ["check", "127.0.0.1:1"]])
    func theVariableAloneIsRefused(arguments: [String]) async throws {
        let outcome = try await Probe.run(arguments, environment: .inherit.updating(["PROBE_SYSTEM_SETTINGS": "1"]))
        #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("unset PROBE_SYSTEM_SETTINGS"), "\(outcome.errors)")
        let other = try await Probe.run(["--version"], environment: .inherit.updating(["PROBE_SYSTEM_SETTINGS": "0"]))
        #expect(other.code == 0, "\(other)")
    }

    /// BoringSSL writes no key log by itself, and a file that is not there was not read.
    @Test func onlyThoseThatAreReadAreNamed() async throws {
        let files = try Files()
        defer { try? FileManager.default.removeItem(at: files.folder) }
        func note(_ backend: String) async throws -> String {
            let outcome = try await probe(["--system-settings", "--backend", backend], ["SSLKEYLOGFILE": files.keyLog])
            let findings = outcome.lines.first?["findings"] as? [[String: Any]]
            return findings?.first { $0["code"] as? String == "system-settings" }?["message"] as? String ?? ""
        }
        #expect(try await !note("nio").contains("SSLKEYLOGFILE"))
        let gnutls = try await note("gnutls")
        #expect(gnutls.contains("SSLKEYLOGFILE"), "\(gnutls)")
        let usual = "/etc/gnutls/config"
        #expect(gnutls.contains(usual) == FileManager.default.fileExists(atPath: usual), "\(gnutls)")
    }

    /// Versions and the security level are set for each handshake, and the settings count there too.
    @Test(
        arguments: [
            ("MaxProtocol = TLSv1.2", 0, "TLS 1.2"), ("MinProtocol = TLSv1.3", 0, "TLS 1.3"),
            // The lab's server signs with P-256, which has 128 bits of security.
            ("CipherString = DEFAULT@SECLEVEL=4", 20, nil),
        ] as [(String, Int32, String?)], ["openssl", "curl"])
    func theyNarrowWhatIsOffered(setting: (line: String, code: Int32, version: String?), backend: String) async throws {
        let files = try Files()
        defer { try? FileManager.default.removeItem(at: files.folder) }
        let file = try files.openSSL("ssl_conf = ssl\n[ssl]\nsystem_default = default\n[default]\n\(setting.line)\n")
        let unasked = try await probe(["--backend", backend], ["OPENSSL_CONF": file])
        #expect(unasked.code == 0, "\(unasked.output)")
        let asked = try await probe(["--system-settings", "--backend", backend], ["OPENSSL_CONF": file])
        #expect(asked.code == setting.code, "\(asked.output)")
        let tls = (asked.lines.first?["evidence"] as? [String: Any])?["tls"] as? [String: Any]
        #expect(setting.version == nil || tls?["version"] as? String == setting.version)
    }

    /// GnuTLS ends the program at settings that it can't read, where they say so.
    @Test func settingsThatEndTheProgramAreReported() async throws {
        let files = try Files()
        defer { try? FileManager.default.removeItem(at: files.folder) }
        let settings = [
            "GNUTLS_SYSTEM_PRIORITY_FILE": try files.gnuTLS(), "GNUTLS_SYSTEM_PRIORITY_FAIL_ON_INVALID": "1",
        ]
        let asked = try await probe(["--system-settings"], settings)
        #expect(asked.code == 70 && asked.errors.contains("GNUTLS_SYSTEM_PRIORITY_FILE"), "\(asked.errors)")
        let unasked = try await probe([], settings)
        #expect(unasked.code == 0, "\(unasked.errors)")
    }

    /// Without ciphers a stack has nothing to say to a peer: what fails then is no peer's doing.
    @Test(arguments: ["null", "base"], ["openssl", "curl"])
    func aStackWithoutCiphersIsOurFault(provider: String, backend: String) async throws {
        let files = try Files()
        defer { try? FileManager.default.removeItem(at: files.folder) }
        let file = try files.openSSL(
            "providers = providers\n[providers]\n\(provider) = only\n[only]\nactivate = 1\n")
        let outcome = try await probe(["--system-settings", "--backend", backend], ["OPENSSL_CONF": file])
        #expect(outcome.code == 70, "\(outcome.output)")
        let findings = outcome.lines.first?["findings"] as? [[String: Any]] ?? []
        #expect(findings.contains { $0["code"] as? String == "backend-error" }, "\(outcome.output)")
    }

    /// Threads that can't be had would end the program by an illegal instruction, or hold it without end.
    @Test(arguments: ["-v 200000", "-v 400000", "-v 600000", "-d 60000", "-d 70000", "-d 100000", "-n 40"])
    func tooSmallALimitIsSaid(limit: String) async throws {
        let outcome = try await Probe.shell(
            "ulimit \(limit) && timeout -s KILL 1500 \"$0\" --backend openssl --timeout 2 127.0.0.1:1")
        #expect(outcome.code == 70, "\(outcome.errors)")
        #expect(outcome.errors.contains("fix: raise the limit with ulimit"), "\(outcome.errors)")
    }

    @Test(arguments: ["-v 200000", "-d 60000"]) func theLimitThatIsSaidIsEnough(limit: String) async throws {
        let refused = try await Probe.shell("ulimit \(limit) && \"$0\" --backend openssl --timeout 2 127.0.0.1:1")
        let needed = try #require(refused.errors.split(separator: " ").last?.trimmingCharacters(in: .newlines))
        for _ in 0..<3 {
            let outcome = try await Probe.shell(
                "ulimit \(limit.prefix(2)) \(needed) && \"$0\" --timeout 20 127.0.0.1:1")
            #expect(outcome.code == 20, "\(outcome.errors)")
        }
    }

    /// The processes of a user count together, so root runs the command as a user who has no other.
    @Test(
        "too few threads are said, and a limit that is near and enough is not",
        arguments: [(1, 70), (4000, 0)] as [(Int, Int32)])
    func threads(limit: Int, code: Int32) async throws {
        let outcome = try await Probe.shell(
            """
            run=; if [ "$(id -u)" = 0 ]; then run='setpriv --reuid 64\(limit) --regid 64\(limit) --clear-groups'; fi
            exec timeout -s KILL 1500 bash -c 'ulimit -u \(limit) && exec "$@" --version' - $run "$0"
            """)
        #expect(outcome.code == code, "\(outcome)")
        #expect(outcome.errors.contains("fix: raise the limit with ulimit -u") == (code == 70), "\(outcome.errors)")
    }
}
