import Foundation
import ProbeTestSupport
import Testing

/// Tests hold on a busy machine: none says how little time may pass by the clock on the wall.
@Suite struct BusyMachineTests {
    /// Returns the upper bounds of a test file that are not held against a `Stopwatch`.
    static func bounds(in text: String) -> [String] {
        let measured = Set(
            text.matches(of: #/(\w+)(?:: \w+)? = (?:try )?(?:await )?(?:\w+\.)*ContinuousClock\(\)\.measure/#).map(\.1))
        return text.split(separator: "\n").filter { line in
            guard line.contains("#expect("), line.contains(#/ <=? \.(?:milli)?seconds\(/#) else { return false }
            if line.contains(#/duration\(to: \.now\) <|\.now - \w+ <|ContinuousClock\(\)/#) { return true }
            return line.firstMatch(of: #/[^.\w](\w+) <=? \./#).map { measured.contains($0.1) } ?? false
        }.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func upperBoundsAreHeldAgainstAStopwatch() throws {
        let tests = SourceTree.root.appending(path: "Tests")
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path).sorted()
        where path.hasSuffix(".swift") && !path.hasSuffix("BusyMachineTests.swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            #expect(Self.bounds(in: text) == [], "\(path) holds wall time against a bound: use Stopwatch")
        }
    }

    /// A `timeLimit` runs from when all tests are begun, and a run of them all takes three quarters of an hour beside a load of 16.
    /// A bounded test has half an hour from when it runs. The guides are a run of their own.
    @Test func limitsLeaveTimeForAllTheOthers() throws {
        let tests = SourceTree.root.appending(path: "Tests")
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path).sorted()
        where path.hasSuffix(".swift") && !path.hasPrefix("GuideTests/") && !path.hasSuffix("BusyMachineTests.swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            #expect(
                !text.contains(".timeLimit("), "\(path) has a limit that counts the time of all others: use .bounded")
        }
    }

    @Test func theTimeOfABoundedTestIsBounded() async throws {
        try await withKnownIssue {
            try await BoundedTrait(limit: .milliseconds(1)).run { try await Task.sleep(for: .seconds(3600)) }
        } matching: {
            $0.comments.map(\.rawValue) == ["it took longer than 0.001 seconds"]
        }
        await #expect(throws: CocoaError.self) {
            try await BoundedTrait().run { throw CocoaError(.featureUnsupported) }
        }
    }

    /// The same holds for the deadline of a request that has to be answered. A short one is a subject of its test.
    @Test func deadlinesLeaveTimeForAllTheOthers() throws {
        let tests = SourceTree.root.appending(path: "Tests")
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path).sorted()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            for limit in text.matches(of: #/\.after\(\.seconds\((\d+)\)\)/#) {
                let seconds = Int(limit.1) ?? 0
                #expect(seconds < 10 || seconds >= 300, "\(path) has a deadline of \(seconds) seconds: make it 1800")
            }
        }
    }

    /// Limits that end a program that hangs, or a wait for an event, are no test of its time.
    @Test func whatEndsAWaitLeavesTimeForAllTheOthers() throws {
        let tests = SourceTree.root.appending(path: "Tests")
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path).sorted()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            let limits = text.matches(
                of:
                    #/(?:timeout -s KILL|exec timeout) (\d+) |\balarm\((\d+)\)|(?:end|limit) = ContinuousClock\.now \+ \.seconds\((\d+)\)/#
            )
            for limit in limits {
                let seconds = Int(limit.1 ?? limit.2 ?? limit.3 ?? "") ?? 0
                #expect(seconds >= 600, "\(path) waits \(seconds) seconds for an event: make it 1500")
            }
        }
    }

    @Test(arguments: [
        ("#expect(start.duration(to: .now) < .seconds(2))", 1),
        ("#expect(clock.now - began < .seconds(2))", 1),
        ("let took = try await ContinuousClock().measure {}\n#expect(took < .seconds(2))", 1),
        ("let took = try await ContinuousClock().measure {}\n#expect(took >= .seconds(2))", 0),
        ("let took = try await Stopwatch.measure {}\n#expect(took < .seconds(2))", 0),
        ("#expect(watch.elapsed < .seconds(2))", 0),
    ])
    func aBoundIsFound(text: String, count: Int) {
        #expect(Self.bounds(in: text).count == count)
    }
}
