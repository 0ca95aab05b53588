import ProbeKit
import ProbePlatform
import ProbeSHA256
import ProbeTestSupport
import Synchronization
import Testing
import TransportOpenSSL

/// The many-buffer SHA-256 against OpenSSL's, each variant separately if the processor has it.
@Suite struct BatchDigesterTests {
    /// Returns a digester with this variant alone; the test is skipped, with the reason, if the processor can't run it.
    private static func digester(_ variant: SHA256Variant) throws -> BatchDigester {
        guard variant.isAvailable else { try skip("this processor has no \(variant.rawValue)") }
        return try BatchDigester(variant)
    }

    @Test(arguments: SHA256Variant.allCases)
    func everyLengthUpTo4096AtEveryAlignment(variant: SHA256Variant) throws {
        let digester = try Self.digester(variant)
        let slices = (0...4096).map { length in length % 64..<length % 64 + length }
        for start in stride(from: 0, to: slices.count, by: 100) {
            let batch = Array(slices[start..<min(start + 100, slices.count)])
            #expect(Messages.digests(batch, by: digester) == Messages.expected(batch))
        }
    }

    @Test(arguments: SHA256Variant.allCases)
    func aMessageAlone(variant: SHA256Variant) throws {
        let digester = try Self.digester(variant)
        for length in 0...300 {
            #expect(Messages.digests([1..<1 + length], by: digester) == Messages.expected([1..<1 + length]))
        }
    }

    @Test(arguments: SHA256Variant.allCases)
    func randomBatchesOfMixedLengths(variant: SHA256Variant) throws {
        let digester = try Self.digester(variant)
        for number in 0..<400 {
            let longest = [80, 700, 5000][number % 3]
            let slices = (0..<Int.random(in: 0...70)).map { _ in
                let start = Int.random(in: 0..<Messages.bytes.count - longest)
                return start..<start + Int.random(in: 0...longest)
            }
            #expect(Messages.digests(slices, by: digester) == Messages.expected(slices), "\(slices)")
        }
    }

    /// Enough messages of one length to fill every lane, a case with a path of its own, and some more; the longest have
    /// more blocks than are counted.
    @Test(arguments: SHA256Variant.allCases)
    func manyOfALength(variant: SHA256Variant) throws {
        let digester = try Self.digester(variant)
        for length in Array(0...300) + Array(stride(from: 16_180, through: 16_330, by: 25)) {
            let slices = (0..<18).map { $0 * 37..<$0 * 37 + length }
            #expect(Messages.digests(slices, by: digester) == Messages.expected(slices), "\(length) bytes")
        }
    }

    /// Alternating lengths: each length's messages are found among the others', over more than one batch.
    @Test(arguments: SHA256Variant.allCases)
    func lengthsByTurns(variant: SHA256Variant) throws {
        let digester = try Self.digester(variant)
        for count in [15, 16, 17, 64, 65, 255, 256, 257, 600] {
            let slices = (0..<count).map { $0..<$0 + [44, 91, 294, 550, 20_000][$0 % 5] }
            #expect(Messages.digests(slices, by: digester) == Messages.expected(slices), "\(count) messages")
        }
    }

    /// Nothing is read behind the bytes: the page there can't be read, and a message may end with the one before.
    @Test(arguments: SHA256Variant.allCases)
    func nothingBehindTheBytesIsRead(variant: SHA256Variant) throws {
        let digester = try Self.digester(variant)
        try GuardedPage().withBytes { page in
            let slices = (0...260).map { page.count - $0..<page.count }
            var digests = [PinDigest](repeating: PinDigest(words: (0, 0, 0, 0)), count: slices.count)
            var output = digests.mutableSpan
            digester.sha256(slices.span, of: page, into: &output)
            #expect(digests == slices.map { Messages.expected([UInt8](repeating: 0, count: $0.count)) })
        }
    }

    @Test func theStandardsExamples() {
        let digests = BatchDigester().sha256([
            Array("abc".utf8), [], Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
        ])
        #expect(
            digests.map(\.hex) == [
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ])
    }

    @Test func theVariantIsTheProcessors() throws {
        for count in [0, 1, 5, 6, 1000] { #expect(BatchDigester().variant(for: count).isAvailable) }
        for variant in SHA256Variant.allCases where variant.isAvailable {
            #expect(try BatchDigester(variant).variant(for: 1) == variant)
        }
    }

    /// The processors that differ: which of their variants computes many messages, and which a few. Portable C stands for
    /// the digester that computes one after the other.
    @Test(
        arguments: [
            ([], .portable, .portable), ([.avx2], .avx2, .portable),
            ([.avx2, .shaExtensions], .shaExtensions, .shaExtensions),
            ([.avx512, .avx2], .avx512, .portable), ([.avx512, .avx2, .shaExtensions], .avx512, .shaExtensions),
            ([.neon], .neon, .portable), ([.neon, .armv8], .armv8, .armv8),
        ] as [([SHA256Variant], SHA256Variant, SHA256Variant)])
    func theFastestIsUsed(available: [SHA256Variant], many: SHA256Variant, few: SHA256Variant) {
        let digester = BatchDigester(single: nil, on: available.contains)
        #expect(digester.variant(for: 6) == many)
        #expect(digester.variant(for: 5) == few)
    }

    @Test func oneAfterTheOtherIsTheLibrarys() throws {
        let counting = CountingDigester()
        let none = BatchDigester(single: counting, on: { _ in false })
        let slices = (0..<20).map { $0..<$0 * 51 }
        #expect(Messages.digests(slices, by: none) == Messages.expected(slices))
        #expect(counting.count == 20)
        let lanes = BatchDigester(single: counting)
        guard lanes.variant(for: 20) != .portable else { return try leaveOut("this processor has no lanes") }
        #expect(Messages.digests(slices, by: lanes) == Messages.expected(slices))
        #expect(counting.count == 20, "lanes are faster")
    }

    @Test func aVariantThatIsMissingIsRefused() throws {
        let missing = try #require(SHA256Variant.allCases.first { !$0.isAvailable }, "no processor has them all")
        #expect(throws: InputError.self) { () throws in try BatchDigester(missing) }
    }
}

/// OpenSSL's digester, which counts its messages.
private final class CountingDigester: Digester, Sendable {
    private let digester = OpenSSLDigester()
    private let messages = Mutex(0)

    var count: Int { messages.withLock(\.self) }
    var identity: BackendIdentity { digester.identity }

    func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        messages.withLock { $0 += 1 }
        return digester.sha256(bytes)
    }
}
