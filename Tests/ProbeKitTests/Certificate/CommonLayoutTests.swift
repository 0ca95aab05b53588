import ProbeLab
import ProbePlatform
import Testing

@testable import ProbeKit
@testable import ProbePins

/// The shortcut agrees with the strict walk, or returns nothing.
@Suite struct CommonLayoutTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000))

    /// It is there for these.
    @Test(arguments: [LabIdentityName.good, .rsa2048, .rsa4096, .p384, .ed25519])
    func certificatesOfServersAreUsual(name: LabIdentityName) throws {
        let leaf = try Self.pki.identity(name).leaf
        let usual = CommonLayout(leaf.span)
        let walked = try CertificateSlices.walk(leaf.span)
        #expect(usual?.spki == walked.spki)
        #expect(usual?.rawKey == walked.rawKey)
    }

    /// Every byte of a certificate in every value, and every pair of a tag and a length near it: whatever the shortcut takes
    /// the walk takes too, with the same slices.
    @Test(arguments: [LabIdentityName.good, .rsa2048, .ed25519])
    func whatItTakesTheWalkTakes(name: LabIdentityName) throws {
        let leaf = try Self.pki.identity(name).leaf
        var taken = 0
        func check(_ bytes: [UInt8]) {
            guard let usual = CommonLayout(bytes.span) else { return }
            taken += 1
            let walked = try? CertificateSlices.walk(bytes.span)
            #expect(walked?.spki == usual.spki && walked?.rawKey == usual.rawKey)
        }
        for index in leaf.indices {
            var changed = leaf
            for value in UInt8.min ... .max {
                changed[index] = value
                check(changed)
            }
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var changed = leaf
            for _ in 0..<Int.random(in: 2...4, using: &random) {
                let value: UInt8 = [0x30, 0x03, 0x80, 0x81, 0x82, 0x00, 0xff].randomElement(using: &random) ?? 0
                changed[Int.random(in: 0..<min(320, leaf.count), using: &random)] = value
            }
            check(changed)
        }
        #expect(taken > 1000)
        func isTaken(_ bytes: [UInt8]) -> Bool { CommonLayout(bytes.span) != nil }
        #expect(!leaf.indices.contains { isTaken(Array(leaf.prefix($0))) })
        #expect(!isTaken(leaf + [0]))
    }
}
