import Dispatch
import Foundation
import ProbeCurl
import ProbeKit
import ProbeTestSupport
import Testing

/// A thread that does not come back from libcurl, which nothing else here can bring about.
@Suite(.bounded) struct StuckThreadTests {
    /// A transfer that is over as soon as it is set up.
    private final class Transfer: CurlTransfer {
        let easy: CurlEasy

        init() throws(CurlError) { easy = try CurlEasy() }

        func finish(_ end: CurlEnd) -> String { "done" }
    }

    @Test func isReportedAndReplaced() async throws {
        let multi = try CurlMulti(grace: .milliseconds(50))
        let stuck = DispatchSemaphore(value: 0)
        let deadline = Deadline.after(.milliseconds(50))
        async let first: String = multi.run(by: deadline, overdue: { "overdue" }) { () -> CurlStart<Transfer> in
            stuck.wait()
            return .over("late")
        }
        // Waits behind the first one, on the same thread.
        async let second: String = multi.run(by: deadline, overdue: { "overdue too" }) { () -> CurlStart<Transfer> in
            .over("late")
        }
        #expect(await first == "overdue")
        #expect(["overdue too", "late"].contains(await second))
        let third = await multi.run(by: .after(.seconds(600)), overdue: { "overdue" }) { () -> CurlStart<Transfer> in
            .over("answered")
        }
        #expect(third == "answered")
        // It may come back: what it was asked for meanwhile is over.
        stuck.signal()
    }

    /// A busy thread is not a stuck one, however late it is.
    @Test func oneThatAnswersIsWaitedFor() async throws {
        let multi = try CurlMulti(grace: .seconds(600))
        let outcome = await multi.run(by: .after(.zero), overdue: { "overdue" }) { () -> CurlStart<Transfer> in
            .over("answered")
        }
        #expect(outcome == "answered")
    }

    /// Nor is one that has to wait for a processor: it works for less than the grace, in many times the grace.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/schedstat"),
            "this kernel does not count what threads wait"))
    func oneThatGetsNoProcessorIsWaitedFor() async throws {
        let multi = try CurlMulti(grace: .milliseconds(200))
        let crowd = Crowd()
        defer { crowd.goHome() }
        crowd.come(toWorkFor: .milliseconds(300))
        let outcome = await multi.run(by: .after(.zero), overdue: { "overdue" }) { () -> CurlStart<Transfer> in
            Crowd.work(for: .milliseconds(100))
            return .over("answered")
        }
        #expect(outcome == "answered")
        await crowd.isDone()
    }

    /// Linux counts a wait when it is over, and one wait may last longer than the grace.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/schedstat"),
            "this kernel does not count what threads wait"))
    func oneInALongWaitIsWaitedFor() async throws {
        // SCHED_IDLE of <sched.h>: it works when nobody else wants to.
        let idle: CInt = 5
        let multi = try CurlMulti(grace: .milliseconds(200))
        let crowd = Crowd()
        defer { crowd.goHome() }
        let outcome = await multi.run(by: .after(.zero), overdue: { "overdue" }) { () -> CurlStart<Transfer> in
            var parameters = sched_param()
            guard unsafe sched_setscheduler(0, idle, &parameters) == 0 else { return .over("not idle") }
            crowd.come(toWorkFor: .milliseconds(300))
            Crowd.work(for: .milliseconds(5))
            return .over("answered")
        }
        #expect(outcome == "answered")
        await crowd.isDone()
    }
}
