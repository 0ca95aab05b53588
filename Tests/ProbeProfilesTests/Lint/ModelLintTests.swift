import ProbeDNS
import ProbeKit
import ProbePins
import ProbePlatform
import ProbeProfiles
import Testing

/// Rules about the registry of models and the published list.
@Suite struct ModelLintTests {
    private static let rows = [
        "{name: stjohns, from: 2025-07-22, until: 2025-08-20}", "{name: dc, from: 2025-07-27}",
        "{name: florida, from: 2025-08-24}", "{name: tampa, from: 2025-08-31}", "{name: atlanta, from: 2025-10-05}",
    ]

    private static func profile(_ rows: [String], model: String = "atlanta") -> String {
        "models: [{model: \(model), hosts: [models.example], registry: [\(rows.joined(separator: ", "))]}]"
    }

    /// Returns the findings for a list of records, as dig prints them.
    private func findings(
        _ records: String..., rows: [String] = rows, model: String = "atlanta", at instant: String = Linted.now
    ) throws -> [LintFinding] {
        let owner = try DNSName("models.example")
        let list = ModelList(
            records: try records.map {
                TXTRecord(owner: owner, ttl: 60, strings: try MasterFileStrings.parse($0))
            })
        let facts = LintFacts(lists: records.isEmpty ? [:] : [0: .listed(list)])
        return try Linted.findings(Self.profile(rows, model: model), at: instant, facts: facts)
    }

    @Test("a DNS server's only pin locks its clients out with its next key", arguments: [1, 2]) func serverPins(
        count: Int
    ) throws {
        let pins = (0..<count).map { "\"spki:sha256:\(PinDigest.sha256(of: [UInt8($0)]).base64)\"" }
            .joined(separator: ", ")
        let found = try Linted.findings(
            "models: [{model: dc, hosts: [a.example], servers: [\"tls://dns.example\"], serverPins: [\(pins)]}]")
        let paths = found.filter { $0.code == "no-backup-pin" }.map(\.path)
        #expect(paths == (count == 1 ? ["models[0].serverPins"] : []))
    }

    @Test("[R37] the published list is the ongoing rows") func liveList() throws {
        #expect(try findings("\"dc,florida,tampa,atlanta\"").isEmpty)
        let missing = try findings("\"dc,tampa,atlanta\"")
        #expect(missing.map(\.code) == ["ongoing-model-unlisted"])
        #expect(missing.map(\.path) == ["models[0].registry[2]"])
        #expect(try findings("\"dc,florida,tampa,atlanta,paris\"").map(\.code) == ["listed-model-unregistered"])
        #expect(try findings("\"dc,florida,tampa,atlanta,stjohns\"").map(\.code) == ["retired-model-listed"])
        #expect(
            try findings("\"dc,florida,tampa,atlanta,stjohns\"", at: "2025-08-20T23:59:59Z").map(\.code)
                .contains("retired-model-listed") == false, "its last second")
    }

    @Test("[R35] a name that was used before") func reuse() throws {
        let reused = try findings(rows: Self.rows + ["{name: STJOHNS, from: 2026-02-01}"])
        #expect(reused.map(\.code) == ["model-name-reused"])
        #expect(reused.map(\.severity) == [.error])
        #expect(try findings().isEmpty)
    }

    @Test("[R36] periods may overlap, and end after they begin") func periods() throws {
        #expect(try findings(rows: Self.rows + ["{name: paris, from: 2025-08-01, until: 2026-12-01}"]).isEmpty)
        #expect(
            try findings(rows: Self.rows + ["{name: paris, from: 2025-08-01, until: 2025-07-01}"]).map(\.code)
                == ["model-ends-before-it-begins"])
    }

    @Test("[R38] the build's own model is registered, valid and published first") func embedded() throws {
        #expect(try findings(model: "paris").map(\.code) == ["model-not-registered"])
        #expect(try findings(model: "stjohns").map(\.code) == ["model-retired"])
        #expect(try findings("\"dc,florida,tampa\"").map(\.code) == ["model-not-published"])
        let planned = Self.rows + ["{name: paris, from: 2026-06-01}"]
        #expect(
            try findings("\"dc,florida,tampa,atlanta,paris\"", rows: planned, model: "paris").isEmpty, "published early"
        )
        #expect(
            try findings("\"dc,florida,tampa,atlanta\"", rows: planned, model: "paris").map(\.code)
                == ["model-not-published"])
        #expect(try findings(rows: []).map(\.code) == ["no-model-registry"])
    }

    @Test(
        "[R34] sizes at which a list gets into trouble",
        arguments: [
            // The name models.example makes a reply of 32 bytes and 12 a record, and a byte a string; EDNS0 takes 11.
            (255, []), (256, ["list-needs-strings"]), (450, ["list-needs-strings"]),
            (451, ["list-needs-strings", "list-long"]), (466, ["list-needs-strings", "list-long"]),
            (467, ["list-needs-strings", "list-long", "list-needs-edns"]),
            (1172, ["list-needs-strings", "list-long", "list-needs-edns"]),
            (1173, ["list-needs-strings", "list-long", "list-needs-tcp"]),
        ] as [(Int, [String])])
    func sizes(_ bytes: Int, _ expected: [String]) throws {
        let text = String(repeating: "x", count: bytes)
        var strings: [String] = []
        for start in stride(from: 0, to: bytes, by: 255) { strings.append("\"\(text.dropFirst(start).prefix(255))\"") }
        let codes = Set(try findings(strings.joined(separator: " ")).map(\.code).filter { $0.hasPrefix("list-") })
        #expect(codes == Set(expected))
    }

    /// Without a live list the registry's own size counts.
    @Test func plannedSize() throws {
        func codes(_ count: Int) throws -> [String] {
            let more = (0..<count).map { "{name: model-\($0 + 100), from: 2026-01-01}" }
            return try findings(rows: Self.rows + more).map(\.code)
        }
        #expect(try codes(20).isEmpty)
        #expect(try codes(24) == ["list-needs-strings"])
        #expect(try codes(45).contains("list-long"))
    }

    @Test func stringsAndHabits() throws {
        let cut = try findings("\"dc,florida,tam\" \"pa,atlanta\"")
        #expect(cut.map(\.code) == ["token-cut"])
        #expect(cut[0].severity == .error)
        #expect(cut[0].message.contains("'tampa'"))
        #expect(try findings("\"dc,florida,\" \"tampa,atlanta\"").isEmpty)
        let ended = try findings("\"dc,florida,\" \"\" \"tampa,atlanta\"")
        #expect(ended.map(\.code) == ["token-cut"])
        #expect(ended[0].severity == .error)
        #expect(try findings("\"dc,,florida,tampa,atlanta\"").map(\.code) == ["empty-item"])
        #expect(try findings("\"dc, florida,tampa,atlanta\"").map(\.code) == ["blank-in-list"])
        #expect(try findings("\"dc,Florida,tampa,atlanta\"").map(\.code) == ["uppercase-item"])
        #expect(try findings("\"dc,florida\"", "\"tampa,atlanta\"").map(\.code) == ["several-records"])
    }

    /// The check looks at each record alone with the shipped app's rules, and refuses a model that one of them lacks.
    @Test func modelsThatSomeRecordsLack() throws {
        let owner = try DNSName("models.example")
        func findings(_ texts: [String], _ strings: TXTStrings, rows: [String]) throws -> [LintFinding] {
            let records = texts.map { TXTRecord(owner: owner, ttl: 60, strings: [Array($0.utf8)]) }
            let reading = ModelReading(ModelList(records: records, strings: strings), model: try ModelName("florida"))
            return try Linted.findings(
                Self.profile(rows, model: "florida"), facts: LintFacts(lists: [0: reading])
            ).filter { $0.code != "several-records" && $0.code != "no-model-registry" }
        }
        let rows = ["{name: dc, from: 2025-07-27}", "{name: florida, from: 2025-08-24}"]
        let split = try findings(["dc", "florida"], .separate, rows: rows)
        #expect(split.map(\.code) == ["model-not-in-every-record", "model-not-in-every-record"])
        #expect(split.map(\.path) == ["models[0].model", "models[0].registry[0]"])
        #expect(split.allSatisfy { $0.severity == .error && $0.fix.contains("one TXT record of models.example") })
        #expect(try findings(["dc", "florida"], .separate, rows: []).map(\.path) == ["models[0].model"])
        let partly = try findings(["florida", "dc,florida"], .separate, rows: rows)
        #expect(partly.map(\.path) == ["models[0].registry[0]"])
        #expect(try findings(["florida,dc", "dc,florida"], .separate, rows: rows).isEmpty)
        #expect(try findings(["dc", "florida"], .joined, rows: rows).isEmpty, "all records are one list")
        #expect(try findings(["dc", "dc"], .separate, rows: rows).map(\.code) == ["model-not-published"])
    }

    @Test func listsThatCanNotBeRead() throws {
        func codes(_ reading: ModelReading) throws -> [Finding.Severity] {
            try Linted.findings(Self.profile(Self.rows), facts: LintFacts(lists: [0: reading]))
                .filter { $0.code == "list-not-seen" }.map(\.severity)
        }
        #expect(try codes(.absent(.nameError)) == [.error])
        #expect(try codes(.readingsDisagree("two")) == [.error])
        #expect(try codes(.listed(ModelList(records: []))) == [])
    }

    @Test("[R22] records are read as dig prints them") func digText() throws {
        func strings(_ text: String) throws -> [String] {
            try MasterFileStrings.parse(text).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try strings("\"dc,florida\"") == ["dc,florida"])
        #expect(try strings(" \"a b\"  bare \"\" ") == ["a b", "bare", ""])
        #expect(try strings("\"a\\\"b\\\\c\\044d\"") == ["a\"b\\c,d"])
        for text in ["", "  ", "\"open", "\"a\\", "\"\\25\"", "\"\\256\"", "\"\(String(repeating: "x", count: 256))\""]
        {
            #expect(throws: InputError.self) { try MasterFileStrings.parse(text) }
        }
        let bytes: [[UInt8]] = [Array(0...254), [], [34, 92, 255]]
        #expect(try MasterFileStrings.parse(MasterFileText.quoted(bytes)) == bytes)
    }
}
