import ProbeKit
import ProbeProfiles
import Testing

/// TrustKit's configuration in each of its usual forms, read as TrustKit reads it.
@Suite struct TrustKitFormsTests {
    private static let pins = "[\"\(Samples.one)\", \"\(Samples.two)\"]"

    private static func read(_ text: String, _ path: String = "f") throws -> Imported {
        try ProfileFormat.trustkit.read(Array(text.utf8), FormatContext(path: path))
    }

    private static let swift = """
        let pins = [
            // the key in use
            "\(Samples.one)",
            "\(Samples.two)",
        ]
        let trustKitConfig: [String: Any] = [
            kTSKSwizzleNetworkDelegates: isTesting ? false : true,
            kTSKPinnedDomains: [
                "example.com": [
                    kTSKIncludeSubdomains: true,
                    kTSKEnforcePinning: false as NSNumber,
                    kTSKExpirationDate: "2027-02-01",
                    kTSKPublicKeyAlgorithms: [kTSKAlgorithmRsa2048],
                    kTSKReportUris: [Config.reportURL],
                    kTSKPublicKeyHashes: pins,
                ] as [String: Any],
                "free.example.com": [kTSKExcludeSubdomainFromParentPolicy: true],
            ],
        ] as [String: Any]
        TrustKit.initSharedInstance(withConfiguration: trustKitConfig)
        """

    private static let objectiveC = """
        #import <TrustKit/TrustKit.h>
        #pragma mark - don't stop here
        #define PIN @"\(Samples.two)"
        NSDictionary *trustKitConfig = @{
            kTSKSwizzleNetworkDelegates: @NO,
            kTSKPinnedDomains: @{
                @"example.com" : @{
                    kTSKIncludeSubdomains: @(YES),
                    kTSKEnforcePinning: @NO,
                    kTSKExpirationDate: @"2027-02-01",
                    kTSKPublicKeyHashes : @[
                        @"\(Samples.one.prefix(20))" @"\(Samples.one.dropFirst(20))",
                        PIN
                    ],
                },
                @"free.example.com": @{ kTSKExcludeSubdomainFromParentPolicy: @YES },
            }};
        [TrustKit initSharedInstanceWithConfiguration:trustKitConfig];
        """

    @Test("dictionaries of Swift and Objective-C are what the property list is", arguments: [swift, objectiveC])
    func dictionaries(text: String) throws {
        let expected = try Self.read(Samples.trustKit)
        let imported = try Self.read(text)
        #expect(imported.profile == expected.profile)
        #expect(imported.notes == expected.notes)
        #expect(ProfileFormat.detect(Array(text.utf8)) == .trustkit)
    }

    @Test(
        "what of a dictionary can't be read is an error that shows its line",
        arguments: [
            "[kTSKPinnedDomains: [\nname: [kTSKPublicKeyHashes: \(pins)]]]",
            "[kTSKPinnedDomains: [\"a.test\": [\nkTSKPublicKeyHashes: pins()]]]",
            "[kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes:\n[\"x\", pin]]]]",
            "[kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: \(pins),\nkTSKIncludeSubdomains: flag]]]",
            "[kTSKPinnedDomains:\nmakeDomains()]",
            "var c = [:]\nc[kTSKPinnedDomains] = x",
            "[kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: \(pins)]]]\nc[kTSKIncludeSubdomains] = true",
            "[kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: \(pins)]]]\n[kTSKPinnedDomains: [:]]",
            "[kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: \(pins),\nkTSKPublicKeyHashes: \(pins)]]]",
            "[kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: \(pins),\n#if DEBUG\nkTSKEnforcePinning: false\n#endif\n]]]",
            "@{ kTSKPinnedDomains: @{ @\"a.test\": @{\nkTSKPublicKeyHashes: [self pins] }}}",
        ])
    func unread(text: String) throws {
        let error = try #require(throws: InputError.self) { try Self.read(text) }
        #expect(error.message.hasPrefix("f:2 "), "\(error.message)")
    }

    private static func plist(_ domains: String) -> String {
        Samples.plist("<key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict>\(domains)</dict></dict>")
    }

    private static func domain(_ name: String, _ more: String = "") -> String {
        "<key>\(name)</key><dict><key>TSKPublicKeyHashes</key><array><string>\(Samples.one)</string><string>\(Samples.two)</string></array>\(more)</dict>"
    }

    @Test("names are compared as they stand, in lowercase", arguments: ["Example.com", "example.com."])
    func neverMatches(name: String) throws {
        let imported = try Self.read(Self.plist(Self.domain(name)))
        #expect(imported.profile.hosts.isEmpty)
        #expect(imported.notes.map(\.code) == ["never-matches"])
    }

    @Test(arguments: [
        ("<true/>", true), ("<false/>", false), ("<integer>1</integer>", true), ("<integer>0</integer>", false),
        ("<string>YES</string>", true), ("<string>no</string>", false), ("<string> +01</string>", true),
        ("<string>0</string>", false),
    ])
    func flagsAsFoundationReadsThem(value: String, isSet: Bool) throws {
        let imported = try Self.read(
            Self.plist(Self.domain("a.test", "<key>TSKIncludeSubdomains</key>\(value)")))
        #expect(imported.profile.hosts.map(\.includesSubdomains) == [isSet])
    }

    /// Foundation's `boolValue` of a number is true unless it is 0.
    @Test(arguments: [("1", true), ("0", false), ("2", true), ("(1)", true), ("(0)", false)])
    func numbersAsFlags(number: String, isSet: Bool) throws {
        let swift =
            "[kTSKPinnedDomains: [\"a.test\": [kTSKIncludeSubdomains: \(number), kTSKPublicKeyHashes: \(Self.pins)]]]"
        let objectiveC =
            "@{ kTSKPinnedDomains: @{ @\"a.test\": @{ kTSKIncludeSubdomains: @\(number),\n"
            + "kTSKPublicKeyHashes: @[@\"\(Samples.one)\", @\"\(Samples.two)\"] } } }"
        for text in [swift, objectiveC] {
            #expect(try Self.read(text).profile.hosts.map(\.includesSubdomains) == [isSet], "\(text)")
            for other in ["1 + 1", "1.5", "count"] {
                let text = text.replacing(
                    "Subdomains: \(text == swift ? "" : "@")\(number)", with: "Subdomains: \(other)")
                let error = try #require(throws: InputError.self, "\(text)") { try Self.read(text) }
                #expect(error.message.hasPrefix("f:1 has a value that can't be read"), "\(error.message)")
            }
        }
    }

    @Test("a list of the file is read by its name, and after its type", arguments: ["all", "Pins.all", "Self.all"])
    func listsByName(name: String) throws {
        let use = "let c: [String: Any] = [kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: \(name)]]]"
        let text = "enum Pins { static let all = \(Self.pins)\nNESTED }\nOUTER"
            .replacing(name == "Pins.all" ? "OUTER" : "NESTED", with: use).replacing("NESTED", with: "")
            .replacing("OUTER", with: "")
        let hosts = try Self.read(text, "f.swift").profile.hosts
        #expect(hosts.flatMap(\.pins).flatMap(\.members).map(\.pin.digest.base64) == [Samples.one, Samples.two])
        let changed = text.replacing("let all", with: "var all") + "\nfunc f() { Pins.all.append(x) }"
        let error = try #require(throws: InputError.self) { try Self.read(changed, "f.swift") }
        #expect(error.message.contains("'all' is changed on line"), "\(error.message)")
    }

    @Test(
        "what TrustKit refuses at its start",
        arguments: [
            (domain("localhost"), "refuses to start"), (domain("192.0.2.1"), "refuses to start"),
            ("<key>a.test</key><dict><key>kSKExcludeSubdomainFromParentPolicy</key><true/></dict>", "no wider rule"),
            // The key as it ought to be is not TrustKit's: the domain has no pins then.
            (
                domain("a.test", "<key>TSKIncludeSubdomains</key><true/>")
                    + "<key>b.a.test</key><dict><key>TSKExcludeSubdomainFromParentPolicy</key><true/></dict>",
                "TSKExcludeSubdomainFromParentPolicy, a key that TrustKit does not know"
            ),
            ("<key>a.test</key><dict><key>TSKIncludeSubdomains</key><true/></dict>", "fewer than 2"),
            ("", "no TSKPinnedDomains"),
        ])
    func refused(domains: String, words: String) throws {
        let error = try #require(throws: InputError.self) { try Self.read(Self.plist(domains)) }
        #expect(error.message.contains(words), "\(error.message)")
    }

    /// Pull request 200 of TrustKit, from before its version 2.0.0.
    @Test func theLongestOfWiderRulesCounts() throws {
        let wide = "<key>TSKIncludeSubdomains</key><true/>"
        let other = Self.domain("b.a.test", wide).replacing(Samples.one, with: Pins.pin(1).digest.base64)
        let imported = try Self.read(Self.plist(Self.domain("a.test", wide) + other))
        #expect(imported.notes.isEmpty, "\(imported.notes)")
        let sets = try #require(try imported.profile.hosts.pins(for: ServerName("c.b.a.test")))
        #expect(sets.flatMap(\.members).map(\.pin).contains(Pins.pin(1)))
        var android = imported.profile
        for index in android.hosts.indices { android.hosts[index].semantics = .android }
        // No public suffix ends in "test", which is a loss of its own where the system has their list.
        let losses = try ProfileFormat.trustkit.write(android).losses.filter { $0.code != "public-suffix" }
        #expect(losses.isEmpty, "\(losses)")
    }

    /// An app with another key crashes at its start; and names below an exempt one are not exempt.
    @Test func exemptionsAreWrittenAsTrustKitHasThem() throws {
        let android = try ProfileFormat.android.read(
            Array(Samples.android.utf8), FormatContext(path: "f")
        ).profile
        let written = try ProfileFormat.trustkit.write(android)
        let text = String(decoding: written.bytes, as: UTF8.self)
        #expect(text.contains("<key>kSKExcludeSubdomainFromParentPolicy</key>"))
        #expect(!text.contains("TSKExclude"))
        #expect(written.losses.map { "\($0.code) \($0.subject)" } == ["subdomains free.example.com and below"])
        #expect(throws: InputError.self) {
            try ProfileFormat.trustkit.write(
                try ProfileFile.parse(
                    "profile: 1\nunlistedHost: system\nhosts: [{host: 192.0.2.1, pins: [{anyOf: [\"spki:sha256:\(Samples.one)\"], position: any}]}]",
                    from: "f"))
        }
    }
}
