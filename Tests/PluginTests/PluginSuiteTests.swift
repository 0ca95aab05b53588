import Foundation
import ProbeConformance
import ProbeExternal
import ProbeKit
import ProbeTestSupport
import Subprocess
import Testing

/// The backends in `Plugins` keep every promise, or differ as their folders declare. `make plugins` builds them; those
/// that can't run here are skipped with the reason, unless `PROBE_PLUGINS=all` asks for each.
@Suite(.bounded, .serialized, .timeLimit(.minutes(30))) struct PluginSuiteTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Plugins")

    /// Returns the path of a plugin, if its own folder declares that it can run here: a script may exist without the
    /// program that it starts.
    private static func program(_ kind: ProgramKind, _ name: String) async throws -> String {
        let home = name == "dnspython" ? "python-ssl" : name
        let readiness = try await run(
            .name("make"), arguments: ["-s", "-C", folder.appending(path: home).path, "ready"],
            output: .string(limit: 1 << 16), error: .discarded)
        if !readiness.terminationStatus.isSuccess, ProcessInfo.processInfo.environment["PROBE_PLUGINS"] != "all" {
            try skip("\(kind.rawValue) \(name) can't run here: \(readiness.standardOutput)")
        }
        let search = try ProgramSearch(folders: [folder.path])
        return try #require(search.program(kind, name), "\(kind.rawValue) \(name) is not built").path
    }

    /// Returns the plugins' declared exemptions.
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

    /// An unrequested record, malformed or not, has the same outcome as with the built-in resolvers.
    @Test(arguments: ["dnspython", "glibc"])
    func everyRecordFormComesToTheSame(_ name: String) async throws {
        let resolver = try await ExternalResolver(path: Self.program(.resolver, name), name: name)
        let failures = try await RecordForms.failures(with: resolver)
        await resolver.stop()
        #expect(failures == [])
    }
}
