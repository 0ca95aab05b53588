import Foundation
import ProbeKit
import ProbePins
import Testing

@Suite("[R9, R10] both ends of a window belong to it") struct TransitionWindowTests {
    private let start = Date(timeIntervalSince1970: 1_785_110_400)
    private let end = Date(timeIntervalSince1970: 1_787_788_799)

    @Test(arguments: [
        (-1.0, false), (-0.001, false), (0, true), (0.5, true), (2_678_399, true), (2_678_399.999, true),
        (2_678_400, false),
    ])
    func toTheSecond(offset: Double, isInside: Bool) {
        let window = TransitionWindow(start: start, end: end)
        #expect(window.contains(start.addingTimeInterval(offset)) == isInside)
    }

    @Test func aWindowOfOneSecondIsOne() {
        let window = TransitionWindow(start: start, end: start)
        #expect(window.contains(start))
        #expect(!window.contains(start.addingTimeInterval(1)))
    }

    @Test func oneThatEndsBeforeItBeginsIsNone() {
        let window = TransitionWindow(start: end, end: start)
        #expect(!window.contains(start) && !window.contains(end))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func anInstantNoClockShowsIsOutside(_ seconds: Double) {
        #expect(!TransitionWindow(start: start, end: end).contains(Date(timeIntervalSince1970: seconds)))
    }
}
