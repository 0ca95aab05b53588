import Foundation
import ProbeKit
import ProbeLab
import Testing

@Suite struct RFC3339Tests {
    /// Foundation's own form, for instants of all years that it can be compared in.
    @Test func instantsAreWrittenAsFoundationWritesThem() {
        var numbers = SeededNumbers(seed: 3)
        let edges: [Double] = [
            0, -1, -0.5, 0.999, 951_782_399, 951_782_400, 4_107_542_399, 253_402_300_799, 253_402_300_799.9,
            253_402_300_800, -62_135_596_800,
        ]
        for seconds in edges + (0..<2000).map({ _ in Double(numbers.below(253_402_300_800_000)) / 1000 }) {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(RFC3339.format(date) == date.formatted(Date.ISO8601FormatStyle()), "\(seconds)")
        }
    }
}
