public import ProbeKit

/// A set of digests whose membership test costs the same for two members and for a hundred thousand: nearly always one
/// look at one group of slots.
///
/// A list of pins can come from anyone, so slots are chosen by multipliers that are random for each set: no list can be
/// made whose digests collide.
public struct PinDigestSet: Sendable {
    /// The number of digests in the set.
    public let count: Int

    /// A byte for each place, in groups of eight: zero for a free place, else a mark of its digest.
    private let marks: [UInt64]
    /// The digests at the places, at most half of which are in use.
    private let places: [PinDigest]
    private let hash: Hash

    /// Creates the set of `digests`, each once.
    public init(_ digests: some Collection<PinDigest>) {
        var groups = 1
        while 8 * groups < 2 * digests.count { groups *= 2 }
        var marks = [UInt64](repeating: 0, count: groups)
        var places = [PinDigest](repeating: PinDigest(words: (0, 0, 0, 0)), count: 8 * groups)
        var count = 0
        let hash = Hash(groups: groups)
        next: for digest in digests {
            let (value, mark) = hash(digest)
            var group = Int(truncatingIfNeeded: value) & (groups - 1)
            // The table is never full: there is a free place in some group.
            while true {
                for index in 0..<8 {
                    let found = UInt8(truncatingIfNeeded: marks[group] &>> UInt64(8 * index))
                    if found == mark, places[8 * group + index] == digest { continue next }
                    guard found == 0 else { continue }
                    marks[group] |= UInt64(mark) &<< UInt64(8 * index)
                    places[8 * group + index] = digest
                    count += 1
                    continue next
                }
                group = (group + 1) & (groups - 1)
            }
        }
        (self.count, self.marks, self.places, self.hash) = (count, marks, places, hash)
    }

    /// Returns true if `digest` is a member; allocates nothing.
    @inline(__always)
    public func contains(_ digest: PinDigest) -> Bool {
        let (marks, places) = (marks.span, places.span)
        if count <= Self.few {
            // They are the first ones of the only group.
            for place in 0..<count where unsafe places[unchecked: place] == digest { return true }
            return false
        }
        let (value, mark) = hash(digest)
        var group = Int(truncatingIfNeeded: value) & (marks.count &- 1)
        while true {
            // A group's number is less than the power of two that is their count, and each has eight places.
            let taken = unsafe marks[unchecked: group]
            // Eight marks are compared at once; false matches are sorted out by their digests.
            var alike = Self.zeroBytes(taken ^ (UInt64(mark) &* Self.ones))
            while alike != 0 {
                let place = group &<< 3 | alike.trailingZeroBitCount &>> 3
                if unsafe places[unchecked: place] == digest { return true }
                alike &= alike &- 1
            }
            if Self.zeroBytes(taken) != 0 { return false }
            group = (group &+ 1) & (marks.count &- 1)
        }
    }

    /// The number of digests up to which all are compared: faster than choosing which ones to compare.
    private static var few: Int { 4 }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// Returns the top bit of each byte that is zero, and perhaps of some above it: none exactly when no byte is zero.
    @inline(__always)
    private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones &<< 7) }

    /// A hash of its own for each set.
    private struct Hash: Sendable {
        private let multipliers: (UInt64, UInt64, UInt64, UInt64)

        /// The right shift that leaves a group's number of a sum: its upper bits depend on every bit of the digest.
        private let shift: UInt64

        init(groups: Int) {
            func odd() -> UInt64 { UInt64.random(in: .min ... .max) | 1 }
            multipliers = (odd(), odd(), odd(), odd())
            shift = UInt64(UInt64.bitWidth - groups.trailingZeroBitCount)
        }

        /// Returns the sum whose lower bits choose the group, and a tag that is not zero.
        @inline(__always)
        func callAsFunction(_ digest: PinDigest) -> (value: UInt64, mark: UInt8) {
            let words = digest.words
            let sum =
                (words.0 &* multipliers.0) &+ (words.1 &* multipliers.1) &+ (words.2 &* multipliers.2)
                &+ (words.3 &* multipliers.3)
            return (sum &>> shift, UInt8(truncatingIfNeeded: sum &>> 32) | 1)
        }
    }
}
