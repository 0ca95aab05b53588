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
