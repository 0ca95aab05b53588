import Foundation
import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// Files whose format is found by their content alone.
@Suite(.bounded) struct DetectionTests {
    @Test("a list of pins that is longer than what is looked at is one still", arguments: ["\n", "\r\n"])
    func longLists(end: String) {
        let lines = (0..<20_000).map { "a\($0).example.test sha256/\(Samples.one)\(end)" }
        let text = lines.joined()
        #expect(text.utf8.count > 1 << 20)
        #expect(ProfileFormat.detect(Array(text.utf8)) == .okhttp)
        let hashes = String(repeating: "spki:sha256:\(Samples.oneHex)\(end)", count: 20_000)
        #expect(ProfileFormat.detect(Array(hashes.utf8)) == .hex)
    }

    /// An app with both holds its servers to both, which neither format alone does.
    @Test func pinsOfTwoPlatforms() throws {
        let identity = "<dict><key>SPKI-SHA256-BASE64</key><string>\(Samples.one)</string></dict>"
        let text = Samples.plist(
            """
            <key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>a.test</key><dict>
            <key>NSPinnedCAIdentities</key><array>\(identity)</array></dict></dict></dict>
            <key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>a.test</key><dict>
            <key>TSKPublicKeyHashes</key><array><string>\(Samples.one)</string><string>\(Samples.two)</string></array>
            </dict></dict></dict>
            """)
        let key = "<key>NSPinnedDomains</key>"
        for other in ["<key>NSPinnedDomains</key >", "<key><![CDATA[NSPinnedDomains]]></key>"] {
            let odd = Array(text.replacing(key, with: other).utf8)
            #expect(throws: InputError.self, "\(other)") { try ProfileFile.read(odd, from: "Info.plist") }
            let apple = Array(Samples.apple.replacing(key, with: other).utf8)
            #expect(try ProfileFile.read(apple, from: "Info.plist").format == .apple)
        }
        let hidden = text.replacing("<key>NSAppT", with: "<key>A</key><string><![CDATA[<!--]]></string><key>NSAppT")
            .replacing("<key>TSKC", with: "<key>B</key><string><![CDATA[-->]]></string><key>TSKC")
        #expect(throws: InputError.self) { try ProfileFile.read(Array(hidden.utf8), from: "Info.plist") }
        let error = try #require(throws: InputError.self) { try ProfileFile.read(Array(text.utf8), from: "Info.plist") }
        #expect(
            error.message == "Info.plist has pins of App Transport Security and of TrustKit, and the app checks both")
        #expect(error.remedy.contains("once from apple and once from trustkit, and check both"), "\(error.remedy)")
        for format in [ProfileFormat.apple, .trustkit] {
            let read = try ProfileFile.read(Array(text.utf8), from: "Info.plist", format: format)
            #expect(read.imported.profile.hosts.map(\.pattern) == ["a.test"])
        }
    }

    private static let pins = "\"sha256/\(Samples.one)\", \"sha256/\(Samples.two)\""

    private static func profile(_ host: String, _ note: String = "") -> String {
        """
        # as the CertificatePinner [and kTSKPinnedDomains] has it
        profile: 1
        name: App, as TSKPinnedDomains has it [iOS]
        services:
          api: {url: "https://\(host)", pins: [{anyOf: [\(pins)]}]}
        \(note)
        """
    }

    /// A configuration with this before its root element.
    private static func android(_ prolog: String) -> String {
        Samples.android.replacing(#/<\?[^>]+>/#, with: prolog)
    }

    /// Words of other formats may stand in the names, notes and comments of any file, and in base64 by chance.
    @Test(
        "a file is of its own format, whatever words are in it",
        arguments: [
            (.nativeYAML, profile("address.example.com")),
            (.nativeYAML, profile("a.test", "# add <network-security-config>")),
            (.nativeYAML, profile("a.test", "# _443._tcp.a.test TLSA\n# Public-Key-Pins: -----BEGIN CERTIFICATE-----")),
            (
                .nativeJSON,
                "{\"profile\": 1, \"pins\": [{\"anyOf\": [\"sha256/faddKADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY=\"]}]}"
            ),
            // JSON is YAML too.
            (.nativeJSON, "{\n\"profile\": 1, \"pins\": [{\"anyOf\": [\(pins)]}]}"),
            (.android, android("<!-- as CertificatePinner.add(\"a\", \(pins)) has it -->")),
            (.android, android("\u{feff}\n <!--\nprofile: 1\n-->")),
            (.apple, Samples.apple.replacing("</plist>", with: "<!-- <key>TSKPinnedDomains</key> --></plist>")),
            (.apple, Samples.apple.replacing("<plist", with: "<!-- <network-security-config> --><plist")),
            (
                .apple,
                Samples.apple.replacing(
                    "<dict><key>NSApp", with: "<dict><key>N</key><string>TSKPinnedDomains</string><key>NSApp")
            ),
            (.trustkit, Samples.trustKit.replacing("</plist>", with: "<!-- <key>NSPinnedDomains</key> --></plist>")),
            (.okhttp, "// as in <network-security-config>\n" + Samples.okHttpKotlin),
            (.okhttp, "/* as in <plist> <key>NSPinnedDomains</key>\nand [TSKPinnedDomains] */" + Samples.okHttpKotlin),
            (.okhttp, "val url = \"https://a.test/[TSKPinnedDomains]\"\n" + Samples.okHttpKotlin),
            (.trustkit, "/* as CertificatePinner.add */ " + swift + " // \"sha256/"),
            (.trustkit, swift + "\nlet name = \"CertificatePinner\""),
            (.trustkit, "/*\n// of TrustKit */\n\(objectiveC)\n/* done */"),
            (.hex, "# as CertificatePinner [and TSKPinnedDomains] add them: \"sha256/\n" + Samples.hex),
            (
                .wultra,
                Samples.wultra.replacing("api.example.com", with: "CertificatePinner add \\\"sha256/ TSKPinnedDomains")
            ),
        ] as [(ProfileFormat, String)])
    func wordsOfOthers(format: ProfileFormat, text: String) throws {
        #expect(ProfileFormat.detect(Array(text.utf8)) == format, "\(text)")
        let read = try ProfileFile.read(Array(text.utf8), from: "f")
        #expect(read.format == format)
    }

    private static let objectiveC =
        "NSDictionary *c = @{kTSKPinnedDomains: @{@\"a.test\": @{kTSKPublicKeyHashes: @[@\"\(Samples.one)\", @\"\(Samples.two)\"]}}};"
    private static let swift =
        "let c = [kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: [\"\(Samples.one)\", \"\(Samples.two)\"]]]]"

    /// An app with both holds its servers to both, and code that can't be cut into tokens is for a reader to refuse.
    @Test(
        "code is of each format that has a word in it outside of comments",
        arguments: [
            (swift + "\nCertificatePinner.Builder()", [.trustkit, .okhttp]),
            (Samples.okHttpKotlin + "\nval c = mapOf(\"TSKPinnedDomains\" to listOf[0])", [.trustkit, .okhttp]),
            ("/* CertificatePinner", [.okhttp]), ("b.add(\"a.test\", \"sha256/\(Samples.one)", [.okhttp]),
            ("/* kTSKPinnedDomains: [", [.trustkit]), ("// CertificatePinner and [TSKPinnedDomains]", []),
            ("note: \"sha256/\(Samples.one)\" # of address.example.com", []), ("kTSKPinnedDomains", []),
            ("text <network-security-config>", []), ("text <plist><key>NSPinnedDomains</key>", []),
        ] as [(String, [ProfileFormat])])
    func code(text: String, formats: [ProfileFormat]) throws {
        guard formats.count != 1 else { return #expect(ProfileFormat.detect(Array(text.utf8)) == formats.first) }
        let error = try #require(throws: InputError.self) { try ProfileFile.read(Array(text.utf8), from: "f") }
        let names = (formats.isEmpty ? ProfileFormat.allCases : formats).map(\.rawValue).joined(separator: ", ")
        #expect(error.remedy.hasSuffix(": \(names)"), "\(error)")
    }

    @Test("a file in UTF-16 is refused as such", arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func utf16(encoding: String.Encoding) throws {
        let bytes = Array(try #require(("\u{feff}" + Samples.apple).data(using: encoding)))
        let error = try #require(throws: InputError.self) { try ProfileFile.read(bytes, from: "Info.plist") }
        #expect(error.message == "Info.plist is not UTF-8 text" && error.remedy == "save it as UTF-8")
    }
}
