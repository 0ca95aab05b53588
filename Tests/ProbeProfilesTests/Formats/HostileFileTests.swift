import Foundation
import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// Files from anywhere: nothing crashes, hangs or unfolds.
@Suite(.bounded) struct HostileFileTests {
    private static let depth = 100_000

    private static func nested(_ open: String, _ close: String) -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    @Test(
        "[R72] bombs and towers end in an error",
        arguments: [
            (.android, nested("<network-security-config>", "</network-security-config>"), "deep"),
            (.apple, "<plist>" + nested("<array>", "</array>") + "</plist>", "deep"),
            (.trustkit, nested("<dict>", "</dict>"), "deep"),
            (
                .android,
                "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><network-security-config>&b;</network-security-config>",
                "entities"
            ),
            (
                .apple,
                "<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist><string>&a;</string></plist>",
                "entities"
            ),
            (.android, "<?xml version=\"1.0\" encoding=\"UTF-16\"?><network-security-config/>", "UTF-16"),
            (.android, "<network-security-config>", "broken XML"), (.android, "", "broken XML"),
            (.nativeYAML, "profile: 1\nname: " + nested("[", "]"), "YAML"),
            (.nativeJSON, "{\"profile\": 1, \"name\": \(nested("[", "]"))}", "YAML"),
            (.wultra, "{\"fingerprints\": \(nested("[", "]"))}", "not a list"),
            (.okhttp, String(repeating: ".add(", count: depth), "deep"),
            (.trustkit, "kTSKPinnedDomains: " + nested("[", "]"), "deep"),
            (.hpkp, "Public-Key-Pins: " + String(repeating: "\"", count: depth), "malformed directive"),
            (.tlsa, String(repeating: "(", count: depth), "parenthesis"),
            (.certColon, String(repeating: ":", count: depth), "hexadecimal"),
        ] as [(ProfileFormat, String, String)])
    func towers(format: ProfileFormat, text: String, words: String) throws {
        let error = try #require(throws: InputError.self) {
            try format.read(Array(text.utf8), FormatContext(path: "f"))
        }
        #expect(error.message.contains(words), "\(error.message.prefix(300))")
        #expect(ProfileFormat.detect(Array(text.utf8)).map { $0 == format } ?? true)
    }

    @Test("[R72] bytes that are no text", arguments: ProfileFormat.allCases)
    func noText(format: ProfileFormat) throws {
        for bytes in [[], [0xff, 0xfe, 0x00], [0x30], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], [0xef, 0xbb, 0xbf]]
            as [[UInt8]]
        {
            #expect(throws: InputError.self) { try format.read(bytes, FormatContext(path: "f")) }
            #expect(ProfileFormat.detect(bytes) == nil)
        }
    }

    /// Each sample with bytes changed, taken out and doubled: read or refused, never more.
    @Test(
        "[R72] broken samples",
        arguments: [
            (.apple, Samples.apple), (.android, Samples.android), (.trustkit, Samples.trustKit),
            (.okhttp, Samples.okHttpKotlin),
            (.hpkp, Samples.hpkp), (.tlsa, Samples.zone), (.wultra, Samples.wultra), (.hex, Samples.hex),
        ] as [(ProfileFormat, String)])
    func brokenSamples(format: ProfileFormat, text: String) {
        let bytes = Array(text.utf8)
        for step in 0..<400 {
            var broken = bytes
            let index = step * 7919 % bytes.count
            switch step % 4 {
            case 0: broken[index] = UInt8(truncatingIfNeeded: step * 31)
            case 1: broken.removeSubrange(index..<min(index + 9, bytes.count))
            case 2: broken.insert(contentsOf: bytes[..<min(index, 40)], at: index)
            default: broken = Array(bytes[..<index])
            }
            do throws(InputError) {
                _ = try format.read(broken, FormatContext(path: "some/where"))
            } catch {
                #expect(error.message.hasPrefix("some/where"), "\(error)")
            }
        }
    }
}
