import ProbeKit
import ProbeTestSupport
import ProbeTrust
import Testing

/// A bundle of anchors is read at each start: its lines are counted once, not once for each block.
@Suite(.bounded, .serialized) struct PEMReadingCostTests {
    private static func text(_ blocks: Int) -> [UInt8] {
        let line = String(repeating: "A", count: 64)
        let lines = ["-----BEGIN CERTIFICATE-----"] + Array(repeating: line, count: 20) + ["-----END CERTIFICATE-----"]
        return Array(String(repeating: lines.joined(separator: "\n") + "\n", count: blocks).utf8)
    }

    @Test("twelve times the blocks take about twelve times the work") func proportion() throws {
        func run(_ count: Int) throws -> Duration {
            let text = Self.text(count)
            return try Stopwatch.processorTime {
                let blocks = try PEMText.blocks(in: text, from: "f", remedy: "")
                #expect(blocks.count == count && blocks.last?.line == 1 + (count - 1) * 22)
            }
        }
        let base = try run(40)
        let more = try run(12 * 40)
        #expect(more < base * 20 + .milliseconds(50), "40 blocks took \(base), 480 \(more)")
    }

    @Test("a block that is broken is named by its line") func lines() throws {
        let good = String(decoding: Self.text(3), as: UTF8.self)
        for (rest, line) in [("-----BEGIN X-----\n", 68), ("\n\n-----BEGIN X-----\n-----END Y-----\n", 70)] {
            let error = #expect(throws: InputError.self) {
                try PEMText.blocks(in: Array((good + "\n" + rest).utf8), from: "f", remedy: "")
            }
            #expect(error?.message.contains("line \(line) ") == true, "\(error?.message ?? "")")
        }
    }
}
