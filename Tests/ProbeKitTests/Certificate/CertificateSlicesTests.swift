import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeTrust
import Testing

@Suite struct CertificateSlicesTests {
    static let pki = LabPKI(epoch: .init(timeIntervalSince1970: 1_790_000_000))

    /// The slices of every key type are the lab's own key.
    @Test(arguments: [
        LabIdentityName.good, .rsa2048, .rsa4096, .p384, .ed25519, .rsaWithoutNull, .compressedPoint, .rsa1024,
    ])
    func slicesAreTheKeys(name: LabIdentityName) throws {
        let identity = try Self.pki.identity(name)
        let slices = try CertificateSlices(certificate: identity.leaf.span)
        let spki = Array(identity.leaf[slices.spki])
        #expect(slices.rawKey.upperBound == slices.spki.upperBound)
        let alone = try CertificateSlices(spki: spki.span)
        #expect(Array(spki[alone.rawKey]) == Array(identity.leaf[slices.rawKey]))
        if ![.rsaWithoutNull, .compressedPoint].contains(name) { #expect(spki == identity.key.spki) }
    }

    /// Digests published for public certificates: the requirement's test vectors.
    @Test func publishedVectors() throws {
        let vectors = [
            (
                subject: "DigiCert Global Root G2",
                cert: "cb3ccbb76031e5e0138f8dd39a23f9de47ffc35e43c1144cea27d46a5ab1cb5f",
                spki: "8bb593a93be1d0e8a822bb887c547890c3e706aad2dab76254f97fb36b82fc26",
                rawkey: "93336939b223ecf6b3a33598be91ad79f8ab826693f8ac50cd827008eca78968"
            )
        ]
        let anchors = try TrustAnchors.system().certificates
        for vector in vectors {
            let certificate = try #require(
                anchors.first { PinDigest.sha256(of: $0).hex == vector.cert },
                "\(vector.subject) is not in the CA bundle")
            let digests = try CertificateDigests(certificate: certificate.span, digester: SwiftCryptoDigester())
            #expect(digests.cert.hex == vector.cert)
            #expect(digests.spki.hex == vector.spki)
            #expect(digests.rawKey.hex == vector.rawkey)
        }
    }

    /// A certificate cut off anywhere is refused, and so is one with anything behind it.
    @Test func everyTruncationIsRefused() throws {
        let leaf = try Self.pki.identity(.good).leaf
        for length in 0..<leaf.count {
            let cut = Array(leaf.prefix(length))
            #expect(throws: CertificateFormatError.self) { () throws in try CertificateSlices(certificate: cut.span) }
        }
        let longer = leaf + [0]
        #expect(throws: CertificateFormatError.self) { () throws in try CertificateSlices(certificate: longer.span) }
    }

    /// Whatever a hostile server writes, the walk returns and its slices are inside the bytes.
    @Test func randomDamageNeverLeavesTheBytes() throws {
        let leaf = try Self.pki.identity(.rsa2048).leaf
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var damaged = leaf
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let slices = try? CertificateSlices(certificate: damaged.span) else { continue }
            #expect(slices.spki.lowerBound >= 0 && slices.spki.upperBound <= damaged.count)
            #expect(
                slices.spki.lowerBound < slices.rawKey.lowerBound && slices.rawKey.upperBound <= slices.spki.upperBound)
        }
    }

    @Test(
        arguments: [
            [0x30, 0x80], [0x30, 0x81, 0x01, 0x00], [0x30, 0x82, 0x00, 0x81], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
            [0x31, 0x00],
        ] as [[UInt8]])
    func lengthsThatAreNotDERAreRefused(bytes: [UInt8]) {
        #expect(throws: CertificateFormatError.self) { () throws in try CertificateSlices(certificate: bytes.span) }
    }

    @Test func anErrorNamesFieldAndOffset() {
        let error = #expect(throws: CertificateFormatError.self) { () throws in
            try CertificateSlices(certificate: ([0x30, 0x03, 0x02, 0x01, 0x00] as [UInt8]).span)
        }
        #expect(error?.description == "TBSCertificate has another tag than this field has (at byte 2)")
    }
}
