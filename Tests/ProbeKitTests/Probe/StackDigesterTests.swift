import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import Testing

/// Pins are compared with digests of the library that the stack is, the one that the benchmark measures.
@Suite struct StackDigesterTests {
    /// A digester with digests of its own.
    private struct OddDigester: Digester {
        static let digest = PinDigest(words: (1, 2, 3, 4))
        let identity = BackendIdentity(name: "odd", library: "none", version: "0")

        func sha256(_ bytes: Span<UInt8>) -> PinDigest { Self.digest }
    }

    private struct OddTransport: Transport {
        let pki: LabPKI
        let digester: (any Digester)? = OddDigester()
        let identity = BackendIdentity(name: "odd", library: "none", version: "0")
        let capabilities: Set<TransportCapability> = [
            .presentedChain, .sni, .versionRange, .keyReading, .trustEvaluation,
        ]

        func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
            var report = HandshakeReport()
            report.version = .tls13
            guard let identity = try? pki.identity(.good) else { return report }
            report.chain = identity.chain
            report.keys = report.chain.map { _ in .spki(identity.key.spki) }
            report.nativeTrust = .accepted(path: nil)
            return report
        }

        func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .accepted(path: nil) }

        func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("not asked") }
    }

    @Test func evidenceIsDigestedByTheStack() async throws {
        let pki = TestConnection.pki
        let pin = Pin(kind: .spki, digest: OddDigester.digest)
        let check = Check(
            target: try Target("good.test"), anchors: try pki.anchors(), pins: [PinGroup([pin], position: .any)])
        let connection = await Prober(clock: .fixed(pki.epoch)).observe(
            check, through: OddTransport(pki: pki), deadline: .after(.seconds(1800)))
        #expect(connection.certificates.count == 3)
        for certificate in connection.certificates {
            #expect(try certificate.digests.get().spki == OddDigester.digest)
        }
        let findings = PinsMatch(check.pins).judge(Evidence(connection: connection, model: nil), at: pki.epoch)
        #expect(findings.first?.code == "pin-matched")
    }
}
