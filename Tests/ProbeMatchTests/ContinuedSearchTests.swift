import ProbeKit
import ProbePins
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// A search that was ended anywhere finds the same, in the same numbers, when another goes on after it.
@Suite struct ContinuedSearchTests {
    private struct Ended: Error {}

    /// The finds of a search that is ended at one of its positions, and then continued.
    private static func inTwo(
        _ inputs: [String], _ pins: [Pin], endingAt end: Int
    ) async throws -> (found: [FoundCertificate], tally: SearchTally?, positions: Int) {
        let search = PinSearch(pins, width: 1)
        var earlier = EarlierSearch()
        var found: [FoundCertificate] = []
        var fresh: [FoundCertificate] = []
        var positions = 0
        func take(_ event: PinSearch.Event) throws {
            switch event {
            case .found(let certificate): fresh.append(certificate)
            case .unreadable, .unfinished: break
            case .reached(let position):
                earlier.add(fresh, upTo: position)
                found += fresh
                fresh = []
                positions += 1
                if positions == end { throw Ended() }
            }
        }
        do {
            let tally = try await search.run(inputs) { try take($0) }
            return (found, tally, positions)
        } catch is Ended {
            // The finds after the last position are lost, and found anew.
            fresh = []
            let tally = try await search.run(inputs, after: earlier) { try take($0) }
            return (found, tally, positions)
        }
    }

    private static func places(_ found: [FoundCertificate]) -> [[Int]] {
        found.map { [$0.number, $0.line ?? 0, $0.offset ?? 0] }
    }

    @Test("nothing is lost and nothing twice", arguments: ["pem", "der", "lines"])
    func anywhere(_ form: String) async throws {
        let bench = try MatchBench(count: 40)
        let folder = try MatchFolder()
        let once =
            switch form {
            case "pem": bench.pem()
            case "der": bench.der
            default: bench.jsonLines
            }
        // Several pieces of four megabytes.
        let bytes = [[UInt8]](repeating: once, count: (10 << 20) / once.count + 1).flatMap(\.self)
        let inputs = [try folder.write(bytes, "many"), try folder.write(once, "few")]
        let whole = try await Self.inTwo(inputs, bench.pins, endingAt: 0)
        let tally = try #require(whole.tally)
        #expect(whole.positions >= 5 && whole.found.count == tally.matched && tally.matched > 100)
        for end in [1, whole.positions / 2, whole.positions - 1] {
            let parts = try await Self.inTwo(inputs, bench.pins, endingAt: end)
            let isSame = Self.places(parts.found) == Self.places(whole.found)
            #expect(isSame, "other places after the end at position \(end)")
            let both = try #require(parts.tally)
            #expect(both.inputs == 2 && both.certificates == tally.certificates && both.matched == tally.matched)
            #expect(both.pins.mapValues(\.count) == tally.pins.mapValues(\.count))
        }
    }

    @Test("a text whose only block is in what was searched before is not one without certificates") func longText()
        async throws
    {
        let bench = try MatchBench(count: 2)
        let folder = try MatchFolder()
        let line = Array("2026-01-02 03:04:05 a server said something of no interest\n".utf8)
        let rest = [[UInt8]](repeating: line, count: (10 << 20) / line.count).flatMap(\.self)
        let inputs = [try folder.write(rest.prefix(1 << 20) + bench.pem() + rest, "app.log")]
        let whole = try await Self.inTwo(inputs, bench.pins, endingAt: 0)
        #expect(whole.positions >= 3 && whole.tally?.unfinished == 0 && whole.tally?.matched == 2)
        for end in [1, whole.positions - 1] {
            let parts = try await Self.inTwo(inputs, bench.pins, endingAt: end)
            #expect(parts.tally?.unfinished == 0 && parts.tally?.matched == 2, "ended at position \(end)")
        }
    }

    @Test("a packed input is continued at its place in what it unpacks to") func packed() async throws {
        let bench = try MatchBench(count: 40)
        let folder = try MatchFolder()
        let once = bench.pem()
        let bytes = [[UInt8]](repeating: once, count: (10 << 20) / once.count + 1).flatMap(\.self)
        let packed = try PinSearchTests.gzip(try folder.write(bytes, "many"))
        let whole = try await Self.inTwo([packed], bench.pins, endingAt: 0)
        let parts = try await Self.inTwo([packed], bench.pins, endingAt: 2)
        let isSame = Self.places(parts.found) == Self.places(whole.found)
        #expect(isSame && parts.positions == whole.positions && parts.found.count > 100)
    }

    @Test("an input that became shorter is refused") func shorter() async throws {
        let bench = try MatchBench(count: 40)
        let folder = try MatchFolder()
        let input = try folder.write(bench.der, "fewer")
        var earlier = EarlierSearch()
        earlier.add(
            [],
            upTo: SearchPosition(
                input: input, certificates: 90, unreadable: 0, line: 1, offset: bench.der.count + 1, state: .open))
        var faults: [String] = []
        let tally = try await PinSearch(bench.pins).run([input], after: earlier) { event in
            if case .unfinished(let fault) = event { faults.append(fault.message) }
        }
        #expect(faults == ["\(input) is shorter than when it was searched"] && tally.unfinished == 1)
    }

    @Test(
        "an input that is cut short anywhere is searched to its end once it is whole",
        arguments: ["pem", "der", "lines", "entries", "pretty", "tile"])
    func cutShort(_ form: String) async throws {
        let bench = try MatchBench(count: 3)
        let folder = try MatchFolder()
        let whole =
            switch form {
            case "pem": bench.pem()
            case "der": bench.der
            case "lines": bench.jsonLines
            case "entries": bench.entries(pretty: false)
            case "pretty": bench.entries(pretty: true)
            default: bench.tile
            }
        // The last byte may be a line feed, which does not belong to a value.
        for missing in [2, 3, 4, 5, 8, 13, 21, 34, 60] {
            let input = try folder.write(whole.dropLast(missing), form)
            var earlier = EarlierSearch()
            var (faults, unreadable) = ([String](), 0)
            let first = try await PinSearch(bench.pins, width: 1).run([input]) { event in
                switch event {
                case .unfinished(let fault): faults.append(fault.message)
                case .unreadable: unreadable += 1
                case .reached(let position): earlier.add([], upTo: position)
                case .found: break
                }
            }
            #expect(first.unfinished == 1 && unreadable == 0, "without \(missing): \(faults)")
            #expect(faults.count == 1 && faults.allSatisfy { $0.contains("that is cut short") }, "\(faults)")
            _ = try folder.write(whole, form)
            let second = try await PinSearch(bench.pins).run([input], after: earlier) { _ in }
            #expect(second.certificates == 3 && second.unfinished == 0 && second.unreadable == 0)
        }
    }

    @Test("a first line that goes on is the beginning of a text") func cutFirstLine() async throws {
        let bench = try MatchBench(count: 1)
        let folder = try MatchFolder()
        for (text, fault) in [
            ("{\"a\": [\n", "a text"), ("{\"list\":\n[\n{\"x\":1}\n,\n{\"x\"", "a text"),
            ("{\"list\": [\n{\"x\":1},\n{\"x\":2}", "a text"), ("{\"a\":\n{\"x\":1}\n", "a text"),
            ("{\"a\": [", "a last line"), ("{\"a\": []}\n{\"b\": \"c", "a last line"),
        ] {
            let searched = await Searched([try folder.write(Array(text.utf8), "a.json")], bench.pins)
            #expect(searched.error?.message.contains("has \(fault) that is cut short") == true, "\(text)")
            #expect(searched.unreadable.isEmpty && searched.tally?.unfinished == 1)
        }
    }

    @Test("a record that was cut short takes nothing from those that follow it") func tornRecords() async throws {
        let bench = try MatchBench(count: 1)
        let folder = try MatchFolder()
        let whole = "{\"certificate\": \"\(Base64.encode(bench.certificates[0]))\"}\n"
        let torn = "{\"certificate\": \"MIIB\n"
        for (text, count) in [
            (torn + whole, 1), (torn + whole + torn + whole, 2), (torn + whole.dropLast(), 1),
            ("{\"schema\": \"probe/1\",\n" + whole, 1), ("{\"chain\": [\"MIIB\n" + whole, 1),
        ] {
            let searched = await Searched([try folder.write(Array(text.utf8), "a.json")], bench.pins)
            #expect(searched.error == nil && searched.found.count == count, "\(text.count)")
            #expect(searched.unreadable.count == count)
        }
    }

    @Test("a mark of PEM that is cut in two is not the text after a block") func cutMarks() async throws {
        let bench = try MatchBench(count: 1)
        let folder = try MatchFolder()
        for mark in [
            "-----B", "-----BEGIN ", "-----BEGIN CERTIF", "-----BEGIN CERTIFICATE--", "-----BEGIN CERTIFICATE-----",
        ] {
            let searched = await Searched([try folder.write(bench.pem() + Array(mark.utf8), "a.pem")], bench.pins)
            #expect(searched.error?.message.contains("a last block that is cut short") == true, "\(mark)")
        }
        for text in ["-----", "-----BEGIN CERTIFICATES", "-----BEGIN PRIVATE KE", "begin", "-----BEGIN CERTIFICATE\n"] {
            let searched = await Searched([try folder.write(bench.pem() + Array(text.utf8), "a.pem")], bench.pins)
            #expect(searched.error == nil, "\(text)")
        }
    }

    @Test("an input with a fault goes on at its own place, whatever was searched after it") func faultBetween()
        async throws
    {
        let bench = try MatchBench(count: 40)
        let folder = try MatchFolder()
        let once = bench.der
        let many = [[UInt8]](repeating: once, count: (6 << 20) / once.count + 1).flatMap(\.self)
        let inputs = [try folder.write(many + [0x31, 1, 2], "a"), try folder.write(once, "b")]
        var earlier = EarlierSearch()
        var fresh: [FoundCertificate] = []
        let first = try await PinSearch(bench.pins, width: 1).run(inputs) { event in
            switch event {
            case .found(let certificate): fresh.append(certificate)
            case .reached(let position):
                earlier.add(fresh, upTo: position)
                fresh = []
            case .unreadable, .unfinished: break
            }
        }
        #expect(fresh.isEmpty && first.unfinished == 1 && first.inputs == 1 && first.matched > 3)
        // The fault was mended, and what was searched before it is not searched again.
        _ = try folder.write(many, "a")
        let second = try await PinSearch(bench.pins).run(inputs, after: earlier) { event in
            if case .found(let certificate) = event { fresh.append(certificate) }
        }
        #expect(fresh.isEmpty && second.unfinished == 0 && second.inputs == 2)
        #expect(second.matched == first.matched && second.certificates == first.certificates)
    }
}
