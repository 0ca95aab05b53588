import Foundation
import Subprocess
import Testing

/// Each backend opens its own library and no other's, when it is asked and not before, as the loader sees it.
@Suite struct LinkageTests {
    private static let libraries = [
        "libssl", "libcrypto", "libgnutls", "libldns", "libcares", "libcurl", "libunbound",
    ]

    @Test(arguments: [
        ("linkage-kit", []), ("linkage-gnutls", ["libgnutls"]), ("linkage-openssl", ["libssl", "libcrypto"]),
        ("linkage-nio", []),
    ])
    func librariesOf(program: String, wanted: [String]) async throws {
        let path = Self.products.appending(path: program).path
        try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) was not built")
        let linked = try await run(
            .name("ldd"), arguments: [path], output: .string(limit: 1 << 20), error: .discarded
        ).standardOutput
        for name in Self.libraries { #expect(!linked.contains("\(name).so"), "\(program) links \(name)") }
        let asked = try await run(
            .name("env"), arguments: ["LD_DEBUG=files", path], output: .discarded, error: .string(limit: 1 << 22))
        #expect(asked.terminationStatus.isSuccess)
        let opened = asked.standardError
        #expect(opened.contains("calling init: "))
        for name in Self.libraries {
            #expect(opened.contains("/\(name).so") == wanted.contains(name), "\(program): \(name)")
        }
    }

    /// A program of a user of the library, which knows nothing of settings: GnuTLS would end it before its first line.
    @Test func settingsAreSetAsideInEveryProgram() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-linkage-\(UUID()).cfg")
        defer { try? FileManager.default.removeItem(at: file) }
        try "[overrides]\nnonsense = 1\n".write(to: file, atomically: true, encoding: .utf8)
        let result = try await run(
            .name("bash"), arguments: ["-c", "exec '\(Self.products.appending(path: "linkage-gnutls").path)'"],
            environment: .inherit.updating([
                "GNUTLS_SYSTEM_PRIORITY_FILE": file.path, "GNUTLS_SYSTEM_PRIORITY_FAIL_ON_INVALID": "1",
            ]), output: .discarded, error: .discarded)
        #expect(result.terminationStatus.isSuccess)
    }

    /// The folder of the built programs: beside this test bundle.
    private static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
}
