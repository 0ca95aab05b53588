/// Durations for system calls and libraries that count in whole units; of no more than some years.
extension Duration {
    /// The fewest whole milliseconds that are as long; of a negative duration, any number that is not positive. Rounded down, a wait would end before its time, and one of less than
    /// a millisecond would turn in circles.
    package var millisecondsRoundedUp: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// The whole nanoseconds of it.
    package var nanoseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
