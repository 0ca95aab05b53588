import ProbeKit
import ProbeLab
import ProbePins
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

    @Test(arguments: [[], [0x30], Array("nonsense".utf8), [0x30, 0x84, 0xff, 0xff, 0xff, 0xff]])
    func garbageIsUnreadable(_ bytes: [UInt8]) async {
        guard case .unreadable(let why) = await transport.readKey(ofCertificate: bytes) else {
            Issue.record("read a key from \(bytes)")
            return
        }
        #expect(why.hasPrefix("GNUTLS_E_"))
    }

    /// Damage outside the key leaves the key unchanged, or unreadable; a truncated certificate is malformed.
    @Test func noBitFlipMakesAnotherKey() async throws {
        let leaf = try Fixture.pki.identity(.good).leaf
        let slices = try CertificateSlices(certificate: leaf.span)
        for index in leaf.indices {
            var broken = leaf
            broken[index] ^= 0xff
            let reading = await transport.readKey(ofCertificate: broken)
            if case .spki(let key) = reading, !slices.spki.contains(index) {
                #expect(key == Array(leaf[slices.spki]), "\(index)")
            }
            guard case .unreadable = await transport.readKey(ofCertificate: Array(leaf.prefix(index))) else {
                Issue.record("read a key from the first \(index) bytes")
                return
            }
        }
    }
}
