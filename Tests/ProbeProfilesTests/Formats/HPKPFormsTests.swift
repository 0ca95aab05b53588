import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// The grammar of the headers: clients ignore a header that does not keep to it (RFC 7469 section 2.1).
@Suite(.bounded) struct HPKPFormsTests {
    private static let pins = "pin-sha256=\"\(Samples.one)\"; pin-sha256=\"\(Samples.two)\""

    private static func read(_ text: String) throws -> Imported {
        try ProfileFormat.hpkp.read(Array(text.utf8), FormatContext(path: "f"))
    }

    @Test(
        "a header that clients ignore is refused",
        arguments: [
            ("\(pins); max-age=100; max-age=200", "'max-age' twice"),
            ("\(pins); max-age=100; MAX-AGE=100", "'max-age' twice"),
            ("\(pins); max-age=100; foo; foo", "'foo' twice"),
            ("\(pins); max-age=100; includeSubDomains; includesubdomains", "twice"),
            ("\(pins); max-age=100; includeSubDomains=yes", "takes none"),
            ("pin-sha256=\(Samples.one); max-age=100", "malformed"),
            ("pin-sha512=AA; \(pins); max-age=100", "double quotes"),
            ("pin-sha256='\(Samples.one)'; max-age=100", "malformed"),
            ("pin-sha256=\"\(Samples.one)\"x; max-age=100", "malformed"),
            ("pin-sha256=\"\(Samples.one); max-age=100", "malformed"),
            ("pin-sha256:\"\(Samples.one)\"; max-age=100", "malformed"),
            ("\(pins); max-age=100; ba r=1", "malformed"), ("\(pins); max-age=1.5", "max-age '1.5'"),
            ("\(pins); max-age=", "malformed"), ("\(pins); max-age", "max-age ''"),
        ])
    func refused(header: String, words: String) throws {
        for name in ["Public-Key-Pins", "Public-Key-Pins-Report-Only"] {
            let error = try #require(throws: InputError.self) { try Self.read("\(name): \(header)") }
            #expect(error.message.contains(words), "\(error)")
        }
    }

    @Test(
        "what the grammar allows is read",
        arguments: [
            "\(pins); max-age=100", "\(pins);max-age=\"100\";report-uri=\"https://a.test/?x;y\"",
            #"\#(pins); foo; bar="a\"; b"; max-age=100"#, "\(pins); max-age=99999999999999999999999",
        ])
    func read(header: String) throws {
        let imported = try Self.read("Public-Key-Pins: \(header)")
        #expect(imported.profile.pins.flatMap(\.members).map(\.pin.digest.base64) == [Samples.one, Samples.two])
        #expect(imported.notes.allSatisfy { $0.severity == .note }, "\(imported.notes)")
    }

    /// Pins of every host have no subdomains to write back.
    @Test func subdomainsNeedTheirHost() throws {
        let text = Array("Public-Key-Pins: \(Self.pins); max-age=100; includeSubDomains".utf8)
        func codes(_ host: ServerName?) throws -> [String] {
            let imported = try ProfileFormat.hpkp.read(text, FormatContext(path: "f", host: host))
            return imported.notes.filter { $0.severity == .warning }.map(\.code)
        }
        #expect(try codes(nil) == ["subdomains"])
        #expect(try codes(ServerName("a.test")) == [])
    }

    /// `includeSubDomains` is of the header that has it (RFC 7469 section 2.1.3). A report for the host alone is read as
    /// wide as the pins that are enforced, which formats that list a name once would lose beside it.
    @Test(arguments: [true, false]) func eachHeaderHasItsOwnSubdomains(isReportWide: Bool) throws {
        let headers = ["Public-Key-Pins-Report-Only", "Public-Key-Pins"].map { name in
            let isWide = (name == "Public-Key-Pins-Report-Only") == isReportWide
            return "\(name): \(Self.pins); max-age=100\(isWide ? "; includeSubDomains" : "")"
        }
        let context = FormatContext(path: "f", host: try ServerName("a.test"))
        let imported = try ProfileFormat.hpkp.read(Array(headers.joined(separator: "\n").utf8), context)
        let hosts = imported.profile.hosts
        func enforced(_ host: String) throws -> Set<Bool>? {
            try hosts.pins(for: ServerName(host)).map { Set($0.map(\.isEnforced)) }
        }
        #expect(try enforced("a.test") == [true, false])
        #expect(try enforced("b.a.test") == (isReportWide ? [false] : [true, false]))
        #expect(imported.notes.contains { $0.code == "subdomains" } == !isReportWide, "\(imported.notes)")
        let written = try ProfileFormat.android.write(imported.profile).bytes
        let read = try ProfileFormat.android.read(written, FormatContext(path: "f")).profile.hosts
        #expect(try read.pins(for: ServerName("a.test"))?.map(\.isEnforced) == [true])
        #expect(try read.pins(for: ServerName("b.a.test"))?.map(\.isEnforced) == (isReportWide ? nil : [true]))
    }

    /// `includeSubDomains` is for the names below the host at all depths.
    @Test func theReachIsWritten() throws {
        let host = try ServerName("a.test")
        for (suffix, isWide) in [("", false), ("; includeSubDomains", true)] {
            let text = Array("Public-Key-Pins: \(Self.pins); max-age=100\(suffix)".utf8)
            let read = try ProfileFormat.hpkp.read(text, FormatContext(path: "f", host: host)).profile
            let written = try ProfileFormat.hpkp.write(read, host: host)
            #expect(written.losses == [])
            let again = try ProfileFormat.hpkp.read(written.bytes, FormatContext(path: "f", host: host)).profile
            #expect(try (again.hosts.pins(for: ServerName("c.b.a.test")) != nil) == isWide)
        }
    }

    /// A rule without its own host is read back for each name, which has none below.
    @Test func namesBelowAloneHaveNoHeaderOfTheirHost() throws {
        let pins = [Samples.one, Samples.two].map { "*.a.test sha256/\($0)" }.joined(separator: "\n")
        let profile = try ProfileFormat.okhttp.read(Array(pins.utf8), FormatContext(path: "f")).profile
        let written = String(decoding: try ProfileFormat.hpkp.write(profile).bytes, as: UTF8.self)
        #expect(!written.contains("includeSubDomains"), "\(written)")
    }

    /// Lines without a name are parts of one header, in any order.
    @Test(arguments: [true, false]) func directivesOnSeveralLines(isFirst: Bool) throws {
        let lines = [Samples.one, Samples.two].map { "pin-sha256=\"\($0)\"" }
        let wide = "\(lines[1]); includeSubDomains"
        let text = isFirst ? "\(wide)\n\(lines[0])" : "\(lines[0])\n\(wide)"
        let context = FormatContext(path: "f", host: try ServerName("a.test"))
        let hosts = try ProfileFormat.hpkp.read(Array(text.utf8), context).profile.hosts
        #expect(try hosts.pins(for: ServerName("b.a.test"))?.flatMap(\.members).count == 2)
    }

    /// Browsers note an enforced header only with a backup (RFC 7469 section 2.5).
    @Test func aHeaderWithOnePinIsAnnounced() throws {
        let one = "pin-sha256=\"\(Samples.one)\"; max-age=100"
        func announced(_ text: String) throws -> [String] {
            try Self.read(text).notes.compactMap(\.announcement).map(\.code)
        }
        #expect(try announced("Public-Key-Pins: \(one)") == ["header-not-noted"])
        #expect(try announced("Public-Key-Pins: pin-sha256=\"\(Samples.one)\"; \(one)") == ["header-not-noted"])
        for text in ["Public-Key-Pins-Report-Only: \(one)", "pin-sha256=\"\(Samples.one)\""] {
            #expect(try announced(text) == [])
        }
        #expect(try announced("Public-Key-Pins: \(Self.pins); max-age=100") == [])
        let written = try ProfileFormat.hpkp.write(try Self.read("Public-Key-Pins: \(one)").profile)
        #expect(written.losses.map(\.code) == ["too-few-pins"])
    }

    @Test func anEscapedQuoteEndsNothing() throws {
        let notes = try Self.read(#"Public-Key-Pins: \#(Self.pins); bar="a\"; b"; max-age=100"#).notes
        #expect(notes.map(\.code) == ["unknown-directive", "max-age"])
        #expect(notes.first?.message.hasSuffix("'bar' is not known") == true)
    }

    @Test("blanks and empty directives are warnings", arguments: ["\(pins); max-age = 1", "\(pins); max-age=1;"])
    func grammar(header: String) throws {
        let notes = try Self.read("Public-Key-Pins: \(header)").notes
        #expect(notes.filter { $0.severity == .warning }.map(\.code) == ["grammar"])
    }

    /// Lines of tools are pins alone, whatever clients would make of a header.
    @Test(arguments: ["pin-sha256:\(Samples.one)", "pin-sha256=\(Samples.one)", "pin-sha256=\"\(Samples.one)\";"])
    func linesWithoutAName(line: String) throws {
        let imported = try Self.read(line)
        #expect(imported.profile.pins.flatMap(\.members).map(\.pin.digest.base64) == [Samples.one])
        #expect(imported.notes.isEmpty, "\(imported.notes)")
    }
}
