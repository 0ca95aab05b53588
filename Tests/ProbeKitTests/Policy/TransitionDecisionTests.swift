import Foundation
import Testing

@testable import ProbeKit
@testable import ProbePins

@Suite("[R9, R10, R13, R14, R47] when another certificate is tolerated") struct TransitionDecisionTests {
    private static let start = Date(timeIntervalSince1970: 1_785_110_400)
    private static let end = Date(timeIntervalSince1970: 1_787_788_799)
    private let middle = start.addingTimeInterval(1_000_000)

    private func window(
        fallback: TransitionWindow.Fallback = .alternate, missing: TransitionWindow.MissingDate = .strict
    ) -> TransitionWindow {
        TransitionWindow(start: Self.start, end: Self.end, fallback: fallback, onMissingDate: missing)
    }

    /// Returns the code of a refusal; nil for a grant.
    private func code(_ decision: TransitionDecision) -> String? {
        switch decision {
        case .granted: nil
        case .unproven: "unproven"
        case .refused(let code, _): code
        }
    }

    private func decide(
        _ window: TransitionWindow?, keysVouch: Bool = true, _ time: ServerTime?, at instant: Date? = nil
    ) -> String? {
        code(TransitionDecision(window, keysVouch: keysVouch, serverTime: time, at: instant ?? middle))
    }

    private func known(_ skew: Int, at instant: Date? = nil) -> ServerTime {
        .known((instant ?? middle).addingTimeInterval(TimeInterval(-skew)), skew: skew)
    }

    @Test func withoutAWindowThereIsNone() {
        #expect(decide(nil, known(0)) == "pin-mismatch")
    }

    @Test func outsideItThereIsNone() {
        for instant in [Self.start.addingTimeInterval(-1), Self.end.addingTimeInterval(1)] {
            #expect(decide(window(fallback: .system, missing: .lenient), known(0), at: instant) == "pin-mismatch")
        }
    }

    /// The words of a decision: what of the window is missing, and who vouches.
    @Test func theReasonIsGiven() {
        func why(_ decision: TransitionDecision) -> String {
            switch decision {
            case .granted(let why), .unproven(let why): why
            case .refused(_, let why): why ?? ""
            }
        }
        func decide(_ window: TransitionWindow, keysVouch: Bool = true, at instant: Date) -> String {
            why(TransitionDecision(window, keysVouch: keysVouch, serverTime: .known(instant, skew: 0), at: instant))
        }
        #expect(decide(window(), at: Self.start.addingTimeInterval(-1)).hasSuffix("has not begun"))
        #expect(decide(window(), at: Self.end.addingTimeInterval(1)).hasSuffix("is over"))
        let reversed = TransitionWindow(start: Self.end, end: Self.start)
        #expect(decide(reversed, at: Self.end).hasSuffix("is over"))
        #expect(decide(window(), at: middle).hasPrefix("its chain has a pinned key, "))
        let system = window(fallback: .system)
        #expect(decide(system, at: middle).hasPrefix("its chain has a pinned key, "))
        #expect(decide(system, keysVouch: false, at: middle).hasPrefix("any certificate with a trusted chain is, "))
    }

    @Test func somebodyHasToVouch() {
        #expect(decide(window(), known(0)) == nil)
        #expect(decide(window(), keysVouch: false, known(0)) == "no-alternate-key")
        #expect(decide(window(fallback: .system), keysVouch: false, known(0)) == nil)
    }

    @Test(arguments: [(300, true), (-300, true), (301, false), (-301, false), (Int.max, false)])
    func clocksHaveToAgree(skew: Int, isGranted: Bool) {
        let time = ServerTime.known(middle, skew: skew)
        #expect(decide(window(), time) == (isGranted ? nil : "clock-skew"))
        #expect(decide(window(missing: .lenient), time) == (isGranted ? nil : "clock-skew"))
    }

    @Test func theServerHasToBeInsideToo() {
        #expect(decide(window(), known(1, at: Self.start), at: Self.start) == "server-outside-window")
        #expect(decide(window(), known(0, at: Self.start), at: Self.start) == nil)
        #expect(decide(window(), known(-1, at: Self.end), at: Self.end) == "server-outside-window")
        #expect(decide(window(), known(0, at: Self.end), at: Self.end) == nil)
    }

    @Test func withoutADateTheWindowSays() {
        #expect(decide(window(), .unknown("no Date")) == "server-date-unknown")
        #expect(decide(window(missing: .lenient), .unknown("no Date")) == nil)
        #expect(decide(window(), .notOffered("smtp has no Date")) == "no-server-date")
        #expect(decide(window(missing: .lenient), .notOffered("smtp has no Date")) == nil)
    }

    /// A time that was not asked for differs from one that was not answered: it may still be asked for.
    @Test func whatWasNotAskedIsUnproven() {
        #expect(decide(window(), nil) == PinsMatch.awaitsServerTime)
        #expect(decide(window(missing: .lenient), nil) == "unproven")
    }

    @Test func aChosenInstantIsNotAClock() {
        let decision = TransitionDecision(
            window(), keysVouch: true, serverTime: .known(middle, skew: 301), isInstantChosen: true, at: middle)
        guard case .refused("clock-skew", let why) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(why == "the chosen instant and the server's clock are 301 s apart, more than 300")
        let mismatch: Fix = "pin it"
        #expect(decision.fix(insteadOf: mismatch, isInstantChosen: true).steps == [.judgeNow])
        #expect(decision.fix(insteadOf: mismatch).steps.isEmpty)
    }
}
