import Foundation
import ProbeConformance
import ProbeExternal
import ProbeKit
import ProbeTestSupport
import Testing

/// The backends in `Plugins` keep every promise, or differ as their folders say. `make plugins` builds them.
@Suite(.bounded, .serialized, .timeLimit(.minutes(10))) struct PluginSuiteTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Plugins")

    /// Where a plugin is.
    private static func program(_ kind: ProgramKind, _ name: String) throws -> String {
        let search = try ProgramSearch(folders: [folder.path])
        guard let found = search.program(kind, name) else {
            try Test.cancel("\(kind.rawValue) \(name) is not built: make plugins")
        }
        return found.path
    }

    /// How the plugins say that they differ.
    private static func exemptions() throws -> ConformanceExemptions {
        let folders = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try ConformanceExemptions.read(
            folders.map { $0.appending(path: "exemptions.json").path }.filter(FileManager.default.fileExists).sorted())
    }

    @Test(arguments: ["go-tls", "java-jsse", "mbedtls", "nss", "python-ssl"])
    func transport(_ name: String) async throws {
        let transport = try await ExternalTransport(path: Self.program(.transport, name), name: name)
        let report = await ConformanceSuite(
            transports: [transport], resolvers: [], exemptions: try Self.exemptions(), concurrency: 8
        ).run()
        await transport.stop()
        #expect(report.failures == [])
        #expect(report.cases.count > 300)
    }

    @Test(arguments: ["dnspython", "glibc"])
    func resolver(_ name: String) async throws {
        let resolver = try await ExternalResolver(path: Self.program(.resolver, name), name: name)
        let report = await ConformanceSuite(
            transports: [], resolvers: [resolver], exemptions: try Self.exemptions(), concurrency: 8
        ).run()
        await resolver.stop()
        #expect(report.failures == [])
        #expect(report.cases.contains { !$0.cells.isEmpty })
    }

    /// A record that nobody asked for, malformed or not, comes to the same as with the resolvers that are built in.
    @Test(arguments: ["dnspython", "glibc"])
    func everyRecordFormComesToTheSame(_ name: String) async throws {
        let resolver = try await ExternalResolver(path: Self.program(.resolver, name), name: name)
        let failures = try await RecordForms.failures(with: resolver)
        await resolver.stop()
        #expect(failures == [])
    }
}
