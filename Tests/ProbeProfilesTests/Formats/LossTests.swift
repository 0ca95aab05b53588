import Foundation
import ProbeKit
import ProbeProfiles
import Testing

/// The losses of each format are reported, and nothing becomes stricter or looser silently.
@Suite struct LossTests {
    private static func profile(_ text: String) throws -> Profile {
        try ProfileFile.parse("profile: 1\n" + text, from: "app.yaml")
    }

    private static func rule(_ set: String, _ match: String = "exact", _ more: String = "") throws -> Profile {
        try profile("unlistedHost: system\nhosts: [{host: example.com, match: \(match)\(more), pins: [\(set)]}]")
    }

    private static let spki = "spki:sha256:\(Samples.one)"

    private func losses(_ profile: Profile, _ format: ProfileFormat) throws -> Set<String> {
        Set(try format.write(profile).losses.map(\.code))
    }

    /// A list of pins is read back for one host.
    @Test(arguments: [ProfileFormat.curl, .hex, .spkiBase64]) func listsAreForOneHost(format: ProfileFormat) throws {
        let set = "{anyOf: [\(Self.spki)], position: leaf}"
        func words(_ host: String, _ more: String = "") throws -> [String: String] {
            let text = "unlistedHost: system\nhosts: [{host: \"\(host)\", match: okhttp\(more), pins: [\(set)]}]"
            return Dictionary(
                uniqueKeysWithValues: try format.write(try Self.profile(text)).losses.map { ($0.code, $0.message) })
        }
        let deep = try words("**.example.com")
        #expect(deep["subdomains"]?.hasSuffix("names below it are not pinned") == true, "\(deep)")
        let below = try words("*.example.com")
        #expect(below["subdomains"]?.hasSuffix("the host itself is pinned too") == true, "\(below)")
        #expect(below["host"]?.contains("each name below example.com") == true, "\(below)")
        #expect(try words("example.com")["subdomains"] == nil)
    }

    /// Of two sets that can't both be written, the one that is left out has lost nothing else.
    @Test func aSetThatIsLeftOutHasNoOtherLosses() throws {
        let sets = "{anyOf: [\(Self.spki)], position: leaf}, {anyOf: [\"spki:sha256:\(Samples.two)\"], position: ca}"
        let losses = try ProfileFormat.android.write(try Self.rule(sets)).losses
        #expect(losses.map(\.code) == ["position", "group"], "\(losses)")
        // One that is equal once it is reduced was lost by that.
        let equal = "{anyOf: [\(Self.spki)], position: any}, {anyOf: [\(Self.spki)], position: leaf}"
        #expect(try ProfileFormat.android.write(try Self.rule(equal)).losses.map(\.code) == ["position"])
    }

    @Test(
        "[R3, R12] the parts of a pin set",
        arguments: [
            ("{anyOf: [\(spki)], position: leaf}", .android, ["position"]),
            ("{anyOf: [\(spki)], position: leaf}", .apple, []), ("{anyOf: [\(spki)], position: ca}", .apple, []),
            ("{anyOf: [\(spki)], position: any}", .apple, ["position"]),
            ("{anyOf: [\(spki)], position: any}", .android, []), ("{anyOf: [\(spki)], position: any}", .okhttp, []),
            ("{anyOf: [\(spki)], position: leaf}", .curl, ["host"]),
            ("{anyOf: [\(spki)], position: any}", .curl, ["host", "position"]),
            ("{anyOf: [\(spki)], position: first-3}", .tlsa, ["position", "ports"]),
            ("{anyOf: [\(spki)], position: any}", .tlsa, ["ports"]),
            ("{anyOf: [\(spki)], position: any}", .trustkit, ["too-few-pins"]),
            ("{anyOf: [\(spki), cert:sha256:\(Samples.oneHex)], position: any}", .android, ["kind"]),
            ("{anyOf: [\(spki)], position: any, window: {from: 2026-01-01, to: 2026-02-01}}", .android, ["window"]),
            ("{anyOf: [\(spki)], position: any, chain: presented}", .android, ["chain"]),
            ("{anyOf: [{pin: \"\(spki)\", backup: true}], position: any}", .android, ["backup"]),
            ("{anyOf: [{pin: \"\(spki)\", note: n}], position: any}", .android, ["notes"]),
            ("{anyOf: [{pin: \"\(spki)\", expires: 2027-01-01}], position: any}", .android, ["pin-expiry"]),
            ("{anyOf: [\(spki)], position: any, expires: 2027-01-01}", .android, ["expiry"]),
            ("{anyOf: [\(spki)], position: any, expires: \"2027-01-01T00:00:00Z\", afterExpiry: ignore}", .android, []),
            (
                "{anyOf: [\(spki)], position: any, expires: \"2027-01-01T00:00:00Z\", afterExpiry: ignore}", .okhttp,
                ["expiry"]
            ),
            ("{anyOf: [\(spki)], position: leaf}, {anyOf: [\"spki:sha256:\(Samples.two)\"], position: ca}", .apple, []),
            (
                "{anyOf: [\(spki)], position: leaf}, {anyOf: [\"spki:sha256:\(Samples.two)\"], position: ca}", .android,
                ["position", "group"]
            ),
            (
                "{anyOf: [cert:sha256:\(Samples.oneHex)], position: leaf}", .wultra,
                ["unlisted-host", "pin-expiry", "signature", "host"]
            ),
            (
                "{anyOf: [\(spki)], position: any, enforce: false}, {anyOf: [\(spki)], position: any}", .android,
                ["group"]
            ),
            (
                "{anyOf: [\(spki)], position: any, enforce: false}, {anyOf: [\(spki)], position: any}", .okhttp,
                ["report-only"]
            ),
            ("{anyOf: [\(spki)], position: any, enforce: false}", .android, []),
            ("{anyOf: [\(spki)], position: any, enforce: false}", .trustkit, []),
        ] as [(String, ProfileFormat, Set<String>)])
    func pinSets(set: String, format: ProfileFormat, codes: Set<String>) throws {
        #expect(try losses(try Self.rule(set), format) == codes)
    }

    @Test("what is enforced somewhere is not written as only reported", arguments: [ProfileFormat.android, .trustkit])
    func enforcementWins(format: ProfileFormat) throws {
        let pins = "[{position: any, anyOf: [\"\(Pins.text(1))\", \"\(Pins.text(2))\"]}]"
        let services = "services: {api: {url: a.test, pins: \(pins)}}"
        let profile = try ProfileFile.parse(
            "profile: 1\nunlistedHost: system\nenvironments: {staging: {pinning: report, \(services)}, production: {\(services)}}",
            from: "f")
        let written = try format.write(profile)
        #expect(written.losses.contains { $0.code == "merged" })
        let read = try format.read(written.bytes, FormatContext(path: "f")).profile
        #expect(read.hosts.map { $0.pins.map(\.isEnforced) } == [[true]])
    }

    /// The names below a rule that only reports are not enforced with the pins of a service, nor is it the other way.
    @Test(arguments: [ProfileFormat.android, .trustkit], [true, false])
    func enforcementKeepsItsNames(format: ProfileFormat, isServiceEnforced: Bool) throws {
        func pins(_ first: UInt8, isEnforced: Bool) -> String {
            "[{position: any, anyOf: [\"\(Pins.text(first))\", \"\(Pins.text(first + 1))\"], enforce: \(isEnforced)}]"
        }
        let profile = try Self.profile(
            """
            unlistedHost: system
            hosts: [{host: a.test, match: android, includeSubdomains: true, pins: \(pins(1, isEnforced: !isServiceEnforced))}]
            services: {api: {url: a.test, pins: \(pins(3, isEnforced: isServiceEnforced))}}
            """)
        let written = try format.write(profile)
        let hosts = try format.read(written.bytes, FormatContext(path: "f")).profile.hosts
        func enforced(_ host: String) throws -> [Bool] {
            try hosts.pins(for: ServerName(host))?.map(\.isEnforced) ?? []
        }
        #expect(try enforced("a.test") == [true])
        #expect(try enforced("b.a.test") == (isServiceEnforced ? [] : [true]))
        let loss = written.losses.first { $0.code == "merged" }
        #expect(loss?.message.hasSuffix("for names below it is left out") == isServiceEnforced, "\(written.losses)")
    }

    @Test(
        "[R5] how deep subdomains are pinned",
        arguments: [
            ("ats", .apple, []), ("android", .android, []), ("trustkit", .android, []),
            ("android", .apple, ["subdomains", "position"]),
            ("ats", .android, ["subdomains"]), ("android", .okhttp, []), ("ats", .okhttp, []),
        ] as [(String, ProfileFormat, Set<String>)])
    func depth(match: String, format: ProfileFormat, codes: Set<String>) throws {
        let position = format == .apple && match == "ats" ? "leaf" : "any"
        let profile = try Self.rule(
            "{anyOf: [\(Self.spki)], position: \(position)}", match, ", includeSubdomains: true")
        #expect(try losses(profile, format) == codes)
    }

    @Test("[R1, R58, R96] what goes around pins, and pins that have no form at all") func scopes() throws {
        let profile = try Self.profile(
            """
            name: App
            minTLS: 1.2
            services: {api: {url: "api.test:8443", pins: [{anyOf: [\(Self.spki)], position: any}]}}
            environments: {dev: {pinning: off, services: {x: {url: x.test, pins: [{anyOf: [\(Self.spki)]}]}}}}
            models: [{model: dc, hosts: [m.test]}]
            signers: [{name: s, certificate: s.pem}]
            """)
        let codes: Set = [
            "name", "unlisted-host", "demands", "ports", "services", "environment", "models", "signers",
        ]
        #expect(try losses(profile, .android) == codes)
        let text = String(decoding: try ProfileFormat.android.write(profile).bytes, as: UTF8.self)
        #expect(text.contains("api.test") && !text.contains("x.test"))

        let raw = try Self.rule("{anyOf: [rawkey:sha256:\(Samples.oneHex)]}")
        for format in [ProfileFormat.apple, .android, .trustkit, .okhttp, .curl, .hpkp, .tlsa, .wultra, .certColon] {
            let error = try #require(throws: InputError.self) { try format.write(raw) }
            #expect(error.message.contains("kind"), "\(error)")
        }
        #expect(try losses(raw, .rawkeyHex) == ["host"])
    }

    /// wultra's clients look pins up by the leaf's common name; no other format has that.
    @Test func commonNamesAreOfOneFormat() throws {
        let profile = try Self.profile(
            "pins: [{anyOf: [{pin: \"cert:sha256:\(Samples.oneHex)\", commonName: \"*.example.com\", expires: 2027-01-01}]}]"
        )
        #expect(try losses(profile, .wultra) == ["signature"])
        #expect(try losses(profile, .hex).contains("common-name"))
        let written = try ProfileFormat.wultra.write(profile, host: try ServerName("api.example.com"))
        #expect(String(decoding: written.bytes, as: UTF8.self).contains("\"*.example.com\""))
        #expect(try ProfileFormat.wultra.read(written.bytes, FormatContext(path: "f")).profile == profile)
    }

    @Test func aDigestLeadsNowhere() throws {
        let profile = try Self.rule("{anyOf: [\(Self.spki)], position: any}")
        for format in [ProfileFormat.pemCert, .derCert, .pemPubkey, .derPubkey] {
            let error = try #require(throws: InputError.self) { try format.write(profile) }
            #expect(error.message.contains("lead back"))
        }
    }

    @Test func severalHostsNeedAChoice() throws {
        let profile = try Self.profile(
            "hosts: [{host: a.test, pins: [{anyOf: [\(Self.spki)]}]}, {host: b.test, pins: [{anyOf: [\(Self.spki)]}]}]")
        let error = try #require(throws: InputError.self) { try ProfileFormat.curl.write(profile) }
        #expect(error.message.contains("a.test") && error.remedy == "choose one host")
        let written = try ProfileFormat.curl.write(profile, host: try ServerName("b.test"))
        #expect(String(decoding: written.bytes, as: UTF8.self) == "sha256//\(Samples.one)\n")
        #expect(throws: InputError.self) { try ProfileFormat.curl.write(profile, host: try ServerName("c.test")) }
    }

    /// A list of pins would let either service's pass at the other's port.
    @Test func portsWithPinsOfTheirOwnAreNotMerged() throws {
        func profile(_ second: String) throws -> Profile {
            try Self.profile(
                "services: {a: {url: \"https://a.test\", pins: [{anyOf: [\(Self.spki)]}]}, "
                    + "b: {url: \"https://a.test:8443\", pins: [{anyOf: [\(second)]}]}}")
        }
        let host = try ServerName("a.test")
        for format in [ProfileFormat.curl, .hpkp, .hex, .spkiBase64] {
            let error = try #require(throws: InputError.self) {
                try format.write(try profile("\"spki:sha256:\(Samples.two)\""), host: host)
            }
            #expect(error.message.contains("a.test:443, a.test:8443"), "\(error)")
            let text = String(decoding: try format.write(try profile(Self.spki), host: host).bytes, as: UTF8.self)
            #expect(text.count { $0 == "\n" } == 1, "\(text)")
        }
    }

    /// The longest rule wins on Android, OkHttp unites them.
    @Test func rulesForOneNameAreWeighedDifferently() throws {
        let profile = try Self.profile(
            """
            unlistedHost: system
            hosts:
            - {host: example.com, match: android, includeSubdomains: true, pins: [{anyOf: [\(Self.spki)], position: any}]}
            - {host: api.example.com, match: android, pins: [{anyOf: ["spki:sha256:\(Samples.two)"], position: any}]}
            """)
        #expect(try losses(profile, .android) == [])
        #expect(try losses(profile, .okhttp) == ["overlap"])
    }

    /// Both readings of two rules may give a name the same pins.
    @Test(arguments: [
        ([1, 2], [1, 2], false), ([1, 2], [2, 1], false), ([1], [1, 2], false), ([1, 2], [1], true), ([1], [2], true),
    ])
    func rulesWithTheSameEffectLoseNothing(wider: [UInt8], narrower: [UInt8], isLost: Bool) throws {
        func rule(_ host: String, _ pins: [UInt8]) -> String {
            let pins = pins.map { "\"\(Pins.text($0))\"" }.joined(separator: ", ")
            return
                "{host: \(host), match: android, includeSubdomains: true, pins: [{anyOf: [\(pins)], position: any}]}"
        }
        let profile = try Self.profile(
            "unlistedHost: system\nhosts: [\(rule("example.com", wider)), \(rule("dev.example.com", narrower))]")
        #expect(try losses(profile, .okhttp) == (isLost ? ["overlap"] : []))
        #expect(try losses(profile, .apple).contains("overlap") == isLost)
    }

    /// A record is for its owner alone, and Apple's rules end one label below: a wider rule that is not for a name once it is
    /// written counts there no more.
    @Test(arguments: [(ProfileFormat.tlsa, "api.example.com"), (.apple, "b.a.example.com")])
    func writtenReachesDecide(format: ProfileFormat, name: String) throws {
        for (match, isLost) in [("android", false), ("okhttp", true)] {
            let wider =
                match == "okhttp"
                ? "host: \"**.example.com\", match: okhttp"
                : "host: example.com, match: android, includeSubdomains: true"
            let profile = try Self.profile(
                """
                unlistedHost: system
                hosts:
                - {\(wider), pins: [{anyOf: [\(Self.spki)], position: any}]}
                - {host: \(name), match: \(match), pins: [{anyOf: ["spki:sha256:\(Samples.two)"], position: any}]}
                """)
            let overlaps = try format.write(profile).losses.filter { $0.code == "overlap" }
            #expect(!overlaps.isEmpty == isLost, "\(overlaps)")
            #expect(overlaps.allSatisfy { $0.message.hasSuffix("once written its own count alone") }, "\(overlaps)")
        }
    }

    /// Apple unites the leaf pins of all rules and their CA pins, OkHttp all pins.
    @Test(arguments: [("leaf", "leaf", false), ("leaf", "ca", true)])
    func rulesOfApplesForOneNameAreUnited(wider: String, narrower: String, isLost: Bool) throws {
        let profile = try Self.profile(
            """
            unlistedHost: system
            hosts:
            - {host: example.com, match: ats, includeSubdomains: true, pins: [{anyOf: [\(Self.spki)], position: \(wider)}]}
            - {host: api.example.com, match: ats, pins: [{anyOf: ["spki:sha256:\(Samples.two)"], position: \(narrower)}]}
            """)
        #expect(try losses(profile, .apple) == [])
        let overlaps = try ProfileFormat.okhttp.write(profile).losses.filter { $0.code == "overlap" }
        #expect(!overlaps.isEmpty == isLost)
        #expect(overlaps.allSatisfy { $0.message.contains("a leaf pin of either rule does, and a CA pin of either") })
        #expect(try ProfileFormat.android.write(profile).losses.contains { $0.code == "overlap" })
    }
}
