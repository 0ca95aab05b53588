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

    /// The folder of the built programs: beside this test bundle.
    private static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
}
