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
        where path.hasSuffix(".swift") && !path.hasSuffix("BusyMachineTests.swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            for seconds in Self.waits(in: text) {
                #expect(seconds >= 600, "\(path) waits \(seconds) seconds for an event: make it 1500")
            }
        }
    }

    /// Returns the seconds after which a test file ends a program or a wait.
    static func waits(in text: String) -> [Int] {
        let program = text.matches(of: #/(?:timeout -s KILL|exec timeout|"KILL",) "?(\d+)[" ]/#).map(\.1)
        let alarm = text.matches(of: #/\balarm\((\d+)\)/#).map(\.1)
        let wait = text.matches(
            of: #/(?:(?:end|limit) = ContinuousClock\.now \+|patience(?:: Duration)? =) \.seconds\((\d+)\)/#
        ).map(\.1)
        return (program + alarm + wait).compactMap { Int($0) }
    }

    @Test(arguments: [
        ("timeout -s KILL 60 \"$0\" lab", [60]), ("exec timeout 30 unshare", [30]),
        (#"["-s", "KILL", "60", path]"#, [60]), ("alarm(5)", [5]),
        ("let end = ContinuousClock.now + .seconds(20)", [20]),
        ("private static let patience: Duration = .seconds(60)", [60]), ("var patience = .seconds(7)", [7]),
        ("within patience: Duration = .milliseconds(20)", []), ("let end = start + .seconds(20)", []),
    ])
    func aWaitIsFound(text: String, seconds: [Int]) {
        #expect(Self.waits(in: text) == seconds)
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
