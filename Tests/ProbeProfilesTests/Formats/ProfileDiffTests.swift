import ProbeKit
import ProbeProfiles
import Testing

@Suite struct ProfileDiffTests {
    private static func side(_ format: ProfileFormat, _ text: String) throws -> ProfileDiff.Side {
        let host = try ServerName("example.com")
        return ProfileDiff.Side(
            try format.read(Array(text.utf8), FormatContext(path: "f", host: host)).profile, format: format)
    }

    private static func drifts(_ left: ProfileDiff.Side, _ right: ProfileDiff.Side) -> [String] {
        ProfileDiff(left, right).drifts().map { "\($0.code) \($0.severity.rawValue)" }
    }

    private static func android(_ domain: String, _ pins: [String], _ attributes: String = "") -> String {
        "<network-security-config><domain-config>\(domain)<pin-set\(attributes)>"
            + pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
            + "</pin-set></domain-config></network-security-config>"
    }

    private static func apple(_ pins: [String]) -> String {
        Samples.plist(
            "<key>NSPinnedDomains</key><dict><key>example.com</key><dict><key>NSIncludesSubdomains</key><true/>"
                + "<key>NSPinnedLeafIdentities</key><array>"
                + pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
                + "</array></dict></dict>")
    }

    private static let subdomains = "<domain includeSubdomains=\"true\">example.com</domain>"

    @Test func platformsDifferWithoutDrift() throws {
        let ios = try Self.side(.apple, Self.apple([Samples.one, Samples.two]))
        let android = try Self.side(.android, Self.android(Self.subdomains, [Samples.two, Samples.one]))
        #expect(Self.drifts(ios, android) == ["subdomains platform", "position platform"])
        #expect(Self.drifts(android, ios) == ["subdomains platform", "position platform"])
        #expect(Self.drifts(android, android) == [])
    }

    @Test("[R39] pins that are only in one file are drift") func pins() throws {
        let ios = try Self.side(.apple, Self.apple([Samples.one]))
        let android = try Self.side(.android, Self.android(Self.subdomains, [Samples.one, Samples.two]))
        let drifts = ProfileDiff(ios, android).drifts().filter { $0.severity == .drift }
        #expect(drifts.map(\.code) == ["pins"])
        #expect(drifts.first?.first == nil)
        #expect(drifts.first?.second == "spki:sha256:\(Samples.twoHex)")
    }

    @Test func hostsSubdomainsExpiryAndEnforcement() throws {
        let pins = [Samples.one, Samples.two]
        let plain = try Self.side(.android, Self.android("<domain>example.com</domain>", pins))
        let deep = try Self.side(.android, Self.android(Self.subdomains, pins))
        let ending = try Self.side(.android, Self.android(Self.subdomains, pins, " expiration=\"2027-01-01\""))
        let other = try Self.side(.android, Self.android("<domain>other.test</domain>", pins))
        #expect(Self.drifts(plain, deep) == ["subdomains drift"])
        #expect(Self.drifts(deep, ending) == ["expiry drift"])
        #expect(Self.drifts(plain, other) == ["host drift", "host drift"])
        // OkHttp has no expiry to drift from; TrustKit has, and only reports here.
        let okhttp = try Self.side(.okhttp, pins.map { "**.example.com sha256/\($0)" }.joined(separator: "\n"))
        #expect(Self.drifts(ending, okhttp) == ["expiry platform"])
        let trustKit = try Self.side(.trustkit, Samples.trustKit.replacing("2027-02-01", with: "2027-01-01"))
        #expect(Self.drifts(ending, trustKit) == ["enforcement drift", "host drift"])
    }

    /// Zones and profiles of our own have ports, which may have pins of their own.
    @Test func ports() throws {
        func zone(_ ports: Int...) throws -> ProfileDiff.Side {
            try Self.side(
                .tlsa, ports.map { "_\($0)._tcp.example.com. IN TLSA 3 1 1 \(Samples.oneHex)" }.joined(separator: "\n"))
        }
        let pin = "spki:sha256:\(Samples.oneHex)"
        #expect(try Self.drifts(zone(443), zone(443)) == [])
        #expect(try Self.drifts(zone(443), zone(8443)) == ["host drift", "host drift"])
        let added = try ProfileDiff(zone(443), zone(443, 25)).drifts()
        #expect(added.map(\.subject) == ["example.com:25"] && added.map(\.second) == [pin])
        let native = try Self.side(
            .nativeYAML, "profile: 1\nservices: {a: {url: \"https://example.com:8443\", pins: [{anyOf: [\"\(pin)\"]}]}}"
        )
        #expect(try Self.drifts(native, zone(443)).contains("host drift"))
        func apart(_ pins: [String]) throws -> ProfileDiff.Side {
            try Self.side(
                .tlsa,
                zip([443, 8443], pins).map { "_\($0)._tcp.example.com. IN TLSA 3 1 1 \($1)" }.joined(separator: "\n"))
        }
        let exchanged = try ProfileDiff(
            apart([Samples.oneHex, Samples.twoHex]), apart([Samples.twoHex, Samples.oneHex])
        ).drifts()
        #expect(Set(exchanged.map(\.subject)).isSuperset(of: ["example.com:443", "example.com:8443"]), "\(exchanged)")
        // Android's rules are for every port.
        let android = try Self.side(.android, Self.android("<domain>example.com</domain>", [Samples.one]))
        #expect(try !Self.drifts(android, zone(8443)).contains("host drift"))
    }

    /// Android has no rule for the names below alone, so that each name has all pins: that is shown, beside what it comes of.
    @Test func pinsOfTheNamesBelowAreCompared() throws {
        let (one, two) = (Samples.one, Samples.two)
        let android = try Self.side(.android, Self.android(Self.subdomains, [one, two]))
        func okhttp(_ lines: String...) throws -> ProfileDiff.Side {
            try Self.side(.okhttp, lines.joined(separator: "\n"))
        }
        let apart = try okhttp("example.com sha256/\(one)", "*.example.com sha256/\(two)")
        #expect(Self.drifts(apart, android).contains("groups platform"))
        #expect(Self.drifts(android, apart).contains("groups platform"))
        let alike = try okhttp(
            "example.com sha256/\(one)", "example.com sha256/\(two)", "*.example.com sha256/\(one)",
            "*.example.com sha256/\(two)")
        #expect(Self.drifts(alike, android) == ["subdomains platform"])
    }

    /// A rule of one side alone that repeats a wider one for a name.
    @Test func aRepeatedRuleIsNoDrift() throws {
        func okhttp(_ lines: String...) throws -> ProfileDiff.Side {
            try Self.side(.okhttp, lines.joined(separator: "\n"))
        }
        let wide = "**.example.com sha256/\(Samples.one)"
        let (plain, repeated) = (try okhttp(wide), try okhttp(wide, "a.example.com sha256/\(Samples.one)"))
        #expect(Self.drifts(plain, repeated) == [] && Self.drifts(repeated, plain) == [])
        let more = try okhttp(wide, "a.example.com sha256/\(Samples.two)")
        #expect(Self.drifts(plain, more) == ["pins drift"])
        #expect(ProfileDiff(plain, more).drifts().map(\.subject) == ["a.example.com"])
        let android = try Self.side(.android, Self.android(Self.subdomains, [Samples.one]))
        let narrow = Self.android("<domain>a.example.com</domain>", [Samples.one])
        let both = try Self.side(
            .android,
            Self.android(Self.subdomains, [Samples.one]).replacing("</network-security-config>", with: "")
                + narrow.replacing("<network-security-config>", with: ""))
        #expect(Self.drifts(android, both) == [] && Self.drifts(both, android) == [])
        // One label below is as far as Apple's rules reach.
        let deep = try okhttp(wide, "b.a.example.com sha256/\(Samples.one)")
        let ios = try Self.side(.apple, Self.apple([Samples.one]))
        #expect(Self.drifts(ios, deep).contains("host drift"))
    }

    /// OkHttp takes a pin of any pattern that fits.
    @Test func patternsThatFitAreOneSet() throws {
        let apart = try Self.side(.okhttp, "a.test sha256/\(Samples.one)\n**.a.test sha256/\(Samples.two)")
        let again = try Self.side(
            .okhttp, "a.test sha256/\(Samples.one) sha256/\(Samples.two)\n**.a.test sha256/\(Samples.two)")
        #expect(Self.drifts(apart, again) == [])
        let other = try Self.side(.okhttp, "**.a.test sha256/\(Samples.one) sha256/\(Samples.two)")
        let drifts = ProfileDiff(apart, other).drifts()
        #expect(drifts.map(\.code) == ["groups"])
        #expect(!drifts.contains { $0.first?.contains("must all match") == true })
    }

    private static func native(_ text: String) throws -> ProfileDiff.Side {
        ProfileDiff.Side(
            try ProfileFile.parse("profile: 1\nunlistedHost: system\n" + text, from: "f"), format: .nativeYAML)
    }

    private static let pair = ["spki:sha256:\(Samples.one)", "spki:sha256:\(Samples.two)"]

    /// Two texts with places for two pins, which are filled in both orders.
    @Test(
        "the same parts in another arrangement",
        arguments: [
            "hosts: [{host: a.test, pins: [{anyOf: [<0>], position: leaf}, {anyOf: [<1>], position: ca}]}]",
            "hosts: [{host: a.test, pins: [{anyOf: [<0>], expires: 2027-01-01}, {anyOf: [<1>]}]}]",
            "hosts: [{host: a.test, pins: [{anyOf: [<0>], enforce: false}, {anyOf: [<1>]}]}]",
            "hosts: [{host: a.test, pins: [{anyOf: [<0>]}]}, {host: '*.a.test', match: okhttp, pins: [{anyOf: [<1>]}]}]",
            "services: {web: {url: a.test, pins: [{anyOf: [<0>]}]}, api: {url: a.test, pins: [{anyOf: [<1>]}]}}",
        ])
    func arrangements(text: String) throws {
        func side(_ pins: [String]) throws -> ProfileDiff.Side {
            try Self.native(text.replacing("<0>", with: "\"\(pins[0])\"").replacing("<1>", with: "\"\(pins[1])\""))
        }
        let (left, right) = (try side(Self.pair), try side(Self.pair.reversed()))
        #expect(Self.drifts(left, left) == [])
        let drifts = ProfileDiff(left, right).drifts()
        #expect(!drifts.isEmpty && drifts.allSatisfy { $0.severity == .drift && $0.code == "groups" })
        #expect(drifts.allSatisfy { $0.first != $0.second })
    }

    /// The places of pins are compared beside an expiry that one of the formats has not, and not where it has no places.
    @Test func arrangementsBesideLimitsOfFormats() throws {
        func apple(_ leaf: String, _ authority: String) throws -> ProfileDiff.Side {
            func list(_ key: String, _ pin: String) -> String {
                "<key>\(key)</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict></array>"
            }
            return try Self.side(
                .apple,
                Samples.plist(
                    "<key>NSPinnedDomains</key><dict><key>example.com</key><dict>"
                        + list("NSPinnedLeafIdentities", leaf) + list("NSPinnedCAIdentities", authority)
                        + "</dict></dict>"))
        }
        let native = try Self.native(
            """
            hosts:
            - {host: example.com, match: ats, pins: [{anyOf: ["\(Self.pair[0])"], position: leaf, expires: 2027-01-01},
               {anyOf: ["\(Self.pair[1])"], position: ca, expires: 2027-01-01}]}
            """)
        #expect(try Self.drifts(native, apple(Samples.one, Samples.two)) == ["expiry platform"])
        #expect(try Self.drifts(native, apple(Samples.two, Samples.one)) == ["expiry platform", "groups drift"])
        let android = try Self.side(.android, Self.android("<domain>example.com</domain>", [Samples.one, Samples.two]))
        #expect(
            try Self.drifts(apple(Samples.one, Samples.two), android).allSatisfy { $0.hasSuffix(" platform") })
    }

    @Test func servicesAreComparedByWhatHoldsForThem() throws {
        func side(_ staging: String, _ production: String) throws -> ProfileDiff.Side {
            let services = "services: {api: {url: a.test, pins: [{anyOf: [\"\(Self.pair[0])\"]}]}}"
            return try Self.native(
                "environments: {staging: {pinning: \(staging), \(services)}, production: {pinning: \(production), \(services)}}"
            )
        }
        for other in ["report", "off"] {
            let drifts = try Self.drifts(side(other, "enforce"), side("enforce", other))
            #expect(drifts == ["groups drift", "groups drift"])
        }
        func shared(_ api: String) throws -> ProfileDiff.Side {
            try Self.native(
                """
                services:
                  web: {url: a.test, pins: [{anyOf: ["\(Self.pair[0])"]}]}
                  admin: {url: a.test, pins: [{anyOf: ["\(Self.pair[1])"]}]}
                  api: {url: a.test, \(api)}
                """)
        }
        let (web, admin) = (try shared("shareWith: web"), try shared("shareWith: admin"))
        #expect(Self.drifts(web, admin) == ["groups drift"])
        #expect(try Self.drifts(web, shared("pins: [{anyOf: [\"\(Self.pair[0])\"]}]")) == [])
    }

    @Test func whatAFormatMergesIsNoDrift() throws {
        let okhttp = try Self.side(
            .okhttp, "example.com sha256/\(Samples.one)\n**.example.com sha256/\(Samples.two)")
        let written = try ProfileFormat.android.write(okhttp.profile)
        let android = try Self.side(.android, String(decoding: written.bytes, as: UTF8.self))
        #expect(Self.drifts(okhttp, android).allSatisfy { $0.hasSuffix(" platform") })
    }

    @Test func theOrderOfSetsAndPinsIsNoArrangement() throws {
        let sets = Self.pair.map { "{anyOf: [\"\($0)\"], position: leaf}" }
        let left = try Self.native("hosts: [{host: a.test, pins: [\(sets[0]), \(sets[1])]}]")
        let right = try Self.native("hosts: [{host: a.test, pins: [\(sets[1]), \(sets[0])]}]")
        #expect(Self.drifts(left, right) == [])
    }

    @Test func aNameAndThoseBelowItAreNotHeldToBothSets() throws {
        let okhttp = try Self.side(.okhttp, "a.test sha256/\(Samples.one)\n*.a.test sha256/\(Samples.two)")
        let plain = try Self.side(.okhttp, "a.test sha256/\(Samples.one)")
        let drifts = ProfileDiff(okhttp, plain).drifts()
        #expect(drifts.map(\.code) == ["pins", "subdomains"])
        #expect(!drifts.contains { $0.first?.contains("must all match") == true })
    }

    @Test func certificatePinsHaveNoPlaceOnAndroid() throws {
        let native = ProfileDiff.Side(
            try ProfileFile.parse(
                """
                profile: 1
                unlistedHost: system
                hosts:
                - {host: example.com, pins: [{anyOf: ["spki:sha256:\(Samples.one)"], position: any}, {anyOf: ["\(Samples.colons)"]}]}
                """, from: "f"), format: .nativeYAML)
        let android = try Self.side(.android, Self.android("<domain>example.com</domain>", [Samples.one]))
        #expect(Self.drifts(native, android) == ["pins platform", "position platform", "groups platform"])
    }
}
