import ProbeKit
import ProbeProfiles
import Testing

@Suite struct HostRuleTests {
    private static func rule(
        _ pattern: String, _ semantics: HostSemantics, subdomains: Bool = false, pin byte: UInt8 = 1
    ) throws -> HostRule {
        try HostRule(
            pattern: pattern, semantics: semantics, includesSubdomains: subdomains,
            pins: [Pins.set(byte)])
    }

    /// Each platform's semantics of `example.com` with subdomains, if the platform has them, and its hosts.
    @Test(
        "[R1, R5, R100] each platform's reading of a rule",
        arguments: [
            (HostSemantics.exact, false, "example.com", true), (.exact, false, "www.example.com", false),
            (.ats, false, "www.example.com", false), (.ats, true, "example.com", true),
            (.ats, true, "www.example.com", true), (.ats, true, "a.www.example.com", false),
            (.android, false, "www.example.com", false), (.android, true, "a.www.example.com", true),
            (.trustkit, true, "a.www.example.com", true), (.trustkit, true, "example.com", true),
            (.okhttp, false, "example.com", true), (.okhttp, false, "www.example.com", false),
            // A name that merely has the same ending is not a subdomain.
            (.ats, true, "badexample.com", false), (.android, true, "badexample.com", false),
        ])
    func oneRule(_ semantics: HostSemantics, subdomains: Bool, host: String, matches: Bool) throws {
        let rule = try Self.rule("example.com", semantics, subdomains: subdomains)
        #expect(rule.matches(try ServerName(host)) == matches)
    }

    @Test(arguments: [
        ("*.example.com", "example.com", false), ("*.example.com", "www.example.com", true),
        ("*.example.com", "a.www.example.com", false), ("**.example.com", "example.com", true),
        ("**.example.com", "a.www.example.com", true), ("**.example.com", "badexample.com", false),
    ])
    func wildcardsOfOkHttp(pattern: String, host: String, matches: Bool) throws {
        #expect(try Self.rule(pattern, .okhttp).matches(try ServerName(host)) == matches)
    }

    @Test func caseAndTrailingDotDoNotMatter() throws {
        #expect(try Self.rule("Example.COM.", .exact).pattern == "example.com")
        #expect(try Self.rule("example.com", .exact).matches(try ServerName("EXAMPLE.com.")))
    }

    /// On other platforms a pattern with a star is a literal that never matches, and would pin nothing.
    @Test(arguments: [HostSemantics.exact, .ats, .android, .trustkit])
    func aWildcardThatNeverMatchesIsRefused(_ semantics: HostSemantics) throws {
        let error = try #require(throws: InputError.self) { try Self.rule("*.example.com", semantics) }
        #expect(error.remedy.contains("includeSubdomains"))
    }

    @Test func addressesMatchThemselves() throws {
        #expect(try Self.rule("127.0.0.1", .exact).matches(try ServerName("127.0.0.1")))
        #expect(throws: InputError.self) { try Self.rule("*.127.0.0.1", .okhttp) }
    }

    @Test func onAndroidTheLongestRuleWins() throws {
        for semantics in [HostSemantics.android, .trustkit] {
            let rules = [
                try Self.rule("example.com", semantics, subdomains: true, pin: 1),
                try Self.rule("api.example.com", semantics, subdomains: true, pin: 2),
                try Self.rule("v1.api.example.com", semantics, pin: 3),
            ]
            #expect(rules.pins(for: try ServerName("example.com")) == [Pins.set(1)])
            #expect(rules.pins(for: try ServerName("v2.api.example.com")) == [Pins.set(2)])
            #expect(rules.pins(for: try ServerName("v1.api.example.com")) == [Pins.set(3)])
            #expect(rules.pins(for: try ServerName("example.org")) == nil)
        }
    }

    /// An empty rule that wins takes the pins of the wider one away.
    @Test func anEmptyRuleUnpins() throws {
        let rules = [
            try Self.rule("example.com", .android, subdomains: true),
            try HostRule(pattern: "open.example.com", semantics: .android),
        ]
        #expect(rules.pins(for: try ServerName("open.example.com")) == [])
    }

    @Test func onOkHttpAllRulesAreOneSet() throws {
        let rules = [
            try Self.rule("**.example.com", .okhttp, pin: 1), try Self.rule("*.example.com", .okhttp, pin: 2),
            try Self.rule("api.example.com", .okhttp, pin: 1),
        ]
        let sets = try #require(rules.pins(for: try ServerName("api.example.com")))
        #expect(sets.map { $0.members.map(\.pin) } == [[Pins.pin(1), Pins.pin(2)]])
    }

    @Test("on Apple's, pins of one position are one set, and leaf and CA pins both have to match")
    func onApplesRulesUniteByPosition() throws {
        let wider = try Self.rule("example.com", .ats, subdomains: true, pin: 1)
        var narrower = try Self.rule("api.example.com", .ats, pin: 2)
        let host = try ServerName("api.example.com")
        func pins() throws -> [[Pin]] {
            try #require([wider, narrower].pins(for: host)).map { $0.members.map(\.pin) }
        }
        #expect(try pins() == [[Pins.pin(1), Pins.pin(2)]])
        narrower.pins[0].position = .ca
        #expect(try pins() == [[Pins.pin(1)], [Pins.pin(2)]])
        // Sets of one rule all have to match, whatever another rule adds to them.
        narrower.pins = [Pins.set(2), Pins.set(3)]
        #expect(try pins() == [[Pins.pin(1), Pins.pin(2)], [Pins.pin(3)]])
    }

    /// A profile may contain several platforms' files: all of it has to hold.
    @Test func platformsAddUp() throws {
        let rules = [try Self.rule("example.com", .ats, pin: 1), try Self.rule("example.com", .okhttp, pin: 2)]
        #expect(rules.pins(for: try ServerName("example.com"))?.count == 2)
    }
}
