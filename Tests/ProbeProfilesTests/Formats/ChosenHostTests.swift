import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// One host's pins out of a profile: what its rule then does to other names is reported, and nothing is left out in silence.
@Suite(.bounded) struct ChosenHostTests {
    private static func rule(_ host: String, _ pins: [UInt8], _ match: String = "android", deep: Bool = false) -> String
    {
        let set =
            pins.isEmpty
            ? "" : "{position: any, anyOf: [\(pins.map { "\"\(Pins.text($0))\"" }.joined(separator: ", "))]}"
        return "{host: \"\(host)\", match: \(match)\(deep ? ", includeSubdomains: true" : ""), pins: [\(set)]}"
    }

    /// The losses of a choice.
    private static func losses(
        _ rules: [String], _ format: ProfileFormat, _ more: String = ""
    ) throws -> [FormatLoss] {
        let profile = try ProfileFile.parse(
            "profile: 1\nunlistedHost: system\nhosts: [\(rules.joined(separator: ", "))]\n\(more)", from: "app.yaml")
        return try format.write(profile, host: try ServerName("example.com")).losses.filter { $0.code == "host" }
    }

    /// The hosts whose losses are those of a choice.
    private static func lost(_ rules: [String], _ format: ProfileFormat, _ more: String = "") throws -> [String] {
        try losses(rules, format, more).map(\.subject)
    }

    private static let wide = rule("example.com", [1, 2], deep: true)

    @Test(
        "[R4, R100] a host below the chosen one loses pins of its own, or its exemption",
        arguments: [ProfileFormat.android, .trustkit, .okhttp, .apple, .nativeYAML, .nativeJSON])
    func hostsBelow(format: ProfileFormat) throws {
        #expect(try Self.lost([Self.wide, Self.rule("api.example.com", [3])], format) == ["api.example.com"])
        #expect(try Self.lost([Self.wide, Self.rule("api.example.com", [])], format) == ["api.example.com"])
        let deep = Self.rule("api.example.com", [3], deep: true)
        #expect(try Self.lost([Self.wide, deep], format) == ["api.example.com and below"])
        let service = "services: {api: {url: \"api.example.com:8443\", pins: [{anyOf: [\"\(Pins.text(3))\"]}]}}"
        #expect(try Self.lost([Self.wide], format, service) == ["api.example.com:8443"])
        // The same pins, no name in common, or another host.
        #expect(try Self.lost([Self.wide, Self.rule("api.example.com", [2, 1])], format) == [])
        let narrow = Self.rule("example.com", [1, 2])
        #expect(try Self.lost([narrow, Self.rule("api.example.com", [3])], format) == [])
        #expect(try Self.lost([Self.wide, Self.rule("example.org", [3])], format) == [])
    }

    @Test(
        "rules of OkHttp that are united are apart once one is left out",
        arguments: [ProfileFormat.okhttp, .android, .nativeYAML])
    func unitedPatterns(format: ProfileFormat) throws {
        let rules = [Self.rule("**.example.com", [1], "okhttp"), Self.rule("api.example.com", [2], "okhttp")]
        #expect(try Self.lost(rules, format) == ["api.example.com"])
    }

    /// The reach that is written counts: Apple's rules end one label below the host, and a record is for its owner alone.
    @Test(
        arguments: [
            (ProfileFormat.android, ["v1.api.example.com"]), (.nativeYAML, ["v1.api.example.com"]), (.apple, []),
            (.tlsa, []), (.curl, []),
        ] as [(ProfileFormat, [String])])
    func reaches(format: ProfileFormat, lost: [String]) throws {
        #expect(try Self.lost([Self.wide, Self.rule("v1.api.example.com", [3])], format) == lost)
    }

    @Test(
        "names below the host are not left out in silence",
        arguments: [ProfileFormat.okhttp, .android, .nativeYAML, .hex, .curl])
    func namesBelow(format: ProfileFormat) throws {
        let rules = [Self.rule("example.com", [1], "okhttp"), Self.rule("*.example.com", [2], "okhttp")]
        #expect(try Self.lost(rules, format) == ["*.example.com"])
    }

    @Test("nor are other ports of the host") func portsWithoutAService() throws {
        let service = "services: {api: {url: example.com, pins: [{position: any, anyOf: [\"\(Pins.text(3))\"]}]}}"
        #expect(try Self.lost([Self.rule("example.com", [1])], .android, service) == ["example.com"])
        #expect(try Self.lost([Self.rule("example.com", [3])], .android, service) == [])
        #expect(try Self.lost([Self.rule("example.com", [1])], .nativeYAML, service) == [])
    }

    /// Its service for another host is left out, and its pins are not.
    @Test func sharedPinsStay() throws {
        let profile = try ProfileFile.parse(
            """
            profile: 1
            unlistedHost: system
            services:
              a: {url: example.com, pins: [{position: any, anyOf: ["\(Pins.text(1))"]}]}
              b: {url: b.example.com, shareWith: a}
            """, from: "app.yaml")
        let written = try ProfileFormat.nativeYAML.write(profile, host: try ServerName("b.example.com"))
        let read = try ProfileFormat.nativeYAML.read(written.bytes, FormatContext(path: "b.yaml")).profile
        let service = try #require(read.environments.first?.services.first)
        #expect(service.sharesWith == nil && service.pins.flatMap(\.members).map(\.pin) == [Pins.pin(1)])
    }

    @Test(arguments: [ProfileFormat.android, .nativeYAML]) func theLossNamesThePinsAndWhatComesInTheirPlace(
        format: ProfileFormat
    ) throws {
        let own = try Self.losses([Self.wide, Self.rule("api.example.com", [3])], format)
        #expect(
            own.map(\.description) == [
                "api.example.com: it has pins of its own, which are left out: names there get the pins of example.com and below"
            ])
        let united = [Self.rule("example.com", [1], "okhttp"), Self.rule("*.example.com", [2], "okhttp")]
        #expect(
            try Self.losses(united, format).map(\.description) == [
                "*.example.com: its pins for names below the host are left out"
            ])
    }

    @Test func theLossNamesTheRuleThatCounts() throws {
        let text = Samples.plist(
            """
            <key>TSKPinnedDomains</key><dict>
            <key>example.com</key><dict><key>TSKIncludeSubdomains</key><true/>
            <key>TSKPublicKeyHashes</key><array><string>\(Samples.one)</string><string>\(Samples.two)</string></array></dict>
            <key>api.example.com</key><dict><key>kSKExcludeSubdomainFromParentPolicy</key><true/></dict>
            </dict>
            """)
        let profile = try ProfileFormat.trustkit.read(Array(text.utf8), FormatContext(path: "f")).profile
        let losses = try ProfileFormat.android.write(profile, host: try ServerName("example.com")).losses
        #expect(
            losses.filter { $0.code == "host" }.map(\.description) == [
                "api.example.com: it is exempt, by a rule which is left out: names there get the pins of example.com and below"
            ])
    }
}
