import CProbeOpenSSL
import Crypto
import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import Testing

@testable import ProbeOpenSSL

/// OpenSSL's reading of keys, and its digests, beside ours.
@Suite struct OpenSSLReadingTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))

    /// The key as OpenSSL encodes it is our slice of the certificate, unless the encoding is odd.
    @Test(arguments: [
        LabIdentityName.good, .rsa1024, .rsa2048, .rsa4096, .p384, .ed25519, .compressedPoint, .rsaWithoutNull,
    ])
    func keysAreReadAlike(name: LabIdentityName) throws {
        let leaf = try Self.pki.identity(name).leaf
        let slices = try CertificateSlices(certificate: leaf.span)
        let reading = OpenSSLCertificates.readKey(of: leaf)
        #expect((reading == .spki(Array(leaf[slices.spki]))) == (name != .rsaWithoutNull))
    }

    /// The bytes built from usual keys' values are the output of OpenSSL's encoder, without calling it; unusual keys
    /// are left to it.
    @Test(arguments: [
        LabIdentityName.good, .rsa1024, .rsa2048, .rsa4096, .p384, .ed25519, .compressedPoint, .rsaWithoutNull,
    ])
    func usualKeysNeedNoEncoder(name: LabIdentityName) throws {
        let leaf = try Self.pki.identity(name).leaf
        let slices = try CertificateSlices(certificate: leaf.span)
        let usual = try OpenSSLCertificate(der: leaf).usualSPKI
        #expect(usual == (name == .rsaWithoutNull ? nil : Array(leaf[slices.spki])))
    }

    /// The curves by themselves: no server of the lab has a key on the largest.
    @Test func everyCurveHasItsAlgorithm() throws {
        let keys = [
            P256.Signing.PrivateKey().publicKey.derRepresentation,
            P384.Signing.PrivateKey().publicKey.derRepresentation,
            P521.Signing.PrivateKey().publicKey.derRepresentation,
        ]
        for spki in keys {
            let key = unsafe spki.withUnsafeBytes { bytes in
                var cursor = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
                return unsafe d2i_PUBKEY(nil, &cursor, bytes.count)
            }
            guard let key = unsafe key else {
                Issue.record("OpenSSL reads no key of \(spki.count) bytes")
                return
            }
            defer { unsafe EVP_PKEY_free(key) }
            let encoded = unsafe OpenSSLUsualKey.spki(of: key)
            #expect(encoded == Array(spki))
        }
    }

    /// Whatever is done to a certificate, OpenSSL and our walk never see two keys in it without saying so.
    @Test func damageIsReadAlikeOrNotAtAll() throws {
        let leaf = try Self.pki.identity(.good).leaf
        let slices = try CertificateSlices(certificate: leaf.span)
        for index in leaf.indices where !slices.spki.contains(index) {
            var broken = leaf
            broken[index] ^= 0x01
            guard case .spki(let key) = OpenSSLCertificates.readKey(of: broken),
                let own = try? CertificateSlices(certificate: broken.span)
            else { continue }
            #expect(key == Array(broken[own.spki]), "byte \(index)")
        }
        for length in leaf.indices {
            guard case .unreadable = OpenSSLCertificates.readKey(of: Array(leaf.prefix(length))) else {
                Issue.record("read a key from \(length) bytes")
                return
            }
        }
        guard case .unreadable = OpenSSLCertificates.readKey(of: leaf + [0]) else {
            Issue.record("took a certificate with a byte behind it")
            return
        }
    }

    /// Messages of every length around their last blocks, anywhere in memory.
    @Test func digestsAreThoseOfSwiftCrypto() {
        let bytes = (0..<100_007).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for count in Array(0...320) + [100_000] {
            let message = count % 7..<count % 7 + count
            #expect(
                OpenSSLDigester().sha256(bytes.span.extracting(message))
                    == PinDigest(SHA256.hash(data: bytes[message])),
                "\(count) bytes")
        }
    }
}
