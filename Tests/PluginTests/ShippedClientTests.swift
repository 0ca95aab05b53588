import Foundation
import ProbeClients
import ProbeConformance
import ProbeExternal
import ProbeKit
import ProbeTestSupport
import ProbeTrust
import Testing

/// Libraries as they were shipped keep every promise, or differ as `exemptions.json` says, and broke when they did.
/// `make clients` unpacks them.
@Suite(.bounded, .serialized) struct ShippedClientTests {
    static let programs = [
        "openssl-1-0-2e", "openssl-1-1-1d", "openssl-1-1-1l", "openssl-1-1-1w", "openssl-3-0-7", "openssl-3-1-4",
        "openssl-3-5-2",
    ]

    @Test(arguments: programs) func suite(_ name: String) async throws {
        let transport = try await ExternalTransport(path: Plugin.client(name, of: "openssl"), name: name)
        let report = await ConformanceSuite(
            transports: [transport], resolvers: [], exemptions: try Plugin.exemptions(), concurrency: 8
        ).run()
        await transport.stop()
        #expect(report.failures == [])
        #expect(report.cases.count > 300)
        // What it says of itself is its name.
        #expect(transport.identity.version.replacing(".", with: "-") == name.dropFirst("openssl-".count))
    }

    /// Libraries that no client of `probe clients` is, by their folders.
    static let others = [
        "cffi-chrome-124": "curl-cffi", "cffi-chrome-150": "curl-cffi", "cffi-edge-101": "curl-cffi",
        "cffi-firefox-133": "curl-cffi", "cffi-safari-17-0": "curl-cffi", "cffi-safari-26-0": "curl-cffi",
        "cryptography": "cryptography", "node": "node", "okhttp": "okhttp", "python-mbedtls": "python-mbedtls",
        "rustls": "rustls", "wolfssl": "wolfssl",
    ]

    @Test(arguments: others.keys.sorted()) func suiteOfOthers(_ name: String) async throws {
        let home = try #require(Self.others[name])
        let transport = try await ExternalTransport(path: Plugin.client(name, of: home), name: name)
        let report = await ConformanceSuite(
            transports: [transport], resolvers: [], exemptions: try Plugin.exemptions(), concurrency: 8
        ).run()
        await transport.stop()
        #expect(report.failures == [])
        #expect(report.cases.count > 300)
    }

    /// A folder without a place in the lists above would be run by no test.
    @Test func everyFolderIsRun() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Plugin.clients.path)
        #expect(Set(folders.filter { !$0.hasPrefix(".") }) == Set(Self.others.values).union(["openssl"]))
    }

    /// A chain with the expired root's cross-certificate, as it was sent in September 2021.
    @Test("OpenSSL 1.0.2 broke on the expired root of 2021, later ones did not, and the emulated ones agree")
    func expiredRoot() async throws {
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Examples/replays/2021-expired-root").path
        let roots = TrustAnchors(
            name: "both", certificates: try CertificateFile.read("\(folder)/both-roots.pem"), isSystem: true)
        let chain = try CertificateFile.read("\(folder)/chain.pem")
        let clients = try ClientCatalogue.shipped().clients.filter { $0.program != nil }
        #expect(clients.compactMap(\.program).filter { $0.hasPrefix("openssl-") } == Self.programs)
        for name in Self.programs {
            let transport = try await ExternalTransport(path: Plugin.client(name, of: "openssl"), name: name)
            let client = try #require(clients.first { $0.program == name })
            for (day, isOver) in [("2021-09-29", false), ("2021-10-01", true)] {
                let question = TrustQuestion(
                    chain: chain, anchors: roots, name: try ServerName("shop.test"),
                    instant: try RFC3339.parse("\(day)T00:00:00Z"))
                let real = await transport.evaluateTrust(question)
                let emulated = await ReferenceVerifier().evaluate(question, habits: client.habits)
                let breaks = isOver && name == "openssl-1-0-2e"
                #expect(real.isAccepted == !breaks, "\(name) on \(day): \(real.problems)")
                #expect(emulated.isAccepted == real.isAccepted, "\(name) on \(day): \(emulated.problems)")
                if breaks { #expect(real.cause == .expired && emulated.cause == .expired) }
            }
            await transport.stop()
        }
    }
}
