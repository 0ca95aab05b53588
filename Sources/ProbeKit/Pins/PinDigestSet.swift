/// A set of digests whose membership costs the same for two members and for a hundred thousand: one look at one place of
/// a table that is at most half full.
///
/// A list of pins can be anybody's, so places are chosen by multipliers that are drawn anew for each set: no list can be
/// made that puts its digests into one place.
public struct PinDigestSet: Sendable {
    /// How many digests are in the set.
    public let count: Int

    /// The table; a place without a member holds the zero digest.
    private let places: [PinDigest]
    /// Whether the zero digest itself is a member.
    private let hasZero: Bool
    private let multipliers: (UInt64, UInt64, UInt64, UInt64)
    /// How far a product is shifted to leave an index into the table.
    private let shift: UInt64

    private static let zero = PinDigest(words: (0, 0, 0, 0))

    /// The set of `digests`, each once.
    public init(_ digests: some Collection<PinDigest>) {
        // Sixteen places at least: in a table of four, two members would stand in each other's way.
        var bits = 4
        while 1 << bits < 2 * digests.count { bits += 1 }
        func odd() -> UInt64 { UInt64.random(in: .min ... .max) | 1 }
        let multipliers = (odd(), odd(), odd(), odd())
        let shift = UInt64(UInt64.bitWidth - bits)
        var places = [PinDigest](repeating: Self.zero, count: 1 << bits)
        var (count, hasZero) = (0, false)
        for digest in digests {
            if digest == Self.zero {
                if !hasZero { count += 1 }
                hasZero = true
                continue
            }
            var index = Self.home(of: digest, multipliers, shift)
            while places[index] != Self.zero, places[index] != digest { index = (index + 1) & (places.count - 1) }
            if places[index] == Self.zero { count += 1 }
            places[index] = digest
        }
        self.count = count
        self.hasZero = hasZero
        self.places = places
        self.multipliers = multipliers
        self.shift = shift
    }

    /// Whether `digest` is a member; allocates nothing.
    @inline(__always)
    public func contains(_ digest: PinDigest) -> Bool {
        let places = places.span
        var index = Self.home(of: digest, multipliers, shift)
        while true {
            let found = places[index]
            if found == digest { return digest != Self.zero || hasZero }
            if found == Self.zero { return false }
            index = (index + 1) & (places.count - 1)
        }
    }

    @inline(__always)
    private static func home(
        of digest: PinDigest, _ multipliers: (UInt64, UInt64, UInt64, UInt64), _ shift: UInt64
    ) -> Int {
        let words = digest.words
        let sum =
            (words.0 &* multipliers.0) &+ (words.1 &* multipliers.1) &+ (words.2 &* multipliers.2)
            &+ (words.3 &* multipliers.3)
        return Int(truncatingIfNeeded: sum &>> shift)
    }
}
