import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeSHA256
import Testing

/// Many certificates at once get the answers that each gets alone.
@Suite struct PinIndexBatchTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000))

    @Test func aBatchAnswersLikeEachAlone() throws {
        let leaves = try [LabIdentityName.good, .rsa2048, .rsa4096, .ed25519, .p384].map {
            try Self.pki.identity($0).leaf
        }
        let digests = try leaves.map { leaf in
            try CertificateDigests(certificate: leaf.span, digester: SwiftCryptoDigester())
        }
        let index = PinIndex([
            Pin(kind: .spki, digest: digests[0].spki), Pin(kind: .rawkey, digest: digests[1].rawKey),
            Pin(kind: .cert, digest: digests[2].cert), Pin(kind: .spki, digest: digests[3].rawKey),
        ])
        let expected: [PinMatch] = [
            .pinned(.spki), .pinned(.rawkey), .pinned(.cert), .notPinned, .notPinned, .unreadable,
        ]
        // More than one batch, so that the last group is not full.
        var bytes: [UInt8] = []
        var slices: [Range<Int>] = []
        for number in 0..<500 {
            let certificate = number % 6 < 5 ? leaves[number % 6] : [0x30, 0x03, 0x02, 0x01, 0x00]
            slices.append(bytes.count..<bytes.count + certificate.count)
            bytes += certificate
        }
        var matches = [PinMatch](repeating: .unreadable, count: slices.count)
        var answers = matches.mutableSpan
        index.match(certificates: slices.span, of: bytes.span, digester: BatchDigester(), into: &answers)
        for number in matches.indices { #expect(matches[number] == expected[number % 6], "certificate \(number)") }

        for (leaf, answer) in zip(leaves, expected) {
            let kind = try index.match(certificate: leaf.span, digester: SwiftCryptoDigester())
            #expect((kind.map { .pinned($0) } ?? .notPinned) == answer)
        }
    }
}
