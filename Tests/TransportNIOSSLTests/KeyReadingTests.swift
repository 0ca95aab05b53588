import ProbeKit
import ProbeLab
import ProbePins
import Testing
import TransportNIOSSL

@Suite struct KeyReadingTests {
    @Test(arguments: [LabIdentityName.good, .rsa1024, .rsa2048, .rsa4096, .p384, .ed25519])
    func readsTheBytesThatTheSlicesAreOf(_ name: LabIdentityName) async throws {
        let identity = try Fixture.pki.identity(name)
        let slices = try CertificateSlices(certificate: identity.leaf.span)
        #expect(Array(identity.leaf[slices.spki]) == identity.key.spki)
        let reading = await NIOSSLTransport().readKey(ofCertificate: identity.leaf)
        #expect(reading == .spki(identity.key.spki))
    }

    @Test func aCompressedPointIsReadAsAnotherEncoding() async throws {
        let identity = try Fixture.pki.identity(.compressedPoint)
        let slices = try CertificateSlices(certificate: identity.leaf.span)
        #expect(Array(identity.leaf[slices.spki]) != identity.key.spki)
        let reading = await NIOSSLTransport().readKey(ofCertificate: identity.leaf)
        #expect(reading == .spki(identity.key.spki))
    }

    @Test func anRSAKeyWithoutItsNullIsUnreadable() async throws {
        let leaf = try Fixture.pki.identity(.rsaWithoutNull).leaf
        guard case .unreadable = await NIOSSLTransport().readKey(ofCertificate: leaf) else {
            Issue.record("BoringSSL reads RSA keys without NULL now")
            return
        }
    }
}
