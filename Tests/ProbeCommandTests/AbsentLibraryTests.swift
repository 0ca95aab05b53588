import Foundation
import ProbeLab
import ProbeTestSupport
import Subprocess
import Testing

/// A machine without the library of a backend: the others work, and whoever names it gets the package to install.
@Suite(.bounded) struct AbsentLibraryTests {
    private static let pki = LabPKI(epoch: .now)

    /// Each library that `probe` opens by itself, with the backends that need it, as Debian builds them: ldns is linked to
    /// OpenSSL, and libcurl to librtmp, which is linked to GnuTLS.
    private static let libraries: [(file: String, backends: Set<String>)] = [
        ("libssl.so.3", ["openssl", "curl", "doh", "ldns"]), ("libcrypto.so.3", ["openssl", "curl", "doh", "ldns"]),
        ("libgnutls.so.30", ["gnutls", "curl", "doh"]), ("libcurl.so.4", ["curl", "doh"]), ("libldns.so.3", ["ldns"]),
        ("libcares.so.2", ["cares"]), ("libunbound.so.8", ["unbound"]),
    ]

    /// Runs `probe` where the loader finds an empty file in a library's place.
    private func probe(without library: String, _ arguments: [String]) async throws -> Probe.Outcome {
        try await ScratchFolder.withURL { folder in
            try Data().write(to: folder.appending(path: library))
            let ca = folder.appending(path: "ca.pem").path
            try Self.pki.rootPEM().write(toFile: ca, atomically: true, encoding: .utf8)
            // A client's key would be one that others can't read.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: ca)
            return try await Probe.run(
                arguments.map { $0 == "CA" ? ca : $0 },
                environment: .inherit.updating(["LD_LIBRARY_PATH": folder.path]))
        }
    }

    private func check(
        without library: String, _ arguments: [String], command: [String] = ["check"]
    ) async throws -> Probe.Outcome {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            try await probe(
                without: library,
                command + ["--connect", "\(server.endpoint)", "--ca", "CA"] + arguments + ["good.test:443"])
        }
    }

    @Test(arguments: libraries)
    func takesAwayItsBackendsAlone(library: String, backends: Set<String>) async throws {
        let outcome = try await probe(without: library, ["backends", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.lines.count == 14)
        for line in outcome.lines {
            let name = try #require(line["name"] as? String)
            let absence = line["absence"] as? String
            #expect((absence != nil) == backends.contains(name), "\(name): \(absence ?? "it is there")")
            if let absence { #expect(absence.contains(library) && absence.contains("; install "), "\(absence)") }
            let capabilities = try #require(line["capabilities"] as? [String])
            #expect(capabilities.isEmpty == backends.contains(name))
        }
    }

    @Test func theOthersAreAskedAndTheReportNamesIt() async throws {
        let outcome = try await check(without: "libgnutls.so.30", ["--format", "json"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.lines.map { $0["transport"] as? String } == ["openssl", "nio"])
        for line in outcome.lines {
            let findings = try #require(line["findings"] as? [[String: Any]])
            let note = try #require(findings.first { $0["code"] as? String == "backends-left-out" })
            #expect(note["severity"] as? String == "note")
            let message = try #require(note["message"] as? String)
            #expect(message.contains("gnutls (") && message.contains("libgnutls.so.30: file too short"))
        }
    }

    @Test func aReportWithoutFindingsHasItOnStandardError() async throws {
        let outcome = try await probe(without: "libgnutls.so.30", ["verify", "CA", "--ca", "CA"])
        #expect(outcome.output.contains("openssl"), "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("probe: not asked, of all: gnutls ("))
        #expect(outcome.errors.contains("libgnutls.so.30: file too short"))
    }

    @Test(arguments: ["gnutls", "openssl,gnutls", "all,gnutls"])
    func whoNamesItGetsTheRemedy(backend: String) async throws {
        let outcome = try await check(without: "libgnutls.so.30", ["--backend", backend])
        #expect(outcome.code == 64, "\(outcome.output)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("probe: --backend 'gnutls' can't be used on this machine: "))
        #expect(outcome.errors.contains("libgnutls.so.30: file too short"))
        #expect(outcome.errors.contains("install libgnutls30"))
    }

    @Test func anotherBackendNeverOpensIt() async throws {
        let outcome = try await check(without: "libgnutls.so.30", ["--backend", "openssl", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let findings = try #require(outcome.lines.first?["findings"] as? [[String: Any]])
        #expect(!findings.contains { $0["code"] as? String == "backends-left-out" })
    }

    /// Beside the backends of a check, OpenSSL reads identities and is the TLS to DNS servers.
    @Test func whatNeedsItBesideReportsIt() async throws {
        let identity = try await check(
            without: "libcrypto.so.3", ["--backend", "nio", "--client-cert", "CA", "--client-key", "CA"])
        #expect(identity.code == 64, "\(identity.output)")
        #expect(identity.errors.contains("libcrypto.so.3: file too short"))
        let list = try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            try await probe(
                without: "libssl.so.3",
                [
                    "models", "models.test", "--model", "x", "--resolver", "cares", "--dns-server",
                    "tls://\(server.endpoint)", "--format", "json",
                ])
        }
        #expect(list.code == 21, "\(list.output)\(list.errors)")
        #expect(list.output.contains("libssl.so.3: file too short"))
    }

    /// The remedy names the file below a library that is missing, since the library itself is there.
    @Test func theRemedyIsAboutTheFileThatIsMissing() async throws {
        let outcome = try await probe(without: "libgnutls.so.30", ["pins", "--backend", "curl", "CA"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("install the package that has libgnutls.so.30, which libcurl.so.4 needs"))
    }

    @Test func validatedRecordsNeedTheirLibrary() async throws {
        let outcome = try await probe(
            without: "libunbound.so.8", ["check", "--dane", "--dns-server", "127.0.0.1:1", "smtp://mail.test"])
        #expect(outcome.code == 64, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("--dane needs unbound, which can't be used on this machine"))
    }

    @Test(arguments: ["csv", "nagios", "sarif"])
    func aFormatWithoutNotesHasThemOnStandardError(format: String) async throws {
        let outcome = try await check(without: "libgnutls.so.30", ["--format", format])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("probe: backends not asked, of all: gnutls ("))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func clientsHaveThemAmongTheirFindings() async throws {
        let outcome = try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            try await probe(
                without: "libgnutls.so.30",
                [
                    "check", "--client", "openssl-1.0.1l", "--connect", "\(server.endpoint)", "--format", "json",
                    "good.test:443",
                ])
        }
        let findings = try #require(outcome.lines.first?["findings"] as? [[String: Any]])
        #expect(findings.contains { $0["code"] as? String == "backends-left-out" }, "\(outcome.output)")
    }

    @Test func aScanOfTablesHasThemOnStandardError() async throws {
        let outcome = try await check(without: "libgnutls.so.30", ["--format", "csv"], command: ["scan"])
        #expect(outcome.errors.contains("probe: backends not asked, of all: gnutls ("))
    }

    @Test func oneBackendIsAskedWithoutAWordAboutOthers() async throws {
        let outcome = try await probe(without: "libgnutls.so.30", ["pins", "CA"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let other = try await probe(without: "libcrypto.so.3", ["pins", "CA"])
        #expect(other.code == 0 && other.errors.isEmpty, "\(other.errors)")
    }

    @Test func benchmarksMeasureTheOthers() async throws {
        let outcome = try await probe(
            without: "libgnutls.so.30", ["bench", "hash", "--rounds", "3", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(!outcome.lines.isEmpty)
        #expect(!outcome.lines.contains { $0["library"] as? String == "gnutls" })
    }

    /// A library of that name without its functions, as an older one may be.
    @Test func aLibraryThatLacksAFunctionIsNotUsed() async throws {
        try await ScratchFolder.withURL { folder in
            let built = try await run(
                .name("cc"),
                arguments: ["-shared", "-x", "c", "-o", folder.appending(path: "libcares.so.2").path, "/dev/null"],
                output: .discarded, error: .discarded)
            #expect(built.terminationStatus.isSuccess)
            let outcome = try await Probe.run(
                ["backends", "--format", "json"], environment: .inherit.updating(["LD_LIBRARY_PATH": folder.path]))
            #expect(outcome.code == 0)
            let cares = try #require(outcome.lines.first { $0["name"] as? String == "cares" })
            #expect((cares["absence"] as? String)?.hasPrefix("libcares.so.2 lacks ares_") == true)
        }
    }
}
