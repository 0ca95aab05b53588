/// Steele's SplitMix: the same seed gives the same numbers on every machine.
public struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The numbers of a seed.
    public init(seed: UInt64) { state = seed }

    /// The numbers of one member of a family, independent of those of its neighbours.
    public init(seed: UInt64, member: UInt64) {
        var own = SeededNumbers(seed: seed ^ (member &* 0xd134_2543_de82_ef95))
        state = own.next() ^ member
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// Returns a number below a bound.
    public mutating func below(_ bound: Int) -> Int { bound < 2 ? 0 : Int(next() % UInt64(bound)) }
}
