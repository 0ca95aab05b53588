import Foundation
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeTrust
import Testing

/// Content that each format rejects, skips with a note, or reads otherwise than it looks.
@Suite struct StrictnessTests {
    private static func read(
        _ format: ProfileFormat, _ text: String, host: String? = nil, kind: PinKind? = nil
    ) throws -> Imported {
        try format.read(
            Array(text.utf8), FormatContext(path: "f", host: try host.map { try ServerName($0) }, kind: kind))
    }

    private static let ofNothing = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let zeros = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private static func apple(_ domain: String, _ name: String = "example.com") -> String {
        Samples.plist(
            "<key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>\(name)</key><dict>\(domain)</dict></dict></dict>"
        )
    }

    private static func leaf(_ pin: String) -> String {
        "<key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict></array>"
    }

    private static func trustKit(_ domain: String) -> String {
        Samples.plist("<key>TSKPinnedDomains</key><dict><key>example.com</key><dict>\(domain)</dict></dict>")
    }

    private static func android(_ config: String) -> String {
        "<network-security-config>\(config)</network-security-config>"
    }

    private static func pinSet(_ pin: String, _ attributes: String = "digest=\"SHA-256\"") -> String {
        "<pin-set><pin \(attributes)>\(pin)</pin></pin-set>"
    }

    @Test("[R52] what takes App Transport Security away is reported")
    func exceptionsOfATS() throws {
        let pins =
            "<key>NSPinnedDomains</key><dict><key>example.com</key><dict>\(Self.leaf(Pins.pin(1).digest.base64))</dict></dict>"
        func codes(_ more: String) throws -> [String] {
            let text = Samples.plist("<key>NSAppTransportSecurity</key><dict>\(pins + more)</dict>")
            return try Self.read(.apple, text).notes.filter { $0.severity == .warning }.map(\.code)
        }
        #expect(try codes("") == [])
        #expect(try codes("<key>NSAllowsArbitraryLoads</key><false/>") == [])
        #expect(try codes("<key>NSAllowsArbitraryLoads</key><true/>") == ["ats-exception"])
        func domain(_ content: String) throws -> [String] {
            try codes("<key>NSExceptionDomains</key><dict><key>a.test</key><dict>\(content)</dict></dict>")
        }
        for kind in ["", "Temporary", "ThirdParty", "TemporaryThirdParty"] {
            let key = "NS\(kind)Exception"
            for loose in [
                "<key>\(key)AllowsInsecureHTTPLoads</key><true/>", "<key>\(key)RequiresForwardSecrecy</key><false/>",
                "<key>\(key)MinimumTLSVersion</key><string>TLSv1.1</string>",
            ] { #expect(try domain(loose) == ["ats-exception"], "\(loose)") }
            for strict in [
                "<key>\(key)AllowsInsecureHTTPLoads</key><false/>", "<key>\(key)RequiresForwardSecrecy</key><true/>",
                "<key>\(key)MinimumTLSVersion</key><string>TLSv1.3</string>",
            ] { #expect(try domain(strict) == [], "\(strict)") }
        }
        #expect(try domain("<key>NSRequiresCertificateTransparency</key><true/>") == [])
        #expect(try domain("") == [])
    }

    @Test(
        "[R16, R72] what can't be a pin file is refused, with the reason",
        arguments: [
            // Invalid pins, wherever they are.
            (.apple, apple(leaf(ofNothing)), "empty input"), (.apple, apple(leaf(zeros)), "zeros"),
            (.apple, apple(leaf("AAAA")), "32"), (.apple, apple(leaf("")), "32"),
            (
                .trustkit, trustKit("<key>TSKPublicKeyHashes</key><array><string>\(ofNothing)</string></array>"),
                "empty input"
            ),
            (
                .android, android("<domain-config><domain>a.test</domain>\(pinSet(ofNothing))</domain-config>"),
                "empty input"
            ),
            (.okhttp, "a.test sha256/\(ofNothing)", "empty input"), (.curl, "sha256//\(ofNothing)", "empty input"),
            (.hpkp, "pin-sha256=\"\(ofNothing)\"", "empty input"), (.spkiBase64, ofNothing, "empty input"),
            (
                .tlsa,
                "_443._tcp.a.test. IN TLSA 1 1 1 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "empty input"
            ),
            (
                .wultra,
                "{\"fingerprints\": [{\"name\": \"a.test\", \"fingerprint\": \"\(ofNothing)\", \"expires\": 1}]}",
                "empty input"
            ),
            (.hex, "spki:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "empty input"),
            (.spkiBase64, "fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofY-=", "base64url"),
            (.spkiBase64, String(Samples.one.dropLast()), "padding"),
            (.okhttp, "a.test sha256/AAAA", "32"), (.okhttp, "a.test sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "SHA-256"),
            (.okhttp, "a.*.test sha256/\(Samples.one)", "host name"), (.okhttp, "a.test", "no pin"),
            (.okhttp, ".add(HOST, PIN)", "texts or constants"),
            (.okhttp, ".add(\"a.test\", \"\\u0073\")", "no pins"),
            (.okhttp, "// .add(\"a.test\", \"sha256/\(Samples.one)\")", "no pins"),
            (.okhttp, "/* .add(\"a.test\", \"sha256/\(Samples.one)\")", "without an end"),
            (.okhttp, "/* /* .add( */ */ .add(\"a.test\", \"sha256/\(Samples.one)\")", "within a comment"),
            (.okhttp, "x = \".add(\n\"a.test\", \"sha256/\(Samples.one)\")", "without an end"),
            // Values that curl takes for a file, or never matches (decided: curl-text).
            (.curl, "sha256/\(Samples.one)", "key file"), (.curl, "SHA256//\(Samples.one)", "key file"),
            (.curl, "sha256//\(Samples.one); sha256//\(Samples.two)", "blanks"),
            (.curl, "sha256//\(Samples.one);", "';'"), (.curl, "sha256//\(Samples.one.dropLast())", "padding"),
            (.curl, "", "key file"), (.curl, "sha256//\(Samples.one);sha1//\(Samples.two)", "sha256//"),
            (.certColon, "2A:68:A3:EE:5E:6B:4B:0D:32:55:BF:EF:95:60:18:90:AF:D8:07:09", "SHA-1"),
            (.certColon, "SHA1 Fingerprint=2A:68:A3:EE:5E:6B:4B:0D:32:55:BF:EF:95:60:18:90:AF:D8:07:09", "SHA-1"),
            (.certColon, Samples.one, "colons"), (.hex, Samples.oneHex, "hash of"), (.hex, Samples.one, "hash of"),
            (.rawkeyHex, "spki:sha256:\(Samples.oneHex)", "hexadecimal"), (.rawkeyHex, "", "no pins"),
            // Apple.
            (.apple, apple("<key>NSIncludesSubdomains</key><true/>"), "pins nothing"),
            (.apple, apple("<key>NSPinnedLeafIdentities</key><array/>"), "empty"),
            (.apple, apple("<key>NSIncludesSubdomains</key><string>YES</string>\(leaf(Samples.one))"), "<true/>"),
            (.apple, apple("<key>NSIncludesSubdomains</key><integer>1</integer>\(leaf(Samples.one))"), "<true/>"),
            (.apple, apple("<key>NSPinnedLeafIdentities</key><array><dict/></array>"), "SPKI-SHA256-BASE64"),
            (.apple, apple(leaf(Samples.one) + leaf(Samples.two)), "twice"),
            (.apple, "bplist00", "binary"), (.apple, "(a, b)", "broken XML"),
            (.apple, Samples.plist(""), "NSPinnedDomains"),
            // Android.
            (
                .android,
                android(
                    "<domain-config><domain>a.test</domain>\(pinSet(Samples.one, "digest=\"SHA-1\""))</domain-config>"),
                "SHA-1"
            ),
            (
                .android, android("<domain-config><domain>a.test</domain>\(pinSet(Samples.one, ""))</domain-config>"),
                "no digest"
            ),
            (.android, android("<domain-config><domain>a.test</domain>\(pinSet("AAAA"))</domain-config>"), "32"),
            (
                .android,
                android(
                    "<domain-config><domain>a.test</domain><domain>A.test</domain>\(pinSet(Samples.one))</domain-config>"
                ),
                "crash"
            ),
            (
                .android,
                android(
                    "<domain-config><domain>a.test</domain>\(pinSet(Samples.one))\(pinSet(Samples.two))</domain-config>"
                ),
                "two pin-sets"
            ),
            (.android, android("<base-config>\(pinSet(Samples.one))</base-config>"), "base-config"),
            (.android, "<resources/>", "<resources>"),
            (
                .android,
                android(
                    "<domain-config><domain>a.test</domain><pin-set expiration=\"soon\"><pin digest=\"SHA-256\">\(Samples.one)</pin></pin-set></domain-config>"
                ),
                "day"
            ),
            // TrustKit.
            (
                .trustkit, trustKit("<key>TSKPublicKeyHashes</key><array><string>\(Samples.one)</string></array>"),
                "backup"
            ),
            (
                .trustkit,
                trustKit(
                    "<key>TSKPublicKeyHashes</key><array><string>\(Samples.one)</string><string>\(Samples.one)</string></array>"
                ),
                "backup"
            ),
            (
                .trustkit,
                trustKit("<key>kSKExcludeSubdomainFromParentPolicy</key><true/><key>TSKIncludeSubdomains</key><true/>"),
                "exempt"
            ),
            (.hpkp, "Public-Key-Pins: max-age=60", "no pin-sha256"),
            (.hpkp, "Public-Key-Pins: pin-sha256=\"\(Samples.one)\"; max-age=0", "takes the pins away"),
            (
                .hpkp, "Public-Key-Pins: pin-sha256=\"\(Samples.one)\"; pin-sha256=\"\(Samples.two)\"",
                "has no max-age"
            ),
            (.tlsa, "_443._tcp.a.test. IN TLSA 1 1 2 \(Samples.oneHex)\(Samples.oneHex)", "SHA-512 alone"),
            (.tlsa, "_443._tcp.a.test. IN TLSA 1 1 1 00", "32"),
            (.tlsa, "_443._tcp.a.test. IN TLSA 1 1", "not a TLSA record"),
            (.tlsa, "a.test. IN TLSA 1 1 1 \(Samples.oneHex)", "_443._tcp"),
            (.tlsa, "( 1 1 1 \(Samples.oneHex)", "parenthesis"),
            (.tlsa, "_443._tcp.a.test. IN TLSA 1 1 0 3000", "not of the kind SPKI"),
            (.wultra, "{\"fingerprints\": []}", "empty list"),
            (.wultra, "{\"fingerprints\": [{}]}", "not a list of fingerprints"),
            (.wultra, Samples.wultra.replacing("1893456000", with: "1893456000000"), "seconds"),
            (.wultra, Samples.wultra.replacing("1893456000", with: "\(Int64.min)"), "seconds"),
            (.pemCert, "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----", "PRIVATE KEY"),
            (.pemPubkey, KnownRoot.digiCert.pem, "CERTIFICATE"), (.derCert, "0", "not a certificate"),
        ] as [(ProfileFormat, String, String)])
    func isRefused(format: ProfileFormat, text: String, words: String) throws {
        let error = try #require(throws: InputError.self) { try Self.read(format, text) }
        #expect(error.message.contains(words) || error.remedy.contains(words), "\(error)")
        #expect(!error.remedy.isEmpty)
    }

    @Test(
        "[R16] what is passed over is reported",
        arguments: [
            (.okhttp, "a.test sha256/\(Samples.one) sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "sha1", true),
            (
                .hpkp, "Public-Key-Pins: pin-sha256=\"\(Samples.one)\"; pin-sha512=\"AA==\"; max-age=1", "unknown-pin",
                true
            ),
            (.hpkp, "Public-Key-Pins: pin-sha256=\"\(Samples.one)\"; max-age=1", "no-backup", true),
            (
                .hpkp, "Public-Key-Pins-Report-Only: pin-sha256=\"\(Samples.one)\"; max-age=1", "no-backup",
                false
            ),
            (.certColon, Samples.colons.lowercased(), "lowercase", false),
            (.rawkeyHex, "rawkey:\(Samples.oneHex.uppercased())", "uppercase", false),
            (.apple, apple(leaf(Samples.one), "*.example.com"), "never-matches", true),
            (.apple, apple(leaf(Samples.one), "example.com."), "never-matches", true),
            (.apple, apple(leaf(Samples.one), "example.com:443"), "never-matches", true),
            (.apple, apple(leaf(Samples.one), "bücher.test"), "never-matches", true),
            (
                .android, android("<domain-config><domain>bücher.test</domain>\(pinSet(Samples.one))</domain-config>"),
                "never-matches", true
            ),
            (.trustkit, Samples.trustKit.replacing("example.com", with: "bücher.test"), "never-matches", true),
            (.apple, Samples.apple, "both-groups", false),
            (.apple, apple("<key>NSIncludeSubdomains</key><true/>" + leaf(Samples.one)), "unknown-key", true),
            (
                .android, android("<domain-config><domain>*.a.test</domain>\(pinSet(Samples.one))</domain-config>"),
                "never-matches", true
            ),
            (
                .android, android("<domain-config><domain>a.test</domain><pin-set/></domain-config>"), "empty-pin-set",
                true
            ),
            (
                .android,
                android(
                    "<debug-overrides><trust-anchors><certificates src=\"user\"/></trust-anchors></debug-overrides>"),
                "debug-overrides", false
            ),
            (
                .android,
                android(
                    "<base-config><trust-anchors><certificates src=\"user\" overridePins=\"true\"/></trust-anchors></base-config>"
                ),
                "override-pins", true
            ),
            (.android, Samples.android, "expiry", false), (.trustkit, Samples.trustKit, "expiry", false),
            (.tlsa, "_443._tcp.a.test. IN TLSA 3 1 1 \(Samples.oneHex)", "dane-ee", false),
            (.tlsa, "_443._tcp.a.test. IN TLSA 2 1 1 \(Samples.oneHex)", "dane-ta", false),
            (
                .tlsa,
                "_443._tcp.a.test. IN TLSA 1 1 1 \(Samples.oneHex)\n_443._tcp.a.test. IN TLSA 1 1 2 \(Samples.oneHex)\(Samples.oneHex)",
                "sha512", true
            ),
            (
                .tlsa,
                "_443._tcp.a.test. IN TLSA 1 1 1 \(Samples.oneHex)\n_443._tcp.a.test. IN TLSA 0 1 1 \(Samples.twoHex)",
                "mixed-usages", true
            ),
            (.tlsa, Samples.zone + "\nwww A 192.0.2.1", "passed-over", false),
            (.wultra, Samples.wultra, "signature", true),
        ] as [(ProfileFormat, String, String, Bool)])
    func isReported(format: ProfileFormat, text: String, code: String, isWarning: Bool) throws {
        let notes = try Self.read(format, text).notes
        #expect(notes.contains { $0.code == code && ($0.severity == .warning) == isWarning }, "\(notes)")
    }
}
