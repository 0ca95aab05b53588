import Foundation
import Subprocess
import Testing

/// Each backend brings its own library along and no other's, as the loader sees it.
@Suite struct LinkageTests {
    @Test(arguments: [
        ("linkage-kit", [], ["libssl", "libcrypto", "libgnutls", "libldns", "libcares", "libcurl"]),
        ("linkage-gnutls", ["libgnutls"], ["libssl", "libldns", "libcares", "libcurl"]),
        ("linkage-openssl", ["libssl", "libcrypto"], ["libgnutls", "libldns", "libcares", "libcurl"]),
        ("linkage-nio", [], ["libssl", "libcrypto", "libgnutls", "libldns", "libcares", "libcurl"]),
    ])
    func librariesOf(program: String, wanted: [String], unwanted: [String]) async throws {
        let path = Self.products.appending(path: program).path
        try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) was not built")
        let result = try await run(
            .name("ldd"), arguments: [path], output: .string(limit: 1 << 20), error: .discarded)
        let libraries = result.standardOutput
        for name in wanted { #expect(libraries.contains(name), "\(program) does not link \(name)") }
        for name in unwanted { #expect(!libraries.contains("\(name).so"), "\(program) links \(name)") }
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
