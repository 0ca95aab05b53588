import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeExternal

/// A program that missed its first hello stands in with all capabilities. When it reports fewer, what was compared with those
/// is not sent to it: without words for revocation lists, it would take a revoked leaf for a good one.
@Suite(.bounded) struct UndeclaredCapabilityTests {
    private static let instant = Date(timeIntervalSince1970: 0)
    private static let note = "open(__file__ + '.asked', 'w').close()"

    private func wasAsked(_ program: FakeProgram) -> Bool {
        FileManager.default.fileExists(atPath: program.path + ".asked")
    }

    @Test func aTransportIsNotAskedForIt() async throws {
        let program = try FakeProgram(
            Self.note,
            before:
                "first = __file__ + '.first'\nif not os.path.exists(first):\n    open(first, 'w').close()\n    sys.exit(1)"
        )
        let fault = await #expect(throws: ProgramFault.self) { try await program.transport() }
        let transport = ExternalTransport(
            unusable: try #require(fault), path: program.path, name: "fake", patience: .seconds(1200), pause: .zero)
        let anchors = TrustAnchors(name: "test", certificates: [], revocationLists: [[1]])
        let request = HandshakeRequest(
            endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: try ServerName("good.test"), alpn: ["h2"],
            anchors: anchors, instant: Self.instant, deadline: .after(.seconds(1200)))
        #expect(request.requiredCapabilities.isSubset(of: transport.capabilities))
        let failure = await transport.handshake(request).failure
        #expect(failure?.code == .unsupported)
        #expect(failure?.message.hasSuffix("can't do alpn, revocation-lists, so nothing was sent") == true)
        let trust = await transport.evaluateTrust(request.trustQuestion(about: [[1]]))
        #expect(!trust.isAnswered && trust.silence == nil)
        #expect(trust.problems.first?.message.contains("can't do revocation-lists") == true)
        #expect(!wasAsked(program))
        await transport.stop()
    }

    @Test func aResolverIsNotAskedForIt() async throws {
        let program = try FakeProgram(
            Self.note,
            hello: """
                send({'id': request['id'], **HELLO, 'kind': 'resolver',
                              'capabilities': ['raw-reply', 'chosen-servers', 'tcp-on-truncation', 'edns-size']})
                """)
        let resolver = ExternalResolver(
            unusable: ProgramFault(.hung, "it was late"), path: program.path, name: "fake", patience: .seconds(1200),
            pause: .zero)
        let query = DNSQuery(
            name: try DNSName("models.test"), servers: [Endpoint(host: .ip(.loopback4), port: 9)], ednsSize: 8192,
            dnssec: .require, deadline: .after(.seconds(1200)))
        #expect(query.requiredCapabilities.isSubset(of: resolver.capabilities))
        let failure = await resolver.resolve(query).attempts.last?.failure
        #expect(failure?.code == .badQuery)
        #expect(
            failure?.message.hasSuffix("can't do dnssec-validation, edns-size-above-4096, so nothing was sent") == true)
        #expect(!query.requiredCapabilities.isSubset(of: resolver.capabilities))
        #expect(!wasAsked(program))
        await resolver.stop()
    }
}
