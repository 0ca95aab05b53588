import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Synchronization
import Testing
import TransportOpenSSL

@testable import ProbeClients

/// Clients that send no server name: only the ClientHello lacks it.
@Suite(.bounded) struct ClientNameTests {
    private static func unnamed() throws -> [Client] {
        var catalogue = try ClientCatalogue.shipped()
        return try catalogue.named(["openssl-3.0"]).map { client in
            var own = client
            own.sendsName = false
            return own
        }
    }

    private static func run(through transport: any Transport) -> ClientRun {
        let reference = ReferenceVerifier()
        return ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference, transports: [transport],
            clock: .system)
    }

    @Test("XMPP is asked for the target's name, and TLS for none", arguments: [StartTLS.xmppClient, .xmppServer])
    func beforeTLS(known: StartTLS) async throws {
        let recipe = LabTLSRecipe(.good, dialogue: LabDialogue(known))
        try await LabServer.run(.tls(recipe), pki: LabPKI(epoch: .now)) { server in
            let target = Target(name: try ServerName("good.test"), connect: server.endpoint, startTLS: known)
            let results = try await Self.run(through: OpenSSLTransport()).results(
                Check(target: target, anchors: .none, timeout: .seconds(60)), clients: try Self.unnamed())
            let report = try #require(results.first?.result.evidence.connection?.report)
            #expect(report.failure == nil && report.sniSent == nil, "\(String(describing: report.failure))")
        }
    }

    @Test("a request for the server's time is for the target's name, as for a client that sends it") func afterTLS()
        async throws
    {
        let transport = AnsweringTransport { _ in
            HandshakeReport(failure: HandshakeFailure(.connectionRefused, "nobody listens"))
        }
        let names = try ["good.test", "www.good.test"].map { try ServerName($0) }
        let targets = try names.map { Target(name: $0, connect: try Endpoint("127.0.0.1:1")) }
        let check = Check(
            target: targets[0], alternates: [targets[1]], anchors: .none, serverDate: .always, timeout: .seconds(60))
        let results = try await Self.run(through: transport).results(check, clients: try Self.unnamed())
        let requests = transport.requests.withLock { $0 }
        #expect(requests.map { $0.exchange?.authority } == ["good.test", "www.good.test"])
        #expect(requests.map(\.nameBeforeTLS) == names)
        #expect(requests.allSatisfy { $0.serverName.sni == nil && !$0.requiredCapabilities.contains(.sni) })
        #expect(results.first?.result.evidence.connection?.attempts.map(\.target) == targets)
    }
}
