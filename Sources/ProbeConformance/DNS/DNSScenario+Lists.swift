import ProbeKit
import ProbeLab

extension DNSScenario {
    /// Rules about the meaning of a TXT record's strings.
    static let lists: [DNSScenario] = items + comparison + strings + sizes + brokenRecords

    private static func records(
        _ id: String, _ sentence: String, source: String = "requirement 18", _ records: [[String]], _ expected: Outcome,
        model: String = "florida"
    ) -> DNSScenario {
        let answers = records.map { LabDNSRecord.txt($0.map { Array($0.utf8) }) }
        return DNSScenario(
            "lists/" + id, sentence, source: source, .reply(LabDNSMessage(answers: answers)), expected
        ).with { $0.model = model }
    }

    private static let items: [DNSScenario] = [
        records("listed", "A model among others is listed.", [["dc,florida,tampa,atlanta"]], .pass),
        records(
            "not-listed", "A model that is not among the items is not listed.", [["dc,florida,tampa,atlanta"]],
            .modelNotListed, model: "miami"),
        records("blanks", "Blanks around items do not count.", [[" dc , florida\t,tampa\r\n"]], .pass),
        records("prefix", "An item is not matched by its beginning.", [["dc,florida"]], .modelNotListed, model: "flor"),
        records("part", "An item is not matched by a part of it.", [["florida2,xflorida"]], .modelNotListed),
        records("empty-items", "Empty items do not count.", [[",,dc,,florida,"]], .pass),
        records("only-blanks", "A list of empty items is an empty list.", [[" , ,, "]], .modelNotListed),
        records("empty-string", "One empty string is an empty list.", [[""]], .modelNotListed),
        records("semicolon", "Only commas separate, not semicolons.", [["dc;florida"]], .modelNotListed),
        records("space", "Only commas separate, not spaces.", [["dc florida"]], .modelNotListed),
        records("backslash", "A backslash is a byte like any other.", [["dc\\,florida"]], .pass),
        records("quotes", "Quotation marks are bytes like any other.", [["\"florida\""]], .modelNotListed),
    ]

    private static let notUTF8 = Array("dc,".utf8) + [0xff, 0xfe] + Array(",florida".utf8)

    private static let comparison: [DNSScenario] = [
        records("uppercase-item", "Case of ASCII letters does not count.", [["DC,Florida"]], .pass),
        records("uppercase-model", "Nor does it in the model.", [["dc,florida"]], .pass, model: "FLORIDA"),
        records("dotted-i", "A dotted capital I is not an i.", [["flor\u{130}da"]], .modelNotListed),
        records("kelvin", "The kelvin sign is not a k.", [["\u{212a}erens"]], .modelNotListed, model: "kerens"),
        records("nul-elsewhere", "A NUL byte in another item does no harm.", [["dc\u{0}x,florida"]], .pass),
        records("nul", "A NUL byte does not end an item.", [["florida\u{0}"]], .modelNotListed),
        DNSScenario(
            "lists/bad-utf8", "Bytes that are not UTF-8 in another item do no harm, but for a warning.",
            source: "requirement 18", .answer(.txt(notUTF8)), .passWithWarnings),
        DNSScenario(
            "lists/bad-utf8-separate", "Read separately the string is passed over.", source: "requirement 17",
            .answer(.txt(notUTF8, Array("dc".utf8))), .modelNotListed
        ).with { $0.strings = .separate },
    ]

    private static let strings: [DNSScenario] =
        [
            records(
                "joined", "Strings are joined without a separator; a warning says that other clients may not do so.",
                source: "RFC 7208 3.3", [["dc,flor", "ida,tampa"]], .passWithWarnings),
            records(
                "comma-at-end", "A comma at a string's end makes both readings agree.", [["dc,", "florida"]], .pass),
            records("no-comma", "Two strings without a comma are one item.", [["dc", "florida"]], .modelNotListed),
            records("no-comma-separate", "Read separately they are two.", [["dc", "florida"]], .passWithWarnings)
                .with { $0.strings = .separate },
            records(
                "empty-between", "An empty string adds nothing; a warning says that it ends the list of some clients.",
                [["dc,", "", "florida"]], .passWithWarnings),
            records(
                "empty-between-separate", "Read separately it ends the record.", source: "requirement 17",
                [["dc,", "", "florida"]], .modelNotListed
            ).with { $0.strings = .separate },
            records("across-records", "Records are never joined.", [["dc,flor"], ["ida"]], .modelNotListed),
            records("duplicates", "The same record twice counts once.", [["dc,florida"], ["dc,florida"]], .pass),
            records(
                "string-of-255", "A string may be full.",
                [[String(repeating: "x", count: 247) + ",florida"]], .pass),
            records(
                "across-byte-255", "A model may straddle two strings.", source: "RFC 7208 3.3",
                [[String(repeating: "x", count: 250) + ",florida"]], .passWithWarnings),
        ] + several + rotations

    private static let several: [DNSScenario] = [
        records(
            "in-every-record", "A model that is in each of several records is listed, whichever a client looks at.",
            source: "requirement 17", [["dc,florida"], ["florida,tampa"]], .pass),
        records(
            "in-one-record", "One that is in one of two is listed, with a warning.", source: "requirement 17",
            [["dc,florida"], ["tampa"]], .passWithWarnings),
        records(
            "in-one-record-separate", "Read as the shipped app does, it is not listed: the app looks at either.",
            source: "requirement 17", [["dc,florida"], ["tampa"]], .modelNotListed
        ).with { $0.strings = .separate },
        records(
            "in-every-record-separate", "In each of them it is.", source: "requirement 17",
            [["dc,florida"], ["florida,tampa"]], .pass
        ).with { $0.strings = .separate },
    ]

    private static let rotations: [DNSScenario] = {
        let all = [["v=spf1 -all"], ["dc,florida"], ["houston"]]
        return (0..<3).map { shift in
            records(
                "three-records-\(shift + 1)",
                "Several records are united, in any order; a warning says that some clients look at one alone.",
                source: "RFC 1034 3.6", Array(all[shift...] + all[..<shift]), .passWithWarnings)
        }
    }()

    private static let sizes: [DNSScenario] =
        [600, 1150, 1300, 4200, 60_000].flatMap { size in
            let list = LabModelList.strings(bytes: size)
            return [
                records("bytes-\(size)", "A list of \(size) bytes is read to its end.", [list + ["florida"]], .pass),
                records("bytes-\(size)-without", "Without the model it is not listed.", [list], .modelNotListed),
            ]
        } + [
            records(
                "forty-records", "The last of forty records counts.",
                (0..<39).map { ["model\($0)," + String(repeating: "x", count: 40)] } + [["florida"]], .passWithWarnings),
            records(
                "many-strings", "A record may have more strings than any list needs.", source: "RFC 1035 3.3.14",
                [[String](repeating: "a,", count: 1100) + ["florida"]], .pass
            ).except(
                "ldns", .dnsIndeterminate, code: "stack-not-asked",
                because: "Its time grows with the square of a record's strings, so it is not given more than 1024."),
        ]

    private static func broken(_ id: String, _ sentence: String, _ records: LabDNSRecord...) -> DNSScenario {
        DNSScenario(
            "lists/" + id, sentence, source: "RFC 1035 3.3.14", .reply(LabDNSMessage(answers: records)),
            .dnsIndeterminate, code: "malformed")
    }

    private static let brokenRecords: [DNSScenario] = [
        broken("no-string", "A TXT record holds at least one string.", LabDNSRecord(type: 16, data: [])),
        broken(
            "no-string-beside", "A broken record spoils the reply, whatever stands beside it.",
            .txt("dc,florida"), LabDNSRecord(type: 16, data: [])),
        broken(
            "overrun", "A string ends within its record.", LabDNSRecord(type: 16, data: [20] + Array("florida".utf8))),
        broken(
            "underfill", "Strings fill their record.",
            LabDNSRecord(type: 16, data: [7] + Array("florida".utf8) + [3, 0x64])),
    ]
}

/// Allow-lists of a given size, for servers of every kind.
public enum LabModelList: Sendable {
    /// Strings that together have at most `bytes` bytes and end with a comma each, so that all readings agree. The items
    /// are `model00001` and so on.
    public static func strings(bytes: Int) -> [String] {
        let items = (0..<bytes / 11).map { number in
            let digits = String(number + 1)
            return "model" + String(repeating: "0", count: 5 - digits.count) + digits + ","
        }
        return stride(from: 0, to: items.count, by: 23).map { items[$0..<min($0 + 23, items.count)].joined() }
    }
}
