import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportCurl

/// What libcurl itself decides, with a server that presents whatever it is given.
@Suite(
    .bounded, .timeLimit(.minutes(2)),
    .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed: no server takes every identity"))
struct CurlReadingsTests {
    private let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))
    private let transport: CurlTransport

    init() throws {
        transport = try CurlTransport()
    }

    private func request(_ endpoint: Endpoint) throws -> HandshakeRequest {
        HandshakeRequest(
            endpoint: endpoint, serverName: try ServerName("good.test"), anchors: try pki.anchors(), instant: pki.epoch,
            deadline: .after(.seconds(10)))
    }

    /// libcurl's pin check agrees with our slice of every key, its encoding odd or not (gotcha G2); the key as OpenSSL
    /// writes it anew differs where the NULL is missing, and that is the reading that `readings-disagree` rests on.
    @Test(arguments: [
        LabIdentityName.good, .rsa2048, .rsa4096, .p384, .ed25519, .rsaWithoutNull, .compressedPoint, .selfSigned,
        .wrongName, .expired,
    ])
    func thePinCheckReadsTheKeyThatWeRead(_ name: LabIdentityName) async throws {
        let identity = try pki.identity(name)
        let digests = try CertificateDigests(certificate: identity.leaf.span, digester: SwiftCryptoDigester())
        try await TLSPartner.openssl.run(identity) { endpoint in
            let request = try request(endpoint)
            #expect(await transport.confirmKey(ofLeaf: identity.leaf, request) == .confirmed)
            let report = await transport.handshake(request)
            #expect(report.failure == nil)
            #expect(report.chain == identity.chain)
            guard case .spki(let key) = report.keys.first else {
                Issue.record("no key reading")
                return
            }
            #expect((PinDigest.sha256(of: key) == digests.spki) == (name != .rsaWithoutNull))
        }
    }

    @Test func aLeafThatIsNotPresentedIsNotConfirmed() async throws {
        let other = try pki.identity(.second).leaf
        try await TLSPartner.openssl.run(try pki.identity(.good)) { endpoint in
            guard case .unanswered(let failure) = await transport.confirmKey(ofLeaf: other, try request(endpoint))
            else {
                Issue.record("answered about another leaf")
                return
            }
            #expect(failure.code == .backendError)
        }
    }
}
