import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

@testable import TransportGnuTLS

/// Keys that GnuTLS would compute with for seconds.
@Suite(.bounded)
struct OversizedKeyTests {
    private static let huge = OversizedCertificate.number(bytes: 8000)
    private static let large = OversizedCertificate.number(bytes: 256)

    @Test(arguments: [(huge, huge), (huge, [1, 0, 1]), (large, large)])
    func noSignatureIsVerifiedUnderOne(modulus: [UInt8], exponent: [UInt8]) async throws {
        let issuer = OversizedCertificate(
            subject: "Big", issuer: "Big", isAuthority: true, modulus: modulus, exponent: exponent)
        let leaf = OversizedCertificate(
            subject: "good.test", issuer: "Big", isAuthority: false, modulus: Self.large, exponent: [1, 0, 1],
            signature: [UInt8](modulus.dropLast()) + [1])
        let question = TrustQuestion(
            chain: [leaf.der, issuer.der], anchors: try Fixture.pki.anchors(), name: try ServerName("good.test"),
            instant: Fixture.pki.epoch)
        var reading: TrustReading?
        let took = Stopwatch.processorTime {
            reading = GnuTLSTrust.evaluate(
                question, chain: GnuTLSCertificates(question.chain), anchors: GnuTLSAnchors())
        }
        let problem = try #require(reading?.problems.first)
        #expect(problem.cause == .tooComplex)
        #expect(problem.depth == 1)
        #expect(took < .seconds(1))
    }

    @Test func aHandshakeStopsBeforeItUsesOne() throws {
        let leaf = OversizedCertificate(
            subject: "good.test", issuer: "good.test", isAuthority: false, modulus: Self.huge, exponent: Self.huge)
        let engine = try GnuTLSEngine(try Fixture.request(versions: .tls12 ... .tls12), anchors: GnuTLSAnchors())
        _ = engine.advance()
        // A key exchange on x25519, signed with rsa_pkcs1_sha256 by the leaf's key.
        let signature = [UInt8](Self.huge.dropLast()) + [1]
        let exchange =
            [3, 0, 0x1d, 32, 9] + [UInt8](repeating: 0, count: 31)
            + [4, 1, UInt8(signature.count >> 8), UInt8(signature.count & 0xff)] + signature
        let bytes = ServerFlight.records([leaf.der], keyExchange: exchange)
        unsafe engine.receive(bytes.span.bytes)
        var progress = HandshakeProgress.needsInput
        let took = Stopwatch.processorTime { progress = engine.advance() }
        guard case .failed(let failure) = progress else {
            Issue.record("did not fail: \(progress)")
            return
        }
        #expect(failure.code == .protocolError)
        #expect(failure.message.contains("larger than"))
        #expect(took < .seconds(1))
    }
}
