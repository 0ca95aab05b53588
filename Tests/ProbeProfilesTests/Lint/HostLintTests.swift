import ProbeKit
import ProbePlatform
import ProbeProfiles
import Testing

/// Rules about which hosts pins reach.
@Suite struct HostLintTests {
    private static let pins = "[{position: any, anyOf: [\"\(Pins.text(1))\", \"\(Pins.text(2))\"]}]"
    private static let others = "[{position: any, anyOf: [\"\(Pins.text(1))\", \"\(Pins.text(3))\"]}]"

    private static func rule(_ match: String, _ host: String, _ pins: String = pins, subdomains: Bool = false) -> String
    {
        "{host: \"\(host)\", match: \(match), includeSubdomains: \(subdomains), pins: \(pins)}"
    }

    private static func codes(_ rules: [String], services: String = "{}", facts: LintFacts = LintFacts()) throws
        -> [String]
    {
        try Linted.codes(
            "hosts: [\(rules.joined(separator: ", "))]\nservices: \(services)", facts: facts)
    }

    @Test("[R5] a host two labels below an ATS rule is not pinned")
    func subdomainGap() throws {
        let rules = [Self.rule("ats", "example.com", subdomains: true)]
        #expect(try !Self.codes(rules, services: "{a: math.example.com}").contains("ats-subdomain-gap"))
        let codes = try Self.codes(rules, services: "{a: advanced.math.example.com}")
        #expect(codes.contains("ats-subdomain-gap"))
        #expect(codes.contains("service-unlisted"))
        let both = rules + [Self.rule("android", "example.com", subdomains: true)]
        #expect(
            try Self.codes(both, services: "{a: advanced.math.example.com}").contains("ats-subdomain-gap"),
            "another platform's rule does not help")
        let mended = rules + [Self.rule("ats", "math.example.com", subdomains: true)]
        #expect(try !Self.codes(mended, services: "{a: advanced.math.example.com}").contains("ats-subdomain-gap"))
    }

    @Test func patternsOfOkHttp() throws {
        let star = [Self.rule("okhttp", "*.example.com")]
        #expect(try Self.codes(star, services: "{a: example.com}").contains("okhttp-pattern-gap"))
        #expect(try Self.codes(star, services: "{a: a.b.example.com}").contains("okhttp-pattern-gap"))
        #expect(try !Self.codes(star, services: "{a: a.example.com}").contains("okhttp-pattern-gap"))
        let stars = [Self.rule("okhttp", "**.example.com")]
        #expect(try !Self.codes(stars, services: "{a: example.com}").contains("okhttp-pattern-gap"))
        let narrow = Self.rule("okhttp", "api.example.com", Self.others)
        #expect(try Self.codes(stars + [narrow]).contains("okhttp-unites"))
        #expect(try !Self.codes(stars + [Self.rule("okhttp", "api.example.com")]).contains("okhttp-unites"))
        #expect(try !Self.codes([Self.rule("okhttp", "*.other.com"), narrow]).contains("okhttp-unites"))
    }

    /// The pins of a wider rule that the narrower one has as well add nothing.
    @Test func pinsThatAWiderPatternDoesNotAdd() throws {
        let all = "[{position: any, anyOf: [\"\(Pins.text(1))\", \"\(Pins.text(2))\", \"\(Pins.text(3))\"]}]"
        let narrow = Self.rule("okhttp", "api.example.com", all)
        #expect(try !Self.codes([Self.rule("okhttp", "**.example.com"), narrow]).contains("okhttp-unites"))
    }

    @Test(
        "rules of App Transport Security for one host are united", arguments: ["api.example.com", "b.api.example.com"])
    func rulesOfApple(host: String) throws {
        let narrow = Self.rule("ats", host, Self.others)
        let rules = [Self.rule("ats", "example.com", subdomains: true), narrow]
        let found = try Linted.findings("hosts: [\(rules.joined(separator: ", "))]\nservices: {}")
            .filter { $0.code == "ats-unites" }
        // Subdomains are one label deep.
        #expect(found.map(\.path) == (host == "api.example.com" ? ["hosts[1].host"] : []))
        #expect(found.allSatisfy { $0.severity == .warning && $0.fix.contains("'example.com'") })
        #expect(try !Self.codes([Self.rule("ats", "example.com"), narrow]).contains("ats-unites"))
        #expect(
            try !Self.codes([Self.rule("ats", "example.com", subdomains: true), Self.rule("ats", host)])
                .contains("ats-unites"))
        #expect(
            try !Self.codes([Self.rule("android", "example.com", subdomains: true), narrow]).contains("ats-unites"))
    }

    /// It has the pins of the wider rule, and "not pinned" would be wrong.
    @Test(arguments: [("ats", "example.com", true), ("okhttp", "**.example.com", false)])
    func aRuleWithoutPinsThatAWiderOnePins(platform: String, wide: String, subdomains: Bool) throws {
        let rules = [
            Self.rule(platform, wide, subdomains: subdomains), Self.rule(platform, "api.example.com", "[]"),
        ]
        let codes = try Self.codes(rules)
        #expect(codes.contains("\(platform)-unites") && !codes.contains("rule-without-pins"))
    }

    /// The reader refuses it; a rule that is changed in code may have it (bamlab #9).
    @Test func wildcardsThatAreLetters() throws {
        var rule = try HostRule(pattern: "example.com", semantics: .trustkit)
        rule.pattern = "*.example.com"
        let lint = { ProfileLint(Profile(hosts: [rule])).findings(at: .distantPast).map(\.code) }
        #expect(lint().contains("wildcard-literal"))
        rule.semantics = .okhttp
        #expect(!lint().contains("wildcard-literal"))
        rule.pattern = "api*.example.com"
        #expect(lint().contains("wildcard-literal"))
    }

    @Test func rulesThatAreThereTwiceOrEmpty() throws {
        let twice = try Linted.findings("hosts: [\(Self.rule("android", "a.test")), \(Self.rule("android", "a.test"))]")
        #expect(twice.first { $0.code == "host-twice" }?.severity == .error)
        #expect(try !Self.codes([Self.rule("android", "a.test"), Self.rule("ats", "a.test")]).contains("host-twice"))
        #expect(try Self.codes([Self.rule("android", "a.test", "[]")]).contains("rule-without-pins"))
        #expect(try !Self.codes([Self.rule("android", "a.test")]).contains("rule-without-pins"))
        // An exemption of TrustKit's is meant.
        let rules = [Self.rule("trustkit", "a.test", subdomains: true), Self.rule("trustkit", "b.a.test", "[]")]
        let exempt = try Linted.findings("hosts: [\(rules.joined(separator: ", "))]\nservices: {}")
            .filter { $0.code == "rule-without-pins" }
        #expect(exempt.map(\.severity) == [.note])
    }

    @Test func publicSuffixes() throws {
        let list = PublicSuffixList("// a list\ncom\nco.uk\n*.ck\n!www.ck\nazurewebsites.net\n")
        for suffix in ["com", "co.uk", "any.ck", "azurewebsites.net", "unknown"] {
            #expect(list.contains(suffix), "\(suffix)")
        }
        for domain in ["example.com", "www.ck", "a.any.ck", "uk.com"] { #expect(!list.contains(domain), "\(domain)") }
        func found(_ match: String, _ host: String, subdomains: Bool = true) throws -> Finding.Severity? {
            try Linted.findings(
                "hosts: [\(Self.rule(match, host, subdomains: subdomains))]", facts: LintFacts(publicSuffixes: list)
            ).first { $0.code == "public-suffix" }?.severity
        }
        #expect(try found("trustkit", "azurewebsites.net") == .error)
        #expect(try found("android", "co.uk") == .warning)
        #expect(try found("android", "co.uk", subdomains: false) == nil)
        #expect(try found("trustkit", "mine.azurewebsites.net") == nil)
        #expect(try Self.codes([Self.rule("ats", "a.test", subdomains: true)]).contains("public-suffix-unchecked"))
    }

    /// TrustKit raises an exception at its start.
    @Test func namesBelowNoPublicSuffix() throws {
        let list = PublicSuffixList("com\nco.uk\n*.ck\n")
        func found(_ match: String, _ host: String, _ list: PublicSuffixList?) throws -> Finding.Severity? {
            try Linted.findings("hosts: [\(Self.rule(match, host))]", facts: LintFacts(publicSuffixes: list))
                .first { $0.code == "unknown-public-suffix" }?.severity
        }
        #expect(try found("trustkit", "api.corp", list) == .error)
        #expect(try found("trustkit", "192.0.2.1", list) == .error)
        #expect(try found("trustkit", "api.corp", nil) == nil)
        #expect(try found("android", "api.corp", list) == nil)
        for host in ["example.com", "co.uk", "a.uk", "example.ck", "a.xn--p1ai"] {
            #expect(try found("trustkit", host, list) == nil, "\(host)")
        }
    }

    @Test(
        "[R100] a service that no rule lists",
        arguments: [("fail", Finding.Severity.error), ("system", .warning), ("skip", .warning)])
    func unlisted(_ word: String, severity: Finding.Severity) throws {
        let text = "unlistedHost: \(word)\nhosts: [\(Self.rule("exact", "a.test"))]\nservices: {a: a.test, b: b.test}"
        let found = try Linted.findings(text).filter { $0.code == "service-unlisted" }
        #expect(found.map(\.path) == ["services.b"])
        #expect(found.map(\.severity) == [severity])
    }

    @Test func drift() throws {
        let ios = Self.rule("ats", "a.test")
        #expect(try Self.codes([ios, Self.rule("android", "a.test", Self.others)]).contains("platforms-differ"))
        #expect(try !Self.codes([ios, Self.rule("android", "a.test")]).contains("platforms-differ"))
        let missing = [ios, Self.rule("ats", "b.test"), Self.rule("android", "a.test")]
        #expect(try Self.codes(missing).contains("platform-misses-host"))
        #expect(try !Self.codes([ios, Self.rule("ats", "b.test")]).contains("platform-misses-host"), "one platform")
    }

    @Test("[R97] production is held to its pins")
    func environments() throws {
        func codes(_ name: String, _ pinning: String) throws -> [String] {
            try Linted.codes(
                "environments: {\(name): {pinning: \(pinning), services: {a: {url: a.test, pins: \(Self.pins)}}}}")
        }
        #expect(try codes("production", "off").contains("production-unpinned"))
        #expect(try codes("Prod", "report").contains("production-only-reports"))
        #expect(try codes("production", "enforce").allSatisfy { !$0.hasPrefix("production") })
        #expect(try codes("dev", "off").allSatisfy { !$0.hasPrefix("production") })
        let reporting = Self.pins.replacing("position: any", with: "position: any, enforce: false")
        #expect(try Linted.codes("services: {a: {url: a.test, pins: \(reporting)}}").contains("only-reports"))
        #expect(try !Linted.codes("services: {a: {url: a.test, pins: \(Self.pins)}}").contains("only-reports"))
    }

    @Test func demands() throws {
        #expect(try Linted.findings("minTLS: 1.1").map(\.path) == ["minTLS", "the file"])
        #expect(
            try Linted.findings(
                "environments: {e: {minTLS: 1.0, services: {a: {url: a.test, minTLS: 1.1, pins: \(Self.pins)}}}}"
            )
            .filter { $0.code == "old-tls" }.map(\.path) == [
                "environments.e.minTLS", "environments.e.services.a.minTLS",
            ])
        #expect(try Linted.codes("minTLS: 1.2") == ["lists-nothing"])
    }

    @Test("[R98] services on one host with different pins")
    func neighbours() throws {
        func codes(_ second: String) throws -> [String] {
            try Linted.codes(
                "services: {api: {url: a.test, pins: \(Self.pins)}, socket: {url: \"a.test:8443\", \(second)}}")
        }
        #expect(try codes("pins: \(Self.others)").contains("host-pins-differ"))
        #expect(try !codes("pins: \(Self.pins)").contains("host-pins-differ"))
        #expect(try !codes("shareWith: api").contains("host-pins-differ"))
        #expect(try !codes("pins: \(Self.others), emulate: ecall").contains("host-pins-differ"))
    }
}
