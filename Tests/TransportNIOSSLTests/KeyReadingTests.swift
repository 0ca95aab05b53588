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
        let reading = try await NIOSSLTransport().readKey(ofCertificate: identity.leaf)
        #expect(reading == .spki(identity.key.spki))
    }

    @Test func aCompressedPointIsReadAsAnotherEncoding() async throws {
        let identity = try Fixture.pki.identity(.compressedPoint)
        let slices = try CertificateSlices(certificate: identity.leaf.span)
        #expect(Array(identity.leaf[slices.spki]) != identity.key.spki)
        let reading = try await NIOSSLTransport().readKey(ofCertificate: identity.leaf)
        #expect(reading == .spki(identity.key.spki))
    }

    @Test func anRSAKeyWithoutItsNullIsUnreadable() async throws {
        let leaf = try Fixture.pki.identity(.rsaWithoutNull).leaf
        guard case .unreadable = try await NIOSSLTransport().readKey(ofCertificate: leaf) else {
            Issue.record("BoringSSL reads RSA keys without NULL now")
            return
        }
    }

    @Test(arguments: [[], [0x30], Array("nonsense".utf8), [0x30, 0x84, 0xff, 0xff, 0xff, 0xff]])
    func garbageIsUnreadable(_ bytes: [UInt8]) async throws {
        guard case .unreadable = try await NIOSSLTransport().readKey(ofCertificate: bytes) else {
            Issue.record("read a key from \(bytes)")
            return
        }
    }

    /// Damage outside the key leaves the key unchanged, or unreadable; a truncated certificate is malformed.
    @Test func noBitFlipMakesAnotherKey() async throws {
        let transport = try NIOSSLTransport()
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
