import Testing

@testable import ProbeTrust

/// The charge for reading bytes, by hand: 10 units, one for each 50 bytes, and each element by its kind.
@Suite struct ReadingCostTests {
    private func units(_ der: [UInt8], limit: Int = .max) -> Int { ReadingCost.units(of: der, limit: limit) }

    /// Content that is no element.
    private static let opaque: [UInt8] = [0x02, 0x7f, 0]

    @Test func bytesCostWhateverTheyAre() {
        for (count, expected) in [(0, 10), (2, 10), (49, 10), (50, 11), (99, 11), (100, 12), (5000, 110)] {
            #expect(units([UInt8](repeating: 0xff, count: count)) == expected, "\(count)")
        }
    }

    private static let elements: [(der: [UInt8], units: Int, reason: Comment)] = [
        ([0x01, 3] + opaque, 1, "a boolean"), ([0x02, 3] + opaque, 1, "a number"), ([0x03, 3] + opaque, 1, "bits"),
        ([0x04, 3] + opaque, 1, "an octet string"), ([0x05, 0], 1, "null"), ([0x06, 3] + opaque, 1, "an identifier"),
        ([0x0a, 3] + opaque, 1, "an enumeration"), ([0x17, 3] + opaque, 1, "a time"),
        ([0x18, 3] + opaque, 1, "a time"),
        ([0x07, 3] + opaque, 2, "text"), ([0x09, 3] + opaque, 2, "text"), ([0x0b, 3] + opaque, 2, "text"),
        ([0x0c, 2, 1, 1], 1, "short text"), ([0x0c, 3] + opaque, 2, "a third of text's bytes"),
        ([0x16, 3] + opaque, 2, "text"), ([0x19, 3] + opaque, 2, "text"), ([0x1e, 6] + opaque + opaque, 3, "text"),
        ([0x00, 3] + opaque, 2, "text"), ([0x20, 3] + opaque, 1, "constructed, and no text"),
        ([0x80, 0], 2, "a name"), ([0x82, 19] + [UInt8](repeating: 0x61, count: 19), 2, "a short name"),
        ([0x82, 20] + [UInt8](repeating: 0x61, count: 20), 3, "a name by its bytes"),
        ([0x9e, 20] + [UInt8](repeating: 0x61, count: 20), 3, "a name by its bytes"),
        ([0x7e, 20] + [UInt8](repeating: 0xff, count: 20), 1, "of another class"),
        ([0xa0, 20] + [UInt8](repeating: 0xff, count: 20), 1, "explicitly tagged"),
        ([0x30, 0], 1, "an empty sequence"), ([0x30, 2, 5, 0], 2, "what is in a sequence"),
        ([0x31, 4, 5, 0, 5, 0], 3, "what is in a set"), ([0xa3, 2, 5, 0], 2, "what is tagged"),
        ([0x04, 2, 5, 0], 2, "an extension in its octet string"), ([0x03, 2, 5, 0], 1, "bits have no elements"),
        ([0x0c, 2, 5, 0], 1, "text has no elements"), ([5, 0, 0x0c, 3] + opaque, 3, "one after another"),
        ([0x30, 2, 5, 0, 5, 0], 3, "after a sequence"), ([5, 0, 5], 1, "an end without a length"),
    ]

    @Test(arguments: elements) func anElementCostsByItsKind(der: [UInt8], units: Int, reason: Comment) {
        #expect(self.units(der) == 10 + units, reason)
    }

    private static let headers: [(der: [UInt8], units: Int, reason: Comment)] = [
        ([0x0c], 0, "no length"), ([0x0c, 0], 1, "no content"), ([0x0c, 1], 0, "cut content"),
        ([0x0c, 1, 0], 1, "whole"),
        ([0x0c, 0x81, 3] + opaque, 2, "a length of one byte"), ([0x0c, 0x82, 0, 3] + opaque, 2, "of two"),
        ([0x0c, 0x83, 0, 0, 3] + opaque, 2, "of three"), ([0x0c, 0x84, 0, 0, 0, 3] + opaque, 2, "of four"),
        ([0x0c, 0x85, 0, 0, 0, 0, 3] + opaque, 0, "of five"), ([0x0c, 0x80] + opaque, 0, "an indefinite one"),
        ([0x0c, 0x81], 0, "a cut length"), ([0x0c, 0x82, 0], 0, "a cut length"), ([0x0c, 0x81, 0], 1, "a zero"),
        ([0x0c, 0x82, 1, 0] + [UInt8](repeating: 1, count: 256), 86, "the first byte is the highest"),
        ([0x1f, 1, 3] + opaque, 2, "a tag of two bytes"), ([0x1f, 0x81, 1, 3] + opaque, 2, "a tag of three"),
        ([0x1f, 0x81, 0x81, 1, 3] + opaque, 2, "a tag of four"), ([0x1f, 1], 0, "a long tag without a length"),
        ([0x1f, 0x81, 1], 0, "a long tag without a length"), ([0x1f, 0x81], 0, "a cut tag"), ([0x1f], 0, "a cut tag"),
        ([0x9f, 1, 0], 2, "a long tag of a name"),
    ]

    @Test(arguments: headers) func whatTheParserCanNotReadIsNotCharged(der: [UInt8], units: Int, reason: Comment) {
        // Bytes of their own for the longest of them.
        #expect(self.units(der) == 10 + der.count / 50 + units, reason)
    }

    /// Nested deeper than the parser follows, elements cost nothing more.
    @Test func depthEnds() {
        for (depth, expected) in [(63, 63), (64, 64), (65, 65), (66, 65), (80, 65)] {
            var der: [UInt8] = []
            for _ in 0..<depth { der = EditableDER(0x04, bytes: der).encoded }
            #expect(units(der) == 10 + der.count / 50 + expected, "\(depth)")
        }
    }

    /// Beyond the limit nothing is counted; up to it everything is.
    @Test func countingEndsAboveTheLimit() {
        let twenty = [[UInt8]](repeating: [5, 0], count: 20).flatMap(\.self)
        for (limit, expected) in [(9, 10), (10, 11), (15, 16), (29, 30), (30, 30), (100, 30)] {
            #expect(units(twenty, limit: limit) == expected, "\(limit)")
        }
    }

    // MARK: The budget

    @Test func aBudgetIsSpentToItsLastUnit() {
        var budget = SearchBudget(units: 10)
        let steps = [10, 0, 1, 0].map { (budget.spend($0), budget.isSpent, budget.remaining) }
        #expect(steps.map(\.0) == [true, true, false, false])
        #expect(steps.map(\.1) == [false, false, true, true])
        #expect(steps.map(\.2) == [0, 0, 0, 0])
    }

    /// A tenth of a second of work for a chain, half of it for what is shown.
    @Test func aUnitIsAMicrosecond() {
        #expect(SearchBudget().remaining == 100_000)
        #expect(SearchBudget(units: SearchBudget.forDetails).remaining == 50_000)
    }

    @Test func readingIsCharged() {
        var budget = SearchBudget(units: 25)
        let steps = [[5, 0], [5, 0, 5, 0], [5, 0]].map { (budget.spend(reading: $0), budget.remaining) }
        #expect(steps.map(\.0) == [true, true, false])
        #expect(steps.map(\.1) == [14, 2, 0])
    }
}
