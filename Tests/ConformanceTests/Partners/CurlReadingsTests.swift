import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing
import TransportCurl

/// libcurl's own decisions, with a server that presents any given chain.
@Suite(
    .bounded,
    .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed: no server takes every identity"))
struct CurlReadingsTests {
    private let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))
    private let transport: CurlTransport

    init() throws {
        transport = CurlTransport()
    }

    private func request(_ endpoint: Endpoint) throws -> HandshakeRequest {
        HandshakeRequest(
            endpoint: endpoint, serverName: try ServerName("good.test"), anchors: try pki.anchors(), instant: pki.epoch,
            deadline: .after(.seconds(1800)))
    }

    /// libcurl's pin check agrees with our slice of every key, whether its encoding is odd or not; the key as OpenSSL
    /// encodes it again differs if the NULL is missing, which is the reason for `readings-disagree`.
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

    /// An OCSPResponse "malformedRequest": it only has to arrive byte for byte.
    @Test(arguments: [TLSVersion.tls12, .tls13]) func stapledResponsesAreShown(_ version: TLSVersion) async throws {
        let staple: [UInt8] = [0x30, 0x03, 0x0a, 0x01, 0x01]
        let server = OpenSSLServer(
            presented: .chain(of: try pki.identity(.rsa2048)), version: version, staple: staple)
        let report = try await server.run { await transport.handshake(try request($0)) }
        #expect(report.failure == nil)
        #expect(report.version == version)
        #expect(report.ocspStaple == staple)
        #expect(report.nativeTrust?.isAccepted == true)
    }
}
