import ProbeKit
import ProbeLab
import Testing
import TransportGnuTLS

@Suite struct KeyReadingTests {
    private let transport = GnuTLSTransport()

    @Test(
        .enabled(if: OpenSSL.isInstalled, "openssl is not installed: nothing to compare with"),
        arguments: [LabIdentityName.good, .rsa1024, .rsa2048, .rsa4096, .p384, .ed25519, .rsaWithoutNull])
    func readsTheKeyThatOpenSSLReads(_ name: LabIdentityName) async throws {
        let leaf = try Fixture.pki.identity(name).leaf
        let pem = try await OpenSSL.run(["x509", "-inform", "der", "-pubkey", "-noout"], input: leaf)
        let der = try await OpenSSL.run(["pkey", "-pubin", "-outform", "der"], input: pem)
        #expect(await transport.readKey(ofCertificate: leaf) == .spki(der))
    }
}
