import ProbeKit
import ProbeLab
import ProbeTestSupport
import ProbeTrust
import Testing

/// RFC 5246 section 7.4.2: a key usage without keyEncipherment permits no RSA key exchange.
@Suite(.bounded) struct KeyExchangePermittedTests {
    private static func findings(suite: String?, usage: LabKeyUsage?) throws -> [Finding] {
        let leaf = LabCertificateRecipe.leaf("encipherment") {
            $0.key = LabKeyID(.rsa2048, "leaf")
            $0.keyUsage = usage
        }
        let evidence = TestConnection.evidence(path: try TestConnection.path(leaf), version: .tls12, suite: suite)
        return KeyExchangePermitted().judge(evidence, at: TestConnection.pki.epoch)
    }

    @Test("an RSA key exchange wants keyEncipherment, where there is a key usage") func keyExchange() throws {
        let found = try Self.findings(suite: "TLS_RSA_WITH_AES_128_GCM_SHA256", usage: .digitalSignature)
        #expect(found.map(\.code) == ["key-exchange-not-permitted"])
        #expect(found.first?.severity == .warning && found.first?.stage == .tls)
        #expect(found.first?.fix == "offer ECDHE suites, or reissue the certificate with keyEncipherment")
        for usage in [nil, .keyEncipherment, [.digitalSignature, .keyEncipherment]] as [LabKeyUsage?] {
            #expect(try Self.findings(suite: "TLS_RSA_WITH_AES_128_GCM_SHA256", usage: usage).isEmpty)
        }
    }

    @Test(arguments: ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", nil])
    func otherExchangesWantNothing(suite: String?) throws {
        #expect(try Self.findings(suite: suite, usage: .digitalSignature).isEmpty)
    }

    @Test("a handshake that proved nothing is reported by its failure alone") func unproven() throws {
        let path = try TestConnection.path(.leaf("unproven") { $0.key = LabKeyID(.rsa2048, "leaf") })
        let base = try #require(
            TestConnection.evidence(path: path, version: .tls12, suite: "TLS_RSA_WITH_AES_128_GCM_SHA256").connection)
        var report = base.report
        report.failure = HandshakeFailure(.protocolError, "it failed", cause: .keyUsage)
        let connection = ConnectionEvidence(
            transport: base.transport, report: report, missing: [], certificates: base.certificates,
            referenceTrust: base.referenceTrust, anchors: base.anchors, instant: base.instant)
        let evidence = Evidence(connection: connection, model: nil)
        #expect(KeyExchangePermitted().judge(evidence, at: TestConnection.pki.epoch).isEmpty)
    }
}
