import ProbeKit
import ProbePins
import ProbeProfiles
import Testing

/// The content that Android's parser of network security configurations reads, and the content it ignores.
@Suite struct AndroidFormsTests {
    private static func read(_ configs: String) throws -> Imported {
        let text = "<network-security-config>\n\(configs)</network-security-config>"
        return try ProfileFormat.android.read(Array(text.utf8), FormatContext(path: "f"))
    }

    private static let pins = "<pin-set><pin digest=\"sha-256\">\(Samples.one)</pin></pin-set>"

    private static func config(_ domain: String, _ pins: String = pins) -> String {
        "<domain-config>\(domain)\(pins)</domain-config>"
    }

    @Test(
        "booleans as the build tools and the platform read them",
        arguments: [
            ("true", true, false), ("TRUE", true, false), ("True", true, false), (" true ", true, false),
            ("1", true, false), ("0x1", true, false), ("-1", true, false), ("false", false, false),
            ("FALSE", false, false), ("0", false, false), ("yes", false, true), ("tRue", false, true),
            ("", false, true),
        ])
    func booleans(word: String, isSet: Bool, isReported: Bool) throws {
        let imported = try Self.read(Self.config("<domain includeSubdomains=\"\(word)\">a.test</domain>"))
        #expect(imported.profile.hosts.map(\.includesSubdomains) == [isSet])
        #expect(imported.notes.contains { $0.code == "not-boolean" && $0.severity == .warning } == isReported)
    }

    @Test(
        "what the platform throws over",
        arguments: [
            config("", pins), "<domain-config/>",
            config("<domain>a.test</domain><domain-config>\(pins)</domain-config>"),
            config("<domain/>"), config("<domain> </domain>"), config("<domain>a.test<b/></domain>"),
            config("<domain>a.test</domain><domain>A.TEST</domain>"),
            config("<domain>a.test</domain>") + config("<domain>a.test</domain>"),
            config("<domain>a.test</domain>", "<pin-set><pin>\(Samples.one)</pin></pin-set>"),
            config("<domain>a.test</domain>", "<pin-set><pin digest=\"SHA-256\">\(Samples.one)<b/></pin></pin-set>"),
            config("<domain>a.test</domain>", "<pin-set><pin digest=\"SHA-256\">AAAA</pin></pin-set>"),
            config("<domain>a.test</domain>", "<pin-set><pin digest=\"SHA-256\">\(Samples.one)AA</pin></pin-set>"),
            config("<domain>a.test</domain>", pins + pins),
            config("<domain>a.test</domain><trust-anchors/><trust-anchors/>"),
            config("<domain>a.test</domain><trust-anchors><certificates/></trust-anchors>"),
            config("<domain>a.test</domain><trust-anchors><certificates src=\"mine\"/></trust-anchors>"),
            config("<domain>a.test</domain>", pins.replacing("<pin-set>", with: "<pin-set expiration=\"2027-02-30\">")),
            config("<domain>a.test</domain>", pins.replacing("<pin-set>", with: "<pin-set expiration=\"2027-1-032\">")),
            config("<domain>a.test</domain>", pins.replacing("<pin-set>", with: "<pin-set expiration=\"0-01-01\">")),
            config("<domain>a.test</domain>", "<pin-set expiration=\"soon\"></pin-set>"),
            config(
                "<domain>a.test</domain>", pins.replacing("<pin-set>", with: "<pin-set expiration=\"20271-02-29\">")),
            "<base-config/><base-config/>", "<debug-overrides/><debug-overrides/>",
            "<base-config><domain>a.test</domain></base-config>", "<base-config>\(pins)</base-config>",
            "<base-config><domain-config/></base-config>",
        ])
    func refused(configs: String) throws {
        let error = try #require(throws: InputError.self, "\(configs)") { try Self.read(configs) }
        #expect(error.message.hasPrefix("f:2"), "\(error.message)")
    }

    private static func anchors(_ source: String, overridePins word: String = "true") -> String {
        "<trust-anchors><certificates src=\"\(source)\" overridePins=\"\(word)\"/></trust-anchors>"
    }

    @Test(
        "anchors of the system that override pins, of the configuration itself or what it inherits from",
        arguments: [
            (config("<domain>a.test</domain>\(anchors("system"))"), [false]),
            (config("<domain>a.test</domain>\(anchors("system", overridePins: "0x1"))"), [false]),
            (config("<domain>a.test</domain>\(anchors("system", overridePins: "no"))"), [true]),
            (config("<domain>a.test</domain>\(anchors("user"))"), [true]),
            // Chains may end in the app's own anchor, which overrides nothing.
            (
                config(
                    "<domain>a.test</domain>"
                        + anchors("system").replacing("</t", with: "<certificates src=\"@raw/own\"/></t")), [true]
            ),
            // One entry that overrides pins does for its source, in any order.
            (
                config(
                    "<domain>a.test</domain>"
                        + anchors("system").replacing("</t", with: "<certificates src=\"system\"/></t")), [false]
            ),
            (
                config(
                    "<domain>a.test</domain>"
                        + anchors("system").replacing("<c", with: "<certificates src=\"system\"/><c")), [false]
            ),
            (config("<domain>a.test</domain>\(anchors("@raw/other"))"), [true]),
            (config("<domain>a.test</domain>") + "<base-config>\(anchors("system"))</base-config>", [false]),
            (
                config("<domain>a.test</domain><trust-anchors/>") + "<base-config>\(anchors("system"))</base-config>",
                [true]
            ),
            (
                config("<domain>a.test</domain>\(anchors("system"))", pins + config("<domain>b.a.test</domain>", "")),
                [false, false]
            ),
            (
                config(
                    "<domain>a.test</domain>\(anchors("system"))",
                    pins + config("<domain>b.a.test</domain>\(anchors("user"))", "")), [false, true]
            ),
            (config("<domain>a.test</domain>") + "<debug-overrides>\(anchors("system"))</debug-overrides>", [true]),
        ])
    func overridden(configs: String, isEnforced: [Bool]) throws {
        let imported = try Self.read(configs)
        #expect(imported.profile.hosts.map { $0.pins.map(\.isEnforced) } == isEnforced.map { [$0] })
        let told = imported.notes.count { $0.message.contains("overrides its pins") }
        #expect(told == isEnforced.count { !$0 })
        let written = try ProfileFormat.android.write(imported.profile)
        #expect(try ProfileFormat.android.read(written.bytes, FormatContext(path: "f")).profile == imported.profile)
    }

    @Test("blanks that Java's trim keeps are of the name, and no host has them", arguments: ["\u{a0}", "\u{2003}"])
    func blanksAroundNames(blank: String) throws {
        let imported = try Self.read(Self.config("<domain>\(blank)a.test</domain><domain>\t b.test\n</domain>"))
        #expect(imported.profile.hosts.map(\.pattern) == ["b.test"])
        #expect(imported.notes.map(\.code) == ["never-matches"])
    }

    /// `XmlPullParser.getName` has no prefix.
    @Test func prefixesOfElementsDoNotCount() throws {
        let text = Samples.android.replacing(#/<(\/?)([a-z])/#) { "<\($0.1)n:\($0.2)" }
            .replacing("<n:network-security-config", with: "<n:network-security-config xmlns:n=\"urn:n\"")
        let prefixed = try ProfileFormat.android.read(Array(text.utf8), FormatContext(path: "f"))
        #expect(prefixed == (try ProfileFormat.android.read(Array(Samples.android.utf8), FormatContext(path: "f"))))
        #expect(ProfileFormat.detect(Array(text.utf8)) == .android)
    }

    @Test func aDotAtTheEndNeverMatches() throws {
        let imported = try Self.read(
            Self.config("<domain includeSubdomains=\"true\">a.test.</domain><domain>a.test</domain>"))
        #expect(imported.profile.hosts.map(\.pattern) == ["a.test"])
        #expect(imported.profile.hosts.map(\.includesSubdomains) == [false])
        #expect(imported.notes.filter { $0.severity == .warning }.map(\.code) == ["never-matches"])
    }

    @Test(
        "digests as android.util.Base64 reads them",
        arguments: [
            String(Samples.one.dropLast()), "  \(Samples.one.prefix(10))\n  \(Samples.one.dropFirst(10))\n",
            Samples.one.replacing("fwp4", with: "f-w_p*4"),
            // The last two bits are not of a byte.
            "\(Samples.one.dropLast(2))Z=", "\(Samples.one.dropLast(2))b",
        ])
    func base64(text: String) throws {
        let imported = try Self.read(
            Self.config("<domain>a.test</domain>", "<pin-set><pin digest=\"SHA-256\">\(text)</pin></pin-set>"))
        #expect(imported.profile.hosts.flatMap(\.pins).flatMap(\.members).map(\.pin.digest.base64) == [Samples.one])
        #expect(imported.notes.map(\.code) == ["base64"])
    }

    @Test(
        "days as SimpleDateFormat reads them",
        arguments: [
            ("2027-02-01", "2027-02-01", false), ("2027-2-1", "2027-02-01", false),
            (" 2027-02-01", "2027-02-01", false), ("2027-02-01T12:00:00Z", "2027-02-01", true),
            ("2026-12-020", "2026-12-20", false), ("2027-002-1", "2027-02-01", false),
            ("26-01-01", "0026-01-01", true), ("02027-01-01", "2027-01-01", true),
            ("20280-02-29", "9999-12-31", true),
        ])
    func days(text: String, day: String, isReported: Bool) throws {
        let imported = try Self.read(
            Self.config(
                "<domain>a.test</domain>",
                Self.pins.replacing("<pin-set>", with: "<pin-set expiration=\"\(text)\">")))
        let expiry = try #require(imported.profile.hosts.first?.pins.first?.expiry)
        #expect(RFC3339.format(expiry.last) == "\(day)T00:00:00Z")
        #expect(imported.notes.contains { $0.code == "expiration" } == isReported)
    }

    /// Elements that the platform ignores with their content: each is reported.
    @Test func whatIsPassedOverIsReported() throws {
        let imported = try Self.read(
            Self.config("<domain>a.test</domain>", Self.pins.replacing("</pin-set>", with: "<Pin/></pin-set>"))
                + "<debug-overrides>\(Self.pins)</debug-overrides><domain>b.test</domain>")
        #expect(
            imported.notes.filter { $0.severity == .warning }.map(\.code)
                == ["passed-over", "debug-overrides", "passed-over"])
        #expect(imported.profile.hosts.count == 1)
    }
}
