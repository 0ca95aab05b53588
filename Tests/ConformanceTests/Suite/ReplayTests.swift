import Foundation
import ProbeConformance
import ProbeKit
import ProbePlatform
import ProbeTestSupport
import Synchronization
import Testing

@Suite struct ReplayTests {
    /// Plays with what each play finds, and returns the time limits of the plays and the last result.
    private func play(
        _ plays: [(failure: String?, lost: Duration)], _ outcome: Outcome = .handshakeFailed, isAboutTime: Bool = false
    ) async throws -> (limits: [Duration], extensions: [Duration], result: Int) {
        let extensions = Mutex<[Duration]>([])
        var limits: [Duration] = []
        let replay = Replay(timeout: .seconds(1), isAboutTime: isAboutTime) { limit in
            extensions.withLock { $0.append(limit) }
        }
        let result = try await replay.run { limit in
            limits.append(limit)
            let seen = plays[limits.count - 1]
            return Replay.Played(limits.count, outcome, failure: seen.failure, lost: seen.lost)
        }
        return (limits, extensions.withLock { $0 }, result)
    }

    @Test func aProcessOnTimeIsBelieved() async throws {
        #expect(try await play([("broken", .milliseconds(20))]).limits == [.seconds(1)])
        #expect(try await play([(nil, .seconds(9))]).limits == [.seconds(1)])
    }

    @Test func aLateOnePlaysAgainWithMoreTime() async throws {
        let played = try await play([("broken", .seconds(1)), (nil, .seconds(1))])
        #expect(played.limits == [.seconds(1), .seconds(4)])
        #expect(played.extensions == [.seconds(4)])
        #expect(played.result == 2)
        // And a failure that is seen on time stands.
        #expect(try await play([("broken", .seconds(1)), ("broken", .zero)]).result == 2)
    }

    @Test(arguments: [Outcome.internalError, .stacksDisagree, .readingsDisagree])
    func noLackOfTimeMakesAProgramCrashOrLie(outcome: Outcome) async throws {
        #expect(try await play([("broken", .seconds(1))], outcome).limits == [.seconds(1)])
    }

    @Test func oneThatSaysSoItselfPlaysAgain() async throws {
        #expect(try await play([("broken", .zero), (nil, .zero)], .localOverload).result == 2)
    }

    @Test func itGivesUp() async throws {
        let late = (failure: String?("broken"), lost: Duration.seconds(1))
        #expect(try await play([late, late, late]).limits == [.seconds(1), .seconds(4), .seconds(16)])
        // Where time is the promise, more of it would be another.
        #expect(
            try await play([late, late, late], isAboutTime: true).limits == [.seconds(1), .seconds(1), .seconds(1)])
    }

    /// A library's thread that is busy gets its turn late, while the loops that sleep get theirs at once.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/schedstat"),
            "this kernel does not count what threads wait"))
    func aThreadThatWaitsForAProcessorIsLate() async throws {
        let crowd = Crowd()
        defer { crowd.goHome() }
        let (_, lost) = await Replay.measured {
            crowd.come(toWorkFor: .milliseconds(200))
            await crowd.isDone()
        }
        #expect(lost > .milliseconds(50))
    }

    @Test func theKernelsCountIsRead() {
        let times = ThreadWaits.times(in: "29000000 1500000000 19\n")
        #expect(times?.worked == .milliseconds(29) && times?.waited == .milliseconds(1500))
        #expect(ThreadWaits.times(in: "29000000 1500000000") == nil)
        #expect(ThreadWaits.times(in: "") == nil)
    }
}
