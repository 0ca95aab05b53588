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
        let error = try #require(throws: InputError.self) { try ProfileFile.read(Array(text.utf8), from: "Info.plist") }
        #expect(
            error.message == "Info.plist has pins of App Transport Security and of TrustKit, and the app checks both")
        #expect(error.remedy.contains("once from apple and once from trustkit, and check both"), "\(error.remedy)")
        for format in [ProfileFormat.apple, .trustkit] {
            let read = try ProfileFile.read(Array(text.utf8), from: "Info.plist", format: format)
            #expect(read.imported.profile.hosts.map(\.pattern) == ["a.test"])
        }
    }

    @Test("a file in UTF-16 is refused as such", arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func utf16(encoding: String.Encoding) throws {
        let bytes = Array(try #require(("\u{feff}" + Samples.apple).data(using: encoding)))
        let error = try #require(throws: InputError.self) { try ProfileFile.read(bytes, from: "Info.plist") }
        #expect(error.message == "Info.plist is not UTF-8 text" && error.remedy == "save it as UTF-8")
    }
}
