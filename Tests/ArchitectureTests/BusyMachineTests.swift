import Foundation
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

    /// A test's time runs from when all are begun, and a run of them all takes ten minutes where the machine is busy.
    @Test func limitsLeaveTimeForAllTheOthers() throws {
        let tests = SourceTree.root.appending(path: "Tests")
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path).sorted()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            for limit in text.matches(of: #/\.timeLimit\(\.minutes\((\d+)\)\)/#) {
                #expect(Int(limit.1) ?? 0 >= 30, "\(path) leaves a test \(limit.1) minutes: make it 30")
            }
        }
    }

    /// The same holds for the deadline of what has to be answered. A short one is a subject of its test.
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
