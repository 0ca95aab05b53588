import ProbeKit
import ProbePins
import ProbeTestSupport
import Testing

@Suite struct PinDigestSetTests {
    private func digest(_ number: Int) -> PinDigest { PinDigest.sha256(of: "digest \(number)".utf8) }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 8, 1000, 100_000])
    func membersAreFoundAndOthersAreNot(count: Int) {
        let set = PinDigestSet((0..<count).map(digest))
        #expect(set.count == count)
        #expect((0..<count).allSatisfy { set.contains(digest($0)) })
        #expect(!(count..<count + 1000).contains { set.contains(digest($0)) })
    }

    @Test func aDigestTwiceIsOneMember() {
        #expect(PinDigestSet([digest(1), digest(2), digest(1)]).count == 2)
    }

    /// The zero digest is a digest like any other, although a free place looks like it.
    @Test func theZeroDigest() {
        let zero = PinDigest(words: (0, 0, 0, 0))
        #expect(!PinDigestSet([]).contains(zero))
        #expect(!PinDigestSet([digest(1)]).contains(zero))
        let set = PinDigestSet([digest(1), zero, zero])
        #expect(set.contains(zero))
        #expect(set.contains(digest(1)))
        #expect(set.count == 2)
    }

    /// Crafted digests that differ in only one word: they are spread all the same, or this would take minutes.
    @Test(.bounded, arguments: 0..<4, [0, 20, 47])
    func digestsThatAreAlike(word: Int, shift: UInt64) {
        let digests = (0..<100_000 as Range<UInt64>).map { number in
            var words: [UInt64] = [7, 7, 7, 7]
            words[word] = number << shift
            return PinDigest(words: (words[0], words[1], words[2], words[3]))
        }
        let set = PinDigestSet(digests)
        #expect(set.count == digests.count)
        #expect(digests.allSatisfy { set.contains($0) })
        #expect(!set.contains(PinDigest(words: (8, 8, 7, 7))))
    }

    /// One digest that differs from a member in a single bit is not a member.
    @Test func everyBitCounts() {
        let bytes = digest(1).bytes
        let set = PinDigestSet([digest(1)])
        for bit in 0..<256 {
            var other = bytes
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(PinDigest(other).map { set.contains($0) } == false)
        }
    }
}
