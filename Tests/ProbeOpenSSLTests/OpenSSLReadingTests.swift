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
    func commonKeysNeedNoEncoder(name: LabIdentityName) throws {
        let leaf = try Self.pki.identity(name).leaf
        let slices = try CertificateSlices(certificate: leaf.span)
        let common = try OpenSSLCertificate(der: leaf).commonSPKI
        #expect(common == (name == .rsaWithoutNull ? nil : Array(leaf[slices.spki])))
    }

    /// A request for a hello may come before the server's own (RFC 5246 section 7.4.1.1), and says nothing of the version.
    @Test(arguments: [(CInt(0), false), (2, false), (8, true), (11, true)])
    func messagesAfterTheHello(type: CInt, isAfter: Bool) {
        #expect(OpenSSLFacts.comesAfterHello(type) == isAfter)
    }

    /// The curves by themselves: no server of the lab has a key on the largest.
    @Test func everyCurveHasItsAlgorithm() throws {
        let leaf = try Self.pki.identity(.good).leaf
        let keys = [
            P256.Signing.PrivateKey().publicKey.derRepresentation,
            P384.Signing.PrivateKey().publicKey.derRepresentation,
            P521.Signing.PrivateKey().publicKey.derRepresentation,
        ]
        for spki in keys {
            let certificate = try Self.certificate(leaf, with: Array(spki))
            #expect(try OpenSSLCertificate(der: certificate).commonSPKI == Array(spki))
        }
    }

    /// Returns a certificate with another key; its signature is that of the first.
    private static func certificate(_ leaf: [UInt8], with spki: [UInt8]) throws -> [UInt8] {
        // Both sequences have lengths of two bytes.
        try #require(leaf[1] == 0x82 && leaf[5] == 0x82)
        let (key, end) = (try CertificateSlices(certificate: leaf.span).spki, 8 + Int(leaf[6]) << 8 + Int(leaf[7]))
        func sequence(_ content: [UInt8]) -> [UInt8] {
            [0x30, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
        }
        return sequence(sequence(leaf[8..<key.lowerBound] + spki + leaf[key.upperBound..<end]) + leaf[end...])
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
