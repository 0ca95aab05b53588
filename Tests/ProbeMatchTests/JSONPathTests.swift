import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// Keys of any length cost a search no more than their bytes: the places of values are cut.
@Suite(.bounded) struct JSONPathTests {
    private static let record = #"{"certSHA256":"\#(String(repeating: "ab", count: 32))"}"#

    private static func block(_ text: String) -> InputBlock {
        InputBlock(input: "", form: .jsonLines, bytes: Array(text.utf8), line: 1, offset: 0, nextLine: 2)
    }

    private static func key(_ count: Int) -> String { String(repeating: "k", count: count) }

    @Test("a long key is not copied for each element under it") func longKey() {
        let records = Array(repeating: Self.record, count: 200).joined(separator: ",")
        let batch = Self.block(#"{"\#(Self.key(1 << 20))":[\#(records)]}"#).certificates
        let paths = batch.digested.compactMap(\.place.path)
        #expect(paths.count == 200 && paths.first == Self.key(256) + "…[0]")
        #expect(paths.allSatisfy { $0.utf8.count < 300 })
    }

    @Test("a path ends where it is long, and what is below it is found") func manyKeys() {
        let opening = String(repeating: #"{"\#(Self.key(200))":"#, count: 40)
        let batch = Self.block(opening + Self.record + String(repeating: "}", count: 40)).certificates
        let paths = batch.digested.compactMap(\.place.path)
        #expect(paths.count == 1 && paths.allSatisfy { (1024..<1300).contains($0.utf8.count) })
    }

    @Test("a value that can't be decoded has a line, and no path") func undecoded() {
        let batch = Self.block(#"{"entries":[{"leaf_input":""}]}"#).certificates
        #expect(batch.undecoded == [CertificateBatch.Place(line: 1)])
    }

    @Test("a long key over many numbers takes as long as both apart") func numbers() {
        func time(_ key: Int) -> Duration {
            let numbers = String(repeating: "0,", count: 100_000)
            let block = Self.block(#"{"\#(Self.key(key))":[\#(numbers)0]}"#)
            return Stopwatch.processorTime { #expect(block.certificates.certificates.isEmpty) }
        }
        // A copy of the key for each number takes hundreds of times as long.
        #expect(time(4 << 20) < time(8) * 50)
    }
}
