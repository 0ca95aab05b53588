import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing

/// App Transport Security judged on a server that is not ours, through every transport.
@Suite(
    .bounded,
    .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct TransportSecurityPartnerTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    @Test(
        "[R52] `openssl s_server` with and without forward secrecy.",
        arguments: BackendsUnderTest.transports,
        [
            ("ECDHE-RSA-AES128-GCM-SHA256", nil), ("AES128-GCM-SHA256", "ats-forward-secrecy"),
            ("AES128-SHA", "ats-forward-secrecy"),
        ] as [(String, String?)])
    func forwardSecrecy(_ subject: TransportUnderTest, _ suite: (ciphers: String, code: String?)) async throws {
        let transport = try subject.get()
        let result = try await probe(.rsaKeyExchange, .tls12, ciphers: suite.ciphers, through: transport)
        #expect(result.verdict.outcome == (suite.code == nil ? .pass : .tlsPolicyFailed), "\(result.verdict.findings)")
        #expect(result.verdict.decidingFinding?.code == suite.code)
    }

    @Test("[R52] It negotiates TLS 1.1 and is refused by the policy.", arguments: BackendsUnderTest.transports)
    func oldVersion(_ subject: TransportUnderTest) async throws {
        let result = try await probe(.rsa2048, .tls11, ciphers: "ALL", through: subject.get())
        #expect(result.evidence.connection?.report.version == .tls11, "\(result.verdict.findings)")
        #expect(result.verdict.decidingFinding?.code == "ats-tls-version")
    }

    private func probe(
        _ name: LabIdentityName, _ version: TLSVersion, ciphers: String, through transport: any Transport
    ) async throws -> ProbeResult {
        try await TLSPartner.openssl.run(Self.pki.identity(name), versions: version...version, ciphers: ciphers) {
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: $0), anchors: try Self.pki.anchors(),
                minimumTLS: min(version, .tls12), demands: [ATSPolicy()])
            let results = await Prober(clock: .fixed(Self.pki.epoch)).probe(check, through: [transport], resolvers: [])
            return try #require(results.first)
        }
    }
}
