import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// Elements that Android passes over, with the pins in them.
@Suite(.bounded) struct AndroidElementTests {
    private static let pins = "<pin-set><pin digest=\"SHA-256\">\(Samples.one)</pin></pin-set>"
    private static let kept = config("<domain>kept.test</domain>\(pins)")

    private static func config(_ content: String) -> String { "<domain-config>\(content)</domain-config>" }

    private static func read(_ configs: String) throws -> Imported {
        let text = "<network-security-config>\n\(configs)</network-security-config>"
        return try ProfileFormat.android.read(Array(text.utf8), FormatContext(path: "f"))
    }

    /// Each would lose the pins of a host, or whom the app trusts.
    @Test(
        "an element that may be meant for one that is read is a warning",
        arguments: [
            (
                config("<domain>a.test</domain>" + pins.replacing("pin-set", with: "pinset")),
                "<pinset> in <domain-config>, nor its pins; did you mean 'pin-set'?"
            ),
            (
                config("<domain>a.test</domain>\(pins)").replacing("domain-config", with: "domainconfig"),
                "<domainconfig> in <network-security-config>, nor its pins; did you mean 'domain-config'?"
            ),
            (
                config("<domain>a.test</domain>\(pins)").replacing("domain-config", with: "Domain-Config"),
                "<Domain-Config> in <network-security-config>, nor its pins; did you mean 'domain-config'?"
            ),
            (
                config("<domain>a.test</domain><doman>b.test</doman>\(pins)"),
                "<doman> in <domain-config>; did you mean 'domain'?"
            ),
            // Near to no element of the place, but to one of another.
            (config("<domain>a.test</domain><certificate/>"), "in <domain-config>; did you mean 'certificates'?"),
            (pins, "<pin-set> in <network-security-config>, nor its pins; it belongs to <domain-config>"),
            (
                config("<domain>a.test</domain><pin digest=\"SHA-256\">\(Samples.one)</pin>"),
                "<pin> in <domain-config>; it belongs to <pin-set>"
            ),
            ("<domain>a.test</domain>", "<domain> in <network-security-config>; it belongs to <domain-config>"),
            (
                "<trust-anchors/>",
                "; it belongs to <domain-config> or <base-config> or <debug-overrides>"
            ),
            (config("<domain>a.test</domain><base-config/>"), "; it belongs to <network-security-config>"),
            ("<production>\(kept)</production>", "<production> in <network-security-config>, nor its pins"),
            (
                "<base-config><trustanchors/></base-config>",
                "<trustanchors> in <base-config>; did you mean 'trust-anchors'?"
            ),
            (
                "<base-config><trust-anchors><certificate src=\"system\"/><certificates src=\"system\"/></trust-anchors></base-config>",
                "<certificate> in <trust-anchors>; did you mean 'certificates'?"
            ),
            (
                "<debug-overrides><trust-anchor/></debug-overrides>",
                "<trust-anchor> in <debug-overrides>; did you mean 'trust-anchors'?"
            ),
            (
                "<debug-overrides><trust-anchors><certificate/></trust-anchors></debug-overrides>",
                "<certificate> in <trust-anchors>; did you mean 'certificates'?"
            ),
        ])
    func meant(configs: String, words: String) throws {
        let imported = try Self.read(Self.kept + configs)
        #expect(imported.profile.hosts.map(\.pattern).contains("kept.test"))
        let notes = imported.notes.filter { $0.code == "passed-over" }
        #expect(notes.map(\.severity) == [.warning])
        #expect(notes.first?.message.hasPrefix("line 2: Android does not read <") == true)
        #expect(notes.first?.message.hasSuffix(words) == true, "\(notes)")
    }

    @Test(
        "others are in a note",
        arguments: [
            config(
                "<domain>a.test</domain><trustkit-config enforcePinning=\"true\"><report-uri>x</report-uri></trustkit-config>"
            ),
            config("<domain>a.test</domain><certificateTransparency enabled=\"true\"/>"),
            "<base-config><certificateTransparency enabled=\"true\"/></base-config>",
            "<base-config><domainEncryption mode=\"enabled\"/></base-config>", "<other><domain>a.test</domain></other>",
        ])
    func aside(configs: String) throws {
        let notes = try Self.read(Self.kept + configs).notes.filter { $0.code == "passed-over" }
        #expect(notes.map(\.severity) == [.note])
        #expect(notes.first?.message.hasSuffix("is not an element with pins that Android reads") == true)
    }
}
