import ProbeKit
import Testing

/// Durations in whole units.
@Suite struct WholeDurationTests {
    @Test(
        "milliseconds are rounded up, so that a wait does not end before its time",
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2),
            (.seconds(90), 90_000),
        ])
    func milliseconds(duration: Duration, milliseconds: Int) {
        #expect(duration.millisecondsRoundedUp == milliseconds)
    }

    @Test func negativeMilliseconds() {
        #expect((Duration.zero - .microseconds(1500)).millisecondsRoundedUp <= 0)
    }

    @Test func nanoseconds() {
        #expect((Duration.seconds(2) + .nanoseconds(7)).nanoseconds == 2_000_000_007)
    }
}
