import ProbeKit
import ProbeProfiles
import Testing

/// Attributes that Android does not read, and the part of a file for debuggable builds.
@Suite struct AndroidAttributeTests {
    private static func warnings(_ configs: String) throws -> [FormatNote] { try notes(configs, .warning) }

    private static func notes(_ configs: String, _ severity: FormatNote.Severity) throws -> [FormatNote] {
        let text = "<network-security-config>\n\(configs)</network-security-config>"
        return try ProfileFormat.android.read(Array(text.utf8), FormatContext(path: "f")).notes
            .filter { $0.severity == severity }
    }

    private static let namespace = " xmlns:android='http://schemas.android.com/apk/res/android'"

    private static func config(_ attributes: String, domain: String = "", set: String = "") -> String {
        "<domain-config\(attributes)><domain\(domain)>a.test</domain>"
            + "<pin-set\(set)><pin digest=\"SHA-256\">\(Samples.one)</pin></pin-set></domain-config>"
    }

    @Test(
        "attributes that are misspelled or misplaced are reported with the one that was meant",
        arguments: [
            (config("", domain: " includeSubDomains='true'"), "of <domain>; did you mean 'includeSubdomains'?"),
            (config("", set: " expires='2027-01-01'"), "'expires' of <pin-set>"),
            (config("", set: " expiraton='2027-01-01'"), "of <pin-set>; did you mean 'expiration'?"),
            (config(" includeSubdomains='true'"), "of <domain-config>; it belongs to <domain>"),
            (
                "<base-config><trust-anchors><certificates src='system' overridepins='true'/></trust-anchors></base-config>",
                "did you mean 'overridePins'?"
            ),
            // The platform asks for names without a namespace.
            (
                config("", domain: "\(namespace) android:includeSubdomains='true'"),
                "'android:includeSubdomains' of <domain>; write 'includeSubdomains' without a prefix"
            ),
            (config("", set: "\(namespace) android:includeSubdomains='true'"), "; it belongs to <domain>"),
        ])
    func unread(configs: String, words: String) throws {
        let warnings = try Self.warnings(configs)
        #expect(warnings.map(\.code) == ["unknown-attribute"])
        #expect(warnings.first?.message.hasPrefix("line 2: Android does not read '") == true)
        #expect(warnings.first?.message.contains(words) == true, "\(warnings)")
    }

    @Test func attributesThatAreReadOrOfToolsAreNot() throws {
        let tools = " xmlns:tools='http://schemas.android.com/tools' tools:ignore='x' tools:digest='y'"
        let configs = " cleartextTrafficPermitted='false' hstsEnforced='true'" + tools
        #expect(try Self.warnings(Self.config(configs, domain: " includeSubdomains='true'")) == [])
        #expect(try Self.warnings(Self.config(Self.namespace + " android:label='x'")) == [])
        // Those of a configuration are taken by their local names.
        #expect(try Self.warnings(Self.config(Self.namespace + " android:cleartextTrafficPermitted='true'")) == [])
        // The content of an element that is passed over is not read either.
        #expect(try Self.warnings("<other><domain x='y'>b.test</domain></other>" + Self.config("")) == [])
    }

    private static func debug(_ certificates: String) -> String {
        "<debug-overrides><trust-anchors>\(certificates)</trust-anchors></debug-overrides>"
    }

    @Test(
        "a debuggable build's anchors override pins, unless they say false",
        arguments: [
            ("<debug-overrides/>", []), (debug(""), []), (debug("<certificates src='user'/>"), ["user"]),
            (debug("<certificates src='user' overridePins='true'/>"), ["user"]),
            (debug("<certificates src='user' overridePins='false'/><certificates src='@raw/own'/>"), ["@raw/own"]),
        ] as [(String, [String])])
    func debuggable(configs: String, anchors: [String]) throws {
        #expect(
            try Self.notes(configs, .note).map(\.message)
                == anchors.map { "line 2: debuggable builds don't pin chains that end in '\($0)'" })
    }

    @Test(
        "and crash over anchors that the platform does not know",
        arguments: [
            debug("<certificates src='mine'/>"), debug("<certificates/>"),
            "<debug-overrides><trust-anchors/><trust-anchors/></debug-overrides>",
        ])
    func debuggableCrashes(configs: String) throws {
        let warnings = try Self.warnings(configs)
        #expect(warnings.map(\.code) == ["debug-overrides"])
        #expect(warnings.first?.message.hasSuffix("and a debuggable build crashes over it") == true)
    }
}
