import ProbeKit
import ProbePins
import ProbePlatform
import ProbeProfiles
import Testing

/// Rules that need the profile alone: each with a profile that has the fault and the same one fixed.
@Suite struct OfflineLintTests {
    private static let (one, two, three) = (Pins.text(1), Pins.text(2), Pins.text(3))
    private static let cert = Pins.text(9, .cert)

    private static func service(_ set: String) -> String {
        "services: {api: {url: api.example.com, pins: [{\(set)}]}}"
    }

    private static func rule(_ match: String, _ host: String, _ pins: String, subdomains: Bool = false) -> String {
        "{host: \"\(host)\", match: \(match), includeSubdomains: \(subdomains), pins: [\(pins)]}"
    }

    private static func set(_ pins: String..., more: String = "position: any") -> String {
        "{\(more), anyOf: [\(pins.map { "\"\($0)\"" }.joined(separator: ", "))]}"
    }

    private func expect(
        _ code: String, _ severity: Finding.Severity, in faulty: String, notIn mended: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try Linted.findings(faulty).filter { $0.code == code }
        #expect(found.first?.severity == severity, sourceLocation: sourceLocation)
        #expect(found.allSatisfy { !$0.fix.isEmpty && !$0.path.isEmpty }, sourceLocation: sourceLocation)
        #expect(try !Linted.codes(mended).contains(code), sourceLocation: sourceLocation)
    }

    @Test("[R104] a set without a backup is remarked on")
    func backups() throws {
        let good = Self.service("anyOf: [\"\(Self.one)\", {pin: \"\(Self.two)\", backup: true}]")
        try expect("no-backup-pin", .warning, in: Self.service("anyOf: [\"\(Self.one)\"]"), notIn: good)
        try expect(
            "backup-not-marked", .note, in: Self.service("anyOf: [\"\(Self.one)\", \"\(Self.two)\"]"), notIn: good)
        try expect(
            "only-backups", .warning, in: Self.service("anyOf: [{pin: \"\(Self.one)\", backup: true}]"), notIn: good)
        try expect(
            "backup-is-active", .warning,
            in: Self.service("anyOf: [\"\(Self.one)\", {pin: \"\(Self.one)\", backup: true}]"), notIn: good)
        try expect(
            "duplicate-pin", .warning, in: Self.service("anyOf: [\"\(Self.one)\", \"\(Self.one)\"]"), notIn: good)
    }

    @Test("[R53] one pinned certificate can't be met after its end")
    func singleCertificate() throws {
        try expect(
            "single-certificate-pin", .warning, in: Self.service("anyOf: [\"\(Self.cert)\"]"),
            notIn: Self.service("anyOf: [\"\(Self.cert)\", {pin: \"\(Pins.text(8, .cert))\", backup: true}]"))
        try expect(
            "single-certificate-pin", .warning,
            in: "unlistedHost: system\nservices: {api: {url: a.test, certificates: [a.pem]}}",
            notIn: "unlistedHost: system\nservices: {api: {url: a.test, certificates: [a.pem, b.pem]}}")
    }

    /// The reader refuses these; a profile that was built in code may have them (decided: placeholder-pins).
    @Test func pinsOfNothing() throws {
        func codes(_ digests: [PinDigest], _ kinds: [PinKind] = [.spki, .spki]) throws -> [String] {
            let members = zip(kinds, digests).map { PinSet.Member(Pin(kind: $0, digest: $1)) }
            let service = Service(
                name: "api", target: try Target("a.test"), pins: [PinSet(members, position: .leaf)])
            let profile = Profile(environments: [ProfileEnvironment(services: [service])])
            return ProfileLint(profile).findings(at: .distantPast).filter { $0.severity == .error }.map(\.code)
        }
        let fine = PinDigest.sha256(of: [1])
        #expect(try codes([.sha256(of: [])]) == ["empty-hash-pin"])
        #expect(try codes([PinDigest(words: (0, 0, 0, 0))]) == ["placeholder-pin"])
        for text in [String(repeating: "B", count: 42) + "A=", String(repeating: "A", count: 42) + "E="] {
            #expect(try codes([PinText.pin(.spki, base64: text).digest]) == ["placeholder-pin"], "\(text)")
        }
        #expect(try codes([PinText.pin(.spki, hex: String(repeating: "ab", count: 32)).digest]) == ["placeholder-pin"])
        #expect(try codes([]) == ["empty-pin-set"])
        #expect(try codes([fine, fine], [.spki, .rawkey]) == ["digest-of-two-kinds"])
        #expect(try codes([fine]) == [])
    }

    @Test func setsThatExcludeEachOther() throws {
        func two(_ second: String) -> String {
            "services: {api: {url: a.test, pins: [{position: leaf, anyOf: [\"\(Self.one)\"]}, {position: leaf, anyOf: [\(second)]}]}}"
        }
        try expect(
            "sets-exclude-each-other", .error, in: two("\"\(Self.two)\""),
            notIn: two("\"\(Self.two)\", \"\(Self.one)\""))
        #expect(try !Linted.codes(two("\"\(Self.cert)\"")).contains("sets-exclude-each-other"))
    }

    @Test("[R11] a window is a month, has keys to vouch, and trusts nobody else")
    func windows() throws {
        func window(_ text: String, keys: Bool = true) -> String {
            let key = keys ? "{position: leaf, anyOf: [\"\(Self.one)\"]}, " : ""
            return
                "services: {api: {url: a.test, pins: [\(key){anyOf: [\"\(Self.cert)\"], window: {\(text)}}]}}"
        }
        let good = window("from: 2026-07-27, to: 2026-08-26")
        #expect(try Linted.codes(good).allSatisfy { !$0.hasPrefix("window") })
        try expect("window-too-long", .warning, in: window("from: 2026-07-01, to: 2026-08-26"), notIn: good)
        #expect(try !Linted.codes(window("from: 2026-07-13, to: 2026-08-26")).contains("window-too-long"), "45 days")
        try expect("window-too-short", .warning, in: window("from: 2026-08-13, to: 2026-08-26"), notIn: good)
        try expect("window-too-short", .warning, in: window("from: 2026-08-26, to: 2026-08-26"), notIn: good)
        try expect(
            "window-without-keys", .error, in: window("from: 2026-07-27, to: 2026-08-26", keys: false), notIn: good)
        let trusting = window("from: 2026-07-27, to: 2026-08-26, fallback: system", keys: false)
        try expect("window-trusts-system", .warning, in: trusting, notIn: good)
        #expect(try !Linted.codes(trusting).contains("window-without-keys"))
        try expect("window-over", .warning, in: window("from: 2025-07-20, to: 2025-08-20"), notIn: good)
        try expect(
            "window-without-date", .warning, in: window("from: 2026-07-27, to: 2026-08-26, onMissingDate: lenient"),
            notIn: good)
        try expect(
            "window-on-keys", .error,
            in: Self.service("anyOf: [\"\(Self.one)\"], window: {from: 2026-07-27, to: 2026-08-26}"), notIn: good)
        // It relaxes nothing, and so trusts nobody.
        let idle = try Linted.codes(
            Self.service("anyOf: [\"\(Self.one)\"], window: {from: 2026-07-27, to: 2026-08-26, fallback: system}"))
        #expect(idle.contains("window-on-keys") && !idle.contains("window-trusts-system"), "\(idle)")
    }

    @Test func expiries() throws {
        func hosts(_ match: String, _ expiry: String) -> String {
            "hosts: [\(Self.rule(match, "a.test", Self.set(Self.one, Self.two, more: expiry)))]"
        }
        let good = hosts("android", "position: any, expires: 2027-01-01, afterExpiry: ignore")
        #expect(try Linted.codes(good) == ["backup-not-marked", "scope-of-the-widest"])
        try expect("pins-expired", .error, in: hosts("android", "position: any, expires: 2026-02-28"), notIn: good)
        #expect(
            try Linted.findings(hosts("android", "position: any, expires: 2026-02-28"))[0].message.contains(
                "without a word"))
        try expect(
            "pins-expire-soon", .warning, in: hosts("android", "position: any, expires: 2026-03-20"), notIn: good)
        try expect(
            "platform-has-no-expiry", .warning, in: hosts("okhttp", "position: any, expires: 2027-01-01"), notIn: good)
        try expect(
            "platform-ignores-expired", .note, in: hosts("trustkit", "position: any, expires: 2027-01-01"), notIn: good)
        try expect(
            "pin-expired", .warning, in: Self.service("anyOf: [{pin: \"\(Self.one)\", expires: 2026-02-28}]"),
            notIn: Self.service("anyOf: [{pin: \"\(Self.one)\", expires: 2026-03-01}]"))
    }

    @Test("[R65] pins of CAs decide how wide a set is")
    func scope() throws {
        let leaf = Self.service("position: leaf, anyOf: [\"\(Self.one)\", \"\(Self.two)\"]")
        try expect(
            "scope-of-the-widest", .note,
            in: Self.service("position: first-3, anyOf: [\"\(Self.one)\", \"\(Self.two)\"]"),
            notIn: leaf)
        try expect(
            "ca-scope", .note, in: Self.service("position: ca, anyOf: [\"\(Self.one)\", \"\(Self.two)\"]"), notIn: leaf)
    }

    @Test("of two sets that both have to match, the one for the leaf narrows the one for CAs")
    func narrowedScope() throws {
        func rule(_ sets: String...) -> String {
            "hosts: [\(Self.rule("ats", "a.test", sets.joined(separator: ", ")))]"
        }
        let (leaf, authority) = (Self.set(Self.one, more: "position: leaf"), Self.set(Self.two, more: "position: ca"))
        try expect("ca-scope", .note, in: rule(authority), notIn: rule(leaf, authority))
        #expect(
            try Linted.codes(rule(Self.set(Self.one, more: "position: leaf, enforce: false"), authority))
                .contains("ca-scope"))
        // Rules for one host are one client's.
        let wide = Self.rule("ats", "a.test", leaf, subdomains: true)
        func united(_ services: String) -> String {
            "hosts: [\(wide), \(Self.rule("ats", "api.a.test", authority))]\nservices: {\(services)}"
        }
        try expect("ca-scope", .note, in: united(""), notIn: united("api: api.a.test"))
    }

    /// A remedy that another rule objects to leads in circles.
    @Test("advice about a platform's rule is possible on the platform", arguments: ["android", "trustkit", "okhttp"])
    func adviceOfOneList(match: String) throws {
        func fix(_ code: String, _ sets: String) throws -> String? {
            try Linted.findings("hosts: [\(Self.rule(match, "a.test", sets))]").first { $0.code == code }?.fix
        }
        let widest = try #require(try fix("scope-of-the-widest", Self.set(Self.one, Self.two)))
        #expect(widest == "keep the pins of leaves alone, unless a CA's is meant")
        #expect(try fix("ca-scope", Self.set(Self.one, more: "position: ca"))?.hasPrefix("pin leaves instead") == true)
        #expect(
            try fix("presented-chain", Self.set(Self.one, more: "position: any, chain: presented"))
                == "write chain: validated")
        // The app's own code looks at pins of other kinds, where it likes.
        #expect(
            try fix("scope-of-the-widest", Self.set(Self.one, Self.cert))?.hasPrefix("write position: leaf") == true)
    }

    @Test func platforms() throws {
        func hosts(_ match: String, _ sets: String) -> String { "hosts: [\(Self.rule(match, "a.test", sets))]" }
        let good = hosts("trustkit", Self.set(Self.one, Self.two))
        try expect("trustkit-needs-two-pins", .error, in: hosts("trustkit", Self.set(Self.one)), notIn: good)
        #expect(
            try !Linted.codes(hosts("trustkit", Self.set(Self.one, more: "position: any, enforce: false")))
                .contains("trustkit-needs-two-pins"))
        try expect("kind-not-on-platform", .note, in: hosts("trustkit", Self.set(Self.cert, Self.cert)), notIn: good)
        try expect(
            "position-not-on-platform", .note, in: hosts("android", Self.set(Self.one, more: "position: leaf")),
            notIn: hosts("ats", Self.set(Self.one, more: "position: leaf")))
        try expect("position-not-on-platform", .note, in: hosts("ats", Self.set(Self.one)), notIn: good)
        try expect(
            "no-report-only", .note, in: hosts("okhttp", Self.set(Self.one, more: "position: any, enforce: false")),
            notIn: hosts("trustkit", Self.set(Self.one, more: "position: any, enforce: false")))
        try expect(
            "one-set-on-platform", .warning, in: hosts("android", Self.set(Self.one) + ", " + Self.set(Self.two)),
            notIn: hosts(
                "ats",
                Self.set(Self.one, more: "position: leaf") + ", " + Self.set(Self.two, more: "position: ca")))
    }
}
