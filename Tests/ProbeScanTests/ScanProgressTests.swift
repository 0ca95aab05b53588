import ProbeKit
import Testing

@testable import ProbeScan

/// The progress display of a running scan.
@Suite struct ScanProgressTests {
    private func progress(_ fraction: Double?, from start: Double = 0) -> (ScanProgress, ContinuousClock.Instant) {
        var tally = ScanTally()
        for _ in 0..<30 { tally.add([.pass]) }
        for _ in 0..<10 { tally.add([.unreachable]) }
        tally.addMalformed()
        let now = ContinuousClock.now
        return (ScanProgress(tally: tally, inFlight: 5, fraction: fraction, start: (start, now)), now + .seconds(10))
    }

    @Test func theLineSaysHowFarItIs() {
        let (shown, now) = progress(0.25)
        #expect(
            shown.text(at: now)
                == "40 done · 5 in flight · 4.0/s · pass 30 · unreachable 10 · usage-error 1 · 0:30 left")
    }

    @Test func withoutALengthThereIsNoTimeLeft() {
        let (shown, now) = progress(nil)
        #expect(!shown.text(at: now).contains("left"))
    }

    @Test func whatWasDoneBeforeDoesNotCount() {
        var (shown, now) = progress(0.75, from: 0.5)
        shown.endedBefore = 20
        #expect(shown.text(at: now).contains("2.0/s"))
        #expect(shown.text(at: now).hasSuffix("0:10 left"))
        now = now + .seconds(100_000)
        #expect(shown.text(at: now).contains(":"))
    }

    /// A target that is asked again is work of this run, though there are no more of them than before.
    @Test func whatReplacesAResultCounts() {
        var tally = ScanTally()
        for _ in 0..<20 { tally.add([.unreachable]) }
        let before = tally.ended
        for _ in 0..<20 {
            tally.remove([.unreachable])
            tally.add([.pass])
        }
        #expect(tally.targets == 20 && tally.ended - before == 20)
    }
}
