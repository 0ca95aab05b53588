import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Subprocess
import Testing

/// Real servers that start TLS, through every backend and beside `openssl s_client -starttls`.
@Suite(.serialized, .bounded) struct StartTLSPartnerTests {
    private static let pki = LabPKI(epoch: .now)

    @Test(arguments: StartTLSPartner.allCases)
    func isReached(partner: StartTLSPartner) async throws {
        try partner.requireInstalled()
        let identity = try Self.pki.identity(.rsa2048)
        try await partner.run(identity) { endpoints in
            for (known, endpoint) in endpoints {
                let check = Check(
                    target: Target(name: try ServerName("good.test"), connect: endpoint, startTLS: known),
                    anchors: try Self.pki.anchors(), timeout: .seconds(60))
                let transports = try BackendsUnderTest.transports.map { try $0.get() }
                let results = await Prober().probe(check, through: transports, resolvers: [])
                #expect(results.count == transports.count)
                for result in results {
                    let connection = try #require(result.evidence.connection)
                    let place = "\(known.rawValue) through \(connection.transport.name)"
                    // Some ask for a client certificate, and go on without one.
                    #expect(result.verdict.outcome.isPass, "\(place): \(result.verdict.findings)")
                    #expect(connection.report.chain.starts(with: identity.chain), "\(place)")
                    #expect(connection.report.timings.dialogue != nil, "\(place)")
                    #expect(result.subject == "\(known.rawValue)://good.test:443")
                }
                try await Self.compare(known, at: endpoint, with: identity)
            }
        }
    }

    /// `s_client` reaches the same certificate.
    private static func compare(_ known: StartTLS, at endpoint: Endpoint, with identity: LabIdentity) async throws {
        guard PartnerProcess.isInstalled("openssl") else { return try leaveOut("openssl is not installed") }
        let name = known == .xmppClient ? "xmpp" : known.rawValue
        let result = try await Subprocess.run(
            .name("openssl"),
            arguments: [
                "s_client", "-connect", endpoint.description, "-starttls", name, "-name", "good.test", "-servername",
                "good.test",
            ], input: .none, output: .string(limit: 1 << 20), error: .combinedWithOutput)
        let leaf = identity.chainPEM.components(separatedBy: "-----END").first ?? "none"
        #expect(result.standardOutput.contains(leaf), "\(name): \(result.standardOutput.prefix(500))")
    }
}
