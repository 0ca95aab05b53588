import Foundation
import ProbeKit
import ProbePins
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// A search that goes on leaves out only what was searched to its end, and ends as one that did all at once.
@Suite(.bounded) struct EarlierSearchTests {
    private static func position(_ input: String, _ state: SearchPosition.State, offset: Int = 0) -> SearchPosition {
        SearchPosition(input: input, certificates: 0, unreadable: 0, line: 1, offset: offset, state: state)
    }

    /// Searches as one run of the same command after another.
    private static func run(
        _ inputs: [String], _ pins: [Pin], after earlier: inout EarlierSearch
    ) async throws -> (tally: SearchTally, faults: [String]) {
        var (after, faults) = (earlier, [String]())
        var fresh: [FoundCertificate] = []
        let tally = try await PinSearch(pins, width: 1).run(inputs, after: earlier) { event in
            switch event {
            case .found(let certificate): fresh.append(certificate)
            case .unfinished(let fault): faults.append(fault.message)
            case .unreadable: break
            case .reached(let position):
                after.add(fresh, upTo: position)
                fresh = []
            }
        }
        earlier = after
        return (tally, faults)
    }

    @Test("names that differ only in how a letter is written are two files") func spellings() async throws {
        let (one, other) = ("caf\u{e9}.pem", "cafe\u{301}.pem")
        var earlier = EarlierSearch()
        earlier.add([], upTo: Self.position(one, .done))
        #expect(earlier.position(in: .init(path: one, isNamed: true)) == nil)
        #expect(earlier.position(in: .init(path: other, isNamed: true)) != nil)
        earlier.add([], upTo: Self.position(other, .open, offset: 5))
        #expect(earlier.position(in: .init(path: other, isNamed: true))?.offset == 5)

        let bench = try MatchBench(count: 6)
        let folder = try MatchFolder()
        _ = try folder.write(bench.pem(), one)
        _ = try folder.write(bench.pem(), other)
        // Apple's file system takes both for one name.
        guard try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2 else { return }
        let searched = await Searched([folder.path], bench.pins)
        #expect(searched.tally?.inputs == 2 && searched.found.count == 6)
        #expect(searched.found.first?.input.utf8.elementsEqual("\(folder.path)/\(other)".utf8) == true)
    }

    @Test("a file that was passed over in a folder is searched where it is named") func namedToo() async throws {
        let bench = try MatchBench(count: 2)
        let folder = try MatchFolder()
        let inputs = [folder.path, try folder.write(Array("hello".utf8), "t.txt")]
        var earlier = EarlierSearch()
        for _ in 0..<3 {
            let run = try await Self.run(inputs, bench.pins, after: &earlier)
            #expect(run.tally.passedOver == 1 && run.tally.unfinished == 1)
            #expect(run.faults.count == 1 && run.faults[0].contains("no certificates in a form"), "\(run.faults)")
        }
    }

    @Test("a long text without blocks is one each time, whatever was searched before", arguments: [false, true])
    func longTexts(isInFolder: Bool) async throws {
        let bench = try MatchBench(count: 2)
        let folder = try MatchFolder()
        let line = Array("2026-01-02 03:04:05 a server said something of no interest\n".utf8)
        let text = [[UInt8]](repeating: line, count: (9 << 20) / line.count).flatMap(\.self)
        let path = try folder.write(text, "t.txt")
        var earlier = EarlierSearch()
        earlier.add([], upTo: Self.position(path, .open, offset: 5 << 20))
        for _ in 0..<3 {
            let run = try await Self.run([isInFolder ? folder.path : path], bench.pins, after: &earlier)
            #expect(run.tally.inputs == 0, "\(run.faults)")
            #expect(run.tally.unfinished == (isInFolder ? 0 : 1) && run.tally.passedOver == (isInFolder ? 1 : 0))
        }
    }

    /// Chunks of a file have a megabyte.
    @Test("a mark across two chunks of what was searched before is seen") func markAcrossChunks() async throws {
        let bench = try MatchBench(count: 2)
        let folder = try MatchFolder()
        for before in [4, 6, 10] {
            let text = [UInt8](repeating: 0x0a, count: (2 << 20) - before)
            let block = Array("-----BEGIN NOTHING-----\n-----END NOTHING-----\n".utf8)
            let path = try folder.write(text + block + text, "t.txt")
            var earlier = EarlierSearch()
            // Of another block alone the file would have no certificates.
            earlier.add(
                [],
                upTo: SearchPosition(
                    input: path, certificates: 1, unreadable: 0, line: 1, offset: 3 << 20, state: .open))
            let run = try await Self.run([path], bench.pins, after: &earlier)
            #expect(run.tally.inputs == 1 && run.faults.isEmpty, "\(run.faults)")
        }
    }

    @Test("a file that was emptied is not one that was searched to its end") func emptied() async throws {
        let bench = try MatchBench(count: 2)
        let folder = try MatchFolder()
        let path = try folder.write([], "a.pem")
        var earlier = EarlierSearch()
        earlier.add([], upTo: Self.position(path, .open, offset: 5))
        let run = try await Self.run([path], bench.pins, after: &earlier)
        #expect(run.faults == ["\(path) is shorter than when it was searched"] && run.tally.unfinished == 1)
    }
}
