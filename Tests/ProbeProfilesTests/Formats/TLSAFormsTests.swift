import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// The forms of zone files with TLSA records: each is read, or what is left out is a warning.
@Suite(.bounded) struct TLSAFormsTests {
    private static let record = "TLSA 3 1 1 \(Samples.oneHex)"
    private static let other = "TLSA 3 1 1 \(Samples.twoHex)"

    private static func read(_ text: String) throws -> Imported {
        try ProfileFormat.tlsa.read(Array(text.utf8), FormatContext(path: "f"))
    }

    private static func targets(_ imported: Imported) -> [String] {
        imported.profile.environments.flatMap(\.services).map(\.target.description)
    }

    private static func warnings(_ imported: Imported) -> [String] {
        imported.notes.filter { $0.severity == .warning }.map(\.code)
    }

    private static func written(_ imported: Imported) throws -> (text: String, losses: [String]) {
        let written = try ProfileFormat.tlsa.write(imported.profile, material: imported.material)
        return (String(decoding: written.bytes, as: UTF8.self), written.losses.map(\.code))
    }

    @Test(
        "the form of unknown types (RFC 3597 section 5)",
        arguments: [
            "TYPE52 \\# 35 030101\(Samples.oneHex)", "type52 \\# 35 030101\(Samples.oneHex)",
            "TLSA \\# 35 0301 01\(Samples.oneHex)", "TYPE52 3 1 1 \(Samples.oneHex)",
        ])
    func genericForm(data: String) throws {
        let owner = "_443._tcp.a.test. 3600 IN "
        #expect(try Self.read(owner + data).profile == Self.read(owner + Self.record).profile)
        #expect(ProfileFormat.detect(Array((owner + data.uppercased()).utf8)) == .tlsa)
    }

    @Test func genericDataAlone() throws {
        let text = "\\# 35 030101\(Samples.oneHex)\n"
        #expect(ProfileFormat.detect(Array(text.utf8)) == .tlsa)
        let sets = try Self.read(text).profile.pins
        #expect(sets.flatMap(\.members).map(\.pin.digest.hex) == [Samples.oneHex])
        #expect(sets.map(\.position) == [.leaf])
    }

    @Test("the number of octets has to be right", arguments: ["34", "36", "3", "x", ""])
    func genericLength(length: String) throws {
        let error = try #require(throws: InputError.self) {
            try Self.read("_443._tcp.a.test. IN TYPE52 \\# \(length) 030101\(Samples.oneHex)")
        }
        #expect(error.message.contains("not a TLSA record") && error.remedy.contains("octets"), "\(error)")
    }

    @Test("directives that lead to other records", arguments: ["$INCLUDE more.zone", "$GENERATE 1-9 _443._tcp.h$ A b"])
    func directives(line: String) throws {
        let imported = try Self.read("$TTL 60\n\(line)\n_443._tcp.a.test. IN \(Self.record)")
        #expect(Self.warnings(imported) == ["directive"])
        #expect(Self.targets(imported) == ["a.test:443"])
    }

    @Test(
        "records of other types may have any text",
        arguments: [
            "k._domainkey IN TXT ( \"v=DKIM1; k=rsa; p=abc\" )", "note IN TXT \"smile :(\"",
            #"note IN TXT "a quote \" and ( then" more"#, #"note IN TXT a\;b\(c\"d"#, "note IN TXT \"_443._tcp TLSA\"",
            "_443._tcp.a IN RRSIG TLSA 13 5 60 20300101000000 20200101000000 1 test. AAAA",
            "_443._tcp.a IN NSEC b.test. TLSA RRSIG NSEC",
        ])
    func otherRecords(line: String) throws {
        let imported = try Self.read(
            "$ORIGIN test.\n\(line)\n_443._tcp.a IN \(Self.record)\n_443._tcp.b 1h30m IN \(Self.other)")
        #expect(Self.targets(imported) == ["a.test:443", "b.test:443"])
        #expect(Self.warnings(imported) == [])
    }

    @Test func aQuoteIsClosedInItsLine() throws {
        let error = try #require(throws: InputError.self) {
            try Self.read("note IN TXT \"smile\nnote IN TXT \"smile :(\n_443._tcp.a.test. IN \(Self.record)")
        }
        #expect(error.message.hasPrefix("f:1 ") && error.message.contains("quote"), "\(error)")
    }

    @Test func theRootIsAnOriginToo() throws {
        let imported = try Self.read("$ORIGIN .\n_443._tcp.a.test IN CNAME d.test\nd.test IN \(Self.record)")
        #expect(Self.targets(imported) == ["a.test:443"])
    }

    /// A zone's own file has the names below it, and the server has its origin.
    @Test(
        "an owner below an origin that is not given is reported with the host that is read",
        arguments: [
            ("_443._tcp.www", "www"), ("_443._tcp.www.a.test", "www.a.test"), ("$TTL 60\n_443._tcp.WWW", "www"),
            ("$ORIGIN test.\n_443._tcp.www", nil), ("$ORIGIN .\n_443._tcp.www", nil), ("_443._tcp.www.test.", nil),
        ] as [(String, String?)])
    func relativeOwners(owner: String, host: String?) throws {
        let imported = try Self.read("\(owner) 3600 IN \(Self.record)\n IN \(Self.other)")
        #expect(Self.warnings(imported) == (host == nil ? [] : ["origin"]))
        guard let host else { return }
        #expect(Self.targets(imported) == ["\(host):443"])
        #expect(imported.notes.contains { $0.message.contains("the host is read as '\(host)'; write the whole name") })
    }

    @Test func relativeAliasesAreReportedToo() throws {
        let imported = try Self.read("_443._tcp.www IN CNAME dane.test.\ndane.test. IN \(Self.record)")
        #expect(Self.targets(imported) == ["www:443"])
        #expect(Self.warnings(imported) == ["origin"])
    }

    /// RFC 7671.
    @Test func recordsByAnotherName() throws {
        let text = """
            $ORIGIN test.
            _443._tcp.a IN CNAME one
            _443._tcp.b IN CNAME _443._tcp.a
            one IN CNAME dane
            dane IN \(Self.record)
            www IN CNAME a
            """
        #expect(ProfileFormat.detect(Array(text.utf8)) == .tlsa)
        let imported = try Self.read(text)
        #expect(Self.targets(imported) == ["a.test:443", "b.test:443"])
        #expect(Self.warnings(imported) == [])
        let astray = try Self.read(text + "\n_443._tcp.c IN CNAME elsewhere\n_443._tcp.d IN CNAME _443._tcp.d")
        #expect(Self.targets(astray) == ["a.test:443", "b.test:443"])
        #expect(Self.warnings(astray) == ["alias", "alias"])
    }

    @Test(
        "owners that are not the port of a host", arguments: ["*._tcp.a", "a", "_x._tcp.a", "_0._tcp.a"])
    func otherOwners(name: String) throws {
        let imported = try Self.read("$ORIGIN test.\n\(name) IN \(Self.other)\n_443._tcp.a IN \(Self.record)")
        #expect(Self.targets(imported) == ["a.test:443"])
        #expect(Self.warnings(imported) == ["owner"])
        let error = try #require(throws: InputError.self) { try Self.read("\(name).test. IN \(Self.record)") }
        #expect(error.message.contains("no usable record"), "\(error)")
    }

    @Test func anOwnerWithoutUsableRecordsIsLeftOut() throws {
        func zone(_ fields: String) -> String {
            "_443._tcp.a.test. IN TLSA \(fields)\n_443._tcp.b.test. IN \(Self.record)"
        }
        let imported = try Self.read(zone("3 1 9 \(Samples.oneHex)"))
        #expect(Self.targets(imported) == ["b.test:443"])
        #expect(Self.warnings(imported) == ["unusable"])
        // Clients judge by these, so that trust alone must not.
        let error = try #require(throws: InputError.self) {
            try Self.read(zone("3 1 2 \(Samples.oneHex)\(Samples.twoHex)"))
        }
        #expect(error.message.contains("SHA-512 alone for a.test:443"), "\(error)")
    }

    @Test(
        "on the port of a protocol that starts TLS it is started",
        arguments: [
            (25, "smtp://"), (587, "smtp://"), (143, "imap://"), (110, "pop3://"), (5222, "xmpp-client://"),
            (5269, "xmpp-server://"), (389, "ldap://"), (465, ""), (993, ""), (995, ""), (443, ""), (2525, ""),
        ])
    func protocols(port: Int, scheme: String) throws {
        let imported = try Self.read("_\(port)._tcp.a.test. IN \(Self.record)")
        #expect(Self.targets(imported) == ["\(scheme)a.test:\(port)"])
        #expect(try Self.written(imported).losses == [])
        let native = try ProfileFormat.nativeYAML.write(imported.profile)
        #expect(try ProfileFormat.nativeYAML.read(native.bytes, FormatContext(path: "f")).profile == imported.profile)
    }

    /// A certificate may be trusted by the record alone, which usage 1 does not say.
    @Test func usagesAreKept() throws {
        let zone = """
            _25._tcp.a.test. IN TLSA 3 1 1 \(Samples.oneHex)
            _25._tcp.a.test. IN TLSA 2 1 1 \(Samples.twoHex)
            _443._tcp.b.test. IN TLSA 1 1 1 \(Samples.oneHex)
            _443._tcp.c.test. IN TLSA 3 1 1 \(Samples.oneHex)
            _993._tcp.d.test. IN TLSA 0 1 1 \(Samples.twoHex)

            """
        let written = try Self.written(try Self.read(zone))
        #expect(written.text == zone)
        #expect(written.losses == [])
        let alone = try ProfileFormat.tlsa.read(
            Array("2 1 1 \(Samples.oneHex)".utf8), FormatContext(path: "f", host: try ServerName("a.test")))
        #expect(try Self.written(alone).text == "_443._tcp.a.test. IN TLSA 2 1 1 \(Samples.oneHex)\n")
    }

    /// RFC 7672 section 3.1.3.
    @Test(
        arguments: [
            ("smtp://a.test", "leaf", "_25._tcp.a.test. IN TLSA 3 1 1", true),
            ("smtp://a.test:2525", "ca", "_2525._tcp.a.test. IN TLSA 2 1 1", true),
            ("https://a.test:993", "leaf", "_993._tcp.a.test. IN TLSA 3 1 1", true),
            ("https://a.test", "leaf", "_443._tcp.a.test. IN TLSA 1 1 1", false),
        ])
    func mailServersPassOverAuthorities(url: String, position: String, record: String, isLoss: Bool) throws {
        let profile = try ProfileFile.parse(
            "profile: 1\nunlistedHost: system\nservices: {s: {url: \"\(url)\", pins: [{position: \(position), anyOf: [\"spki:\(Samples.oneHex)\"]}]}}",
            from: "f")
        let written = try Self.written(Imported(profile: profile))
        #expect(written.text.hasPrefix(record), "\(written.text)")
        #expect(written.losses.contains("usage") == isLoss)
    }

    @Test func usagesThatMailServersPassOverAreLeftOut() throws {
        let unusable = "_25._tcp.a.test. IN TLSA 1 1 1 \(Samples.oneHex)"
        let imported = try Self.read("\(unusable)\n_25._tcp.a.test. IN \(Self.other)")
        #expect(Self.warnings(imported) == ["unusable"])
        let pins = imported.profile.environments.flatMap(\.services).flatMap(\.pins).flatMap(\.members).map(\.pin)
        #expect(pins.map(\.digest.hex) == [Samples.twoHex])
        let error = try #require(throws: InputError.self) { try Self.read(unusable) }
        #expect(error.message.contains("mail servers pass over usage 1"), "\(error)")
    }
}
