import ProbeKit
import ProbeProfiles
import Testing

/// Rules for one host that a platform unites, where another takes the most specific one.
@Suite struct OverlapDiffTests {
    private static func side(_ format: ProfileFormat, _ text: String) throws -> ProfileDiff.Side {
        ProfileDiff.Side(try format.read(Array(text.utf8), FormatContext(path: "f")).profile, format: format)
    }

    private static func okhttp(_ lines: String...) throws -> ProfileDiff.Side {
        try side(.okhttp, lines.joined(separator: "\n"))
    }

    /// Android's rules for a domain with all below it, and for a host of it.
    private static func android(
        _ wide: [String], _ narrow: [String], narrowIsWhole: Bool = false
    ) throws -> ProfileDiff.Side {
        func rule(_ domain: String, _ pins: [String]) -> String {
            let set = pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
            return "<domain-config><domain\(domain)</domain>"
                + (set.isEmpty ? "" : "<pin-set>\(set)</pin-set>") + "</domain-config>"
        }
        return try side(
            .android,
            "<network-security-config>" + rule(" includeSubdomains=\"true\">example.test", wide)
                + rule("\(narrowIsWhole ? " includeSubdomains=\"true\"" : "")>api.example.test", narrow)
                + "</network-security-config>")
    }

    private static func apple(_ wide: String, _ narrow: String) throws -> ProfileDiff.Side {
        func rule(_ domain: String, _ pin: String) -> String {
            "<key>\(domain)</key><dict><key>NSIncludesSubdomains</key><true/><key>NSPinnedLeafIdentities</key>"
                + "<array><dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict></array></dict>"
        }
        return try side(
            .apple,
            Samples.plist(
                "<key>NSPinnedDomains</key><dict>" + rule("example.test", wide) + rule("api.example.test", narrow)
                    + "</dict>"))
    }

    private static func drifts(_ left: ProfileDiff.Side, _ right: ProfileDiff.Side) -> [ProfileDrift] {
        ProfileDiff(left, right).drifts().filter { $0.severity == .drift }
    }

    @Test func pinsOfAWiderPatternAreDrift() throws {
        let okhttp = try Self.okhttp("**.example.test sha256/\(Samples.one)", "api.example.test sha256/\(Samples.two)")
        let android = try Self.android([Samples.one], [Samples.two])
        let drifts = Self.drifts(okhttp, android)
        #expect(drifts.map { "\($0.code) \($0.subject)" } == ["pins api.example.test"])
        #expect(drifts.first?.first == "spki:sha256:\(Samples.oneHex)" && drifts.first?.second == nil)
        let back = Self.drifts(android, okhttp)
        #expect(back.map { "\($0.code) \($0.subject)" } == ["pins api.example.test"])
        #expect(back.first?.second == "spki:sha256:\(Samples.oneHex)" && back.first?.first == nil)
    }

    @Test func whatHoldsForEachHostIsCompared() throws {
        let (wide, narrow) = ("**.example.test sha256/\(Samples.one)", "api.example.test sha256/\(Samples.two)")
        let united = try Self.android([Samples.one], [Samples.one, Samples.two])
        #expect(try Self.drifts(Self.okhttp(wide, narrow), united).isEmpty)
        // The pin of the wider pattern, written once more.
        let repeated = try Self.okhttp(wide, narrow, "api.example.test sha256/\(Samples.one)")
        #expect(try Self.drifts(Self.okhttp(wide, narrow), repeated).isEmpty)
    }

    @Test func domainsOfAppleAreUnited() throws {
        let android = try Self.android([Samples.one], [Samples.two])
        let drifts = try Self.drifts(Self.apple(Samples.one, Samples.two), android)
        // Both pins are on both sides, at other names.
        #expect(drifts.map { "\($0.code) \($0.subject)" } == ["groups api.example.test"])
        #expect(
            try Self.drifts(Self.apple(Samples.one, Samples.one), Self.android([Samples.one], [Samples.one])).isEmpty)
    }

    /// A service's own pins count alone.
    @Test func servicesHaveNoWiderRules() throws {
        func native(_ rules: String) throws -> ProfileDiff.Side {
            let text = """
                profile: 1
                services: {api: {url: api.example.test, pins: [{anyOf: ["spki:sha256:\(Samples.two)"]}]}}
                hosts: [{host: other.test, pins: [{anyOf: ["spki:sha256:\(Samples.one)"]}]}\(rules)]
                """
            return try Self.side(.nativeYAML, text)
        }
        let wide = ", {host: '**.example.test', match: okhttp, pins: [{anyOf: [\"spki:sha256:\(Samples.one)\"]}]}"
        let drifts = try Self.drifts(native(""), native(wide))
        #expect(drifts.map { "\($0.code) \($0.subject)" } == ["host example.test"])
    }

    /// Pins that come from a wider rule stay apart: a format that merges rules merges those of one name.
    @Test func subdomainsThatARuleLosesAreDrift() throws {
        let (wide, narrow) = ([Samples.one], [Samples.one, Samples.two])
        let whole = try Self.android(wide, narrow, narrowIsWhole: true)
        let drifts = try Self.drifts(whole, Self.android(wide, narrow))
        #expect(drifts.map(\.subject) == ["api.example.test"])
    }

    @Test func anExemptionThatIsLostIsDrift() throws {
        let drifts = try Self.drifts(
            Self.android([Samples.one], [Samples.one], narrowIsWhole: true),
            Self.android([Samples.one], []))
        #expect(drifts.map(\.subject) == ["api.example.test"])
    }
}
