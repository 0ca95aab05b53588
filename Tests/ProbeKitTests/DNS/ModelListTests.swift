import ProbeKit
import ProbeTestSupport
import Testing

@Suite struct ModelListTests {
    private func list(_ records: [[String]], _ strings: TXTStrings = .joined) throws -> ModelList {
        let owner = try DNSName("models.test")
        let texts = records.map { TXTRecord(owner: owner, ttl: 60, strings: $0.map { Array($0.utf8) }) }
        return ModelList(records: texts, strings: strings)
    }

    private func items(_ records: [[String]], _ strings: TXTStrings = .joined) throws -> [String] {
        try list(records, strings).items.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("[R18] items are trimmed, compared without case, and once") func itemsAreTrimmedFoldedAndOnce() throws {
        #expect(try items([[" DC\t,, florida\r\n, dc ,"]]) == ["dc", "florida"])
        #expect(try items([[" , "], [""]]) == [])
        #expect(try items([["a b"]]) == ["a b"])
        // Only the four blanks of the definition are trimmed.
        #expect(try items([["\u{b}dc\u{a0}"]]) == ["\u{b}dc\u{a0}"])
    }

    @Test func stringsJoinedAndSeparate() throws {
        #expect(try items([["dc,flor", "ida"]]) == ["dc", "florida"])
        #expect(try items([["dc,flor", "ida"]], .separate) == ["dc", "flor", "ida"])
        #expect(try items([["dc"], ["florida"]]) == ["dc", "florida"])
    }

    @Test func theReadingsDifferOnlyWithoutACommaBetween() throws {
        #expect(try list([["dc", "florida"]]).dependsOnStrings)
        #expect(try list([["dc", "florida"]], .separate).dependsOnStrings)
        #expect(try !list([["dc,", "florida"]]).dependsOnStrings)
        #expect(try !list([["dc", ",florida"]]).dependsOnStrings)
        #expect(try !list([["dc"], ["florida"]]).dependsOnStrings)
    }

    @Test func anEmptyStringEndsARecord() throws {
        let trap = [["dc,florida,", "", "tampa,atlanta"], ["visby"]]
        #expect(try items(trap) == ["dc", "florida", "tampa", "atlanta", "visby"])
        #expect(try items(trap, .separate) == ["dc", "florida", "visby"])
        #expect(try list(trap).dependsOnStrings)
        #expect(try list(trap, .separate).dependsOnStrings)
        #expect(try items([["", "dc"]], .separate) == [])
        #expect(try !list([["dc,", ""]]).dependsOnStrings)
    }

    @Test func badUTF8IsPassedOver() throws {
        let strings = [Array("dc,".utf8), [0x74, 0xff, 0x2c, 0x78], Array("florida".utf8)]
        let record = TXTRecord(owner: try DNSName("models.test"), ttl: 60, strings: strings)
        let (joined, separate) = (ModelList(records: [record]), ModelList(records: [record], strings: .separate))
        #expect(joined.items == [Array("dc".utf8), [0x74, 0xff], Array("xflorida".utf8)])
        #expect(separate.items == [Array("dc".utf8), Array("florida".utf8)])
        #expect(joined.dependsOnStrings && separate.dependsOnStrings)
    }

    @Test func theOrderOfRecordsDoesNotCount() throws {
        var random = SplitMix(state: 7)
        let model = try ModelName("florida")
        var records = [["v=spf1 -all"], ["dc,florida"], ["houston"], ["tampa,", "atlanta"]]
        for _ in 0..<100 {
            records.shuffle(using: &random)
            #expect(try list(records).contains(model))
        }
    }

    @Test(arguments: ["", "a,b", "a b", " florida", "florida\n", "flor\u{131}da", "caf\u{e9}", "a\u{0}b", "\t"])
    func badModelNamesAreRefused(_ text: String) {
        #expect(throws: InputError.self) { () throws in try ModelName(text) }
    }

    @Test func modelNamesIgnoreASCIICase() throws {
        #expect(try ModelName("FloRida") == ModelName("florida"))
        #expect(try list([["FLORIDA"]]).contains(ModelName("Florida")))
    }
}
