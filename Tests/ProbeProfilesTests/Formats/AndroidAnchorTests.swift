import ProbeKit
import ProbeProfiles
import Testing

/// Anchors without the system's CAs: a verdict by these is announced as one that the app's users may not share.
@Suite struct AndroidAnchorTests {
    private static let own = "<trust-anchors><certificates src='@raw/own'/></trust-anchors>"
    private static let both = own.replacing("</t", with: "<certificates src='system'/></t")
    private static let pins = "<pin-set><pin digest='SHA-256'>\(Samples.one)</pin></pin-set>"

    private static func config(
        _ content: String, domain: String = "<domain includeSubdomains='true'>a.test</domain>"
    ) -> String {
        "<domain-config>\(domain)\(pins)\(content)</domain-config>"
    }

    private static func notes(_ configs: String) throws -> [FormatNote] {
        let text = "<network-security-config>\n\(configs)</network-security-config>"
        return try ProfileFormat.android.read(Array(text.utf8), FormatContext(path: "f")).notes
            .filter { $0.code == "trust-anchors" }
    }

    @Test(
        "announced where they are in force",
        arguments: [
            (config(own), ["a.test", "b.a.test", "free.a.test"]),
            (config("<trust-anchors/>"), ["a.test", "b.a.test", "free.a.test"]),
            (config(own, domain: "<domain>a.test</domain>"), ["a.test"]), (config(both), []), (config(""), []),
            // The base is for domains without anchors of their own, wherever it stands, and for all other hosts.
            (config("") + "<base-config>\(own)</base-config>", ["a.test", "b.a.test", "free.a.test", "other.test"]),
            (config(both) + "<base-config>\(own)</base-config>", ["other.test"]),
            (
                config(own + "<domain-config><domain>free.a.test</domain>\(both)</domain-config>"),
                ["a.test", "b.a.test"]
            ),
            (config("<domain-config><domain>free.a.test</domain>\(own)</domain-config>"), ["free.a.test"]),
            (config("") + "<debug-overrides>\(own)</debug-overrides>", []),
        ] as [(String, [String])])
    func announced(configs: String, hosts: [String]) throws {
        let notes = try Self.notes(configs)
        let announced = try ["a.test", "b.a.test", "free.a.test", "other.test"].filter { host in
            let target = try Target(host)
            return notes.contains { $0.concerns(target) && $0.announcement?.code == "trust-anchors-not-judged" }
        }
        #expect(announced == hosts)
    }

    @Test func theyAreNamed() throws {
        #expect(
            try Self.notes(Self.config(Self.own)).map(\.description) == [
                "warning: line 2: the app trusts '@raw/own' and not the system's CAs, which are trusted here; give the CA as an anchor"
            ])
        #expect(try Self.notes(Self.config("<trust-anchors/>")).first?.message.contains("trusts no CA") == true)
        #expect(try Self.notes(Self.config(Self.both)).map(\.severity) == [.note])
        #expect(try Self.notes(Self.config(Self.both)).allSatisfy { $0.asksForAnchors && $0.announcement == nil })
    }
}
