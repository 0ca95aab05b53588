import Foundation
import ProbeTestSupport
import Testing

/// Upper bounds fail where they should: a stopwatch counts whatever the measured code does meanwhile.
@Suite struct StopwatchTests {
    @Test func timePassesWhileEveryThreadOfSwiftIsOccupied() async {
        let watch = Stopwatch()
        await withTaskGroup { group in
            for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask { Self.occupy(watch) }
            }
        }
        #expect(watch.elapsed >= .milliseconds(100))
    }

    /// Keeps a thread until five turns have passed, or for 400 shorter ones.
    private static func occupy(_ watch: Stopwatch) {
        for _ in 0..<400 where watch.elapsed < .milliseconds(100) { Thread.sleep(forTimeInterval: 0.005) }
    }

    /// A task that waited may go on in another thread.
    @Test func theWorkOfATaskIsCountedOnBothSidesOfAWait() async throws {
        let work = Duration.milliseconds(50)
        let time = try await Stopwatch.processorTimeOfTask {
            Crowd.work(for: work)
            try await Task.sleep(for: .milliseconds(1))
            Crowd.work(for: work)
        }
        #expect(time >= work * 2)
    }

    @Test func waitingTakesNoProcessorTime() async throws {
        let pause = Duration.milliseconds(300)
        let time = try await Stopwatch.processorTimeOfTask { try await Task.sleep(for: pause) }
        #expect(time < pause)
    }
}
