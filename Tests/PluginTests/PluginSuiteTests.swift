import ProbeConformance
import ProbeExternal
import ProbeKit
import ProbeTestSupport
import Testing

/// The backends in `Plugins` keep every promise, or differ as their folders declare. `make plugins` builds them; those
/// that can't run here are skipped with the reason, unless `PROBE_PLUGINS=all` asks for each.
@Suite(.bounded, .serialized) struct PluginSuiteTests {
    @Test(arguments: ["go-tls", "java-jsse", "mbedtls", "nss", "python-ssl"])
    func transport(_ name: String) async throws {
        let transport = try await ExternalTransport(path: Plugin.program(.transport, name), name: name)
        let report = await ConformanceSuite(
            transports: [transport], resolvers: [], exemptions: try Plugin.exemptions(), concurrency: 8
        ).run()
        await transport.stop()
        #expect(report.failures == [])
        #expect(transport.losses == nil)
        #expect(report.cases.count > 300)
    }

    @Test(arguments: ["dnspython", "glibc"])
    func resolver(_ name: String) async throws {
        let resolver = try await ExternalResolver(path: Plugin.program(.resolver, name), name: name)
        let report = await ConformanceSuite(
            transports: [], resolvers: [resolver], exemptions: try Plugin.exemptions(), concurrency: 8
        ).run()
        await resolver.stop()
        #expect(report.failures == [])
        #expect(resolver.losses == nil)
        #expect(report.cases.contains { !$0.cells.isEmpty })
    }

    /// An unrequested record, malformed or not, has the same outcome as with the built-in resolvers.
    @Test(arguments: ["dnspython", "glibc"])
    func everyRecordFormComesToTheSame(_ name: String) async throws {
        let resolver = try await ExternalResolver(path: Plugin.program(.resolver, name), name: name)
        let failures = try await RecordForms.failures(with: resolver)
        await resolver.stop()
        #expect(failures == [])
    }
}
