import Foundation
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeTestSupport
import Testing

/// Apps as they are shipped: an APK's configuration in binary XML, an IPA's Info.plist.
@Suite(.bounded) struct AppPackageTests {
    private static func read(_ format: ProfileFormat, _ bytes: [UInt8]) throws(InputError) -> Imported {
        try format.read(bytes, FormatContext(path: "app"))
    }

    /// The older tool takes `tRue` for true, the newer one does not.
    @Test(
        "an APK is opened for its network security configuration",
        arguments: [(SampleApp.aapt2, false), (SampleApp.aapt, true)])
    func apk(bytes: [UInt8], takesMixedCase: Bool) throws {
        #expect(ProfileFormat.detect(bytes) == .android)
        let imported = try Self.read(.android, bytes)
        #expect(
            imported.profile.hosts.map { "\($0.pattern) \($0.includesSubdomains)" } == [
                "example.com true", "one.test true", "yes.test false", "cap.test true", "mixed.test \(takesMixedCase)",
                "zero.test false",
            ])
        for host in imported.profile.hosts {
            #expect(host.pins.flatMap(\.members).map(\.pin.digest.base64) == [Samples.one, Samples.two])
            #expect(try host.pins.first?.expiry?.last == RFC3339.parse("2027-01-01T00:00:00Z"))
        }
        let warnings = imported.notes.filter { $0.severity == .warning }.map(\.code)
        #expect(warnings == ["override-pins", "not-boolean"] + (takesMixedCase ? [] : ["not-boolean"]))
        #expect(imported.notes.contains { $0.message.hasPrefix("line 7:") })
    }

    /// Every byte of it changed: read or refused, never more.
    @Test(.bounded) func brokenAPKs() {
        for bytes in [SampleApp.aapt2, SampleApp.aapt] {
            for index in stride(from: 0, to: bytes.count, by: 3) {
                for byte in [0xff, bytes[index] ^ 1] as [UInt8] {
                    var broken = bytes
                    broken[index] = byte
                    do throws(InputError) {
                        _ = try Self.read(.android, broken)
                    } catch {
                        #expect(error.message.hasPrefix("app"), "\(error)")
                    }
                }
                #expect(throws: InputError.self) { try Self.read(.android, Array(bytes[..<index])) }
            }
        }
    }

    @Test("an IPA is opened for its Info.plist") func ipa() throws {
        let list = Array(Samples.apple.utf8)
        let bytes = Zip.archive([
            ("Payload/", []), ("Payload/App.app/Info.plist", list), ("Payload/App.app/Other/Info.plist", [1]),
            ("Payload/App.app/PlugIns/Share.appex/Info.plist", [1]),
        ])
        #expect(ProfileFormat.detect(bytes) == .apple)
        let imported = try Self.read(.apple, bytes)
        #expect(try imported.profile == Self.read(.apple, list).profile)
        #expect(imported.notes.contains { $0.code == "extensions" })
        #expect(try ProfileFile.read(bytes, from: "app").format == .apple)
        let trustKit = Zip.archive([("Payload/App.app/Info.plist", Array(Samples.trustKit.utf8))])
        #expect(ProfileFormat.detect(trustKit) == .trustkit)
    }

    @Test(
        "[R72] archives that are no app, or hide something",
        arguments: [
            (Zip.archive([("a.txt", [1])]), "no AndroidManifest.xml"),
            (Zip.archive([("base/manifest/AndroidManifest.xml", [1]), ("BundleConfig.pb", [1])]), "app bundle"),
            (Zip.archive([("Payload/A.app/Info.plist", [1]), ("Payload/B.app/Info.plist", [1])]), "several"),
            (Zip.archive([("Payload/A.app/Info.plist", [1]), ("Payload/A.app/Info.plist", [1])]), "twice"),
            (Zip.archive([("AndroidManifest.xml", [1])]), "not Android's binary XML"),
            (Zip.archive([("Payload/A.app/Info.plist", [1])], method: 99), "unusual"),
            (Zip.archive([("Payload/A.app/Info.plist", [1])], flags: 1), "encrypted"),
            (Zip.archive([("Payload/A.app/Info.plist", [1])], size: 5 << 20), "5242880 bytes"),
            (Zip.archive([("Payload/A.app/Info.plist", [1])], size: 2), "unpacked"),
            (Zip.archive([("Payload/A.app/Info.plist", [1])], checksum: 7), "unpacked"),
            (Array(Zip.archive([("a", [1])]).dropLast()), "no directory"),
        ])
    func refused(bytes: [UInt8], words: String) throws {
        let error = try #require(throws: InputError.self) { try ProfileFile.read(bytes, from: "app") }
        #expect(error.message.contains(words), "\(error.message)")
    }

    /// The directory and the stream have different sizes.
    @Test func aStreamThatIsLargerThanItSays() throws {
        var bytes = SampleApp.aapt2
        let name = Array("res/xml/network_security_config.xml".utf8)
        let entry =
            try #require(
                bytes.indices.last { bytes[$0...].starts(with: name) }
            ) - 46
        #expect(bytes[entry..<entry + 2] == [0x50, 0x4b])
        bytes[entry + 24] -= 1
        let error = try #require(throws: InputError.self) { try Self.read(.android, bytes) }
        #expect(error.message.contains("unpacked"), "\(error.message)")
    }
}

/// Writes archives, files as they are.
enum Zip {
    static func archive(
        _ files: [(name: String, bytes: [UInt8])], method: UInt16 = 0, flags: UInt16 = 0, size: Int? = nil,
        checksum: UInt32? = nil
    ) -> [UInt8] {
        var (bytes, directory) = ([UInt8](), [UInt8]())
        for (name, content) in files {
            let offset = bytes.count
            let fields =
                number(flags) + number(method) + [0, 0, 0, 0] + number(checksum ?? crc(content))
                + number(UInt32(content.count)) + number(UInt32(size ?? content.count))
                + number(UInt16(name.utf8.count))
                + [0, 0]
            bytes += [0x50, 0x4b, 3, 4, 20, 0] + fields + Array(name.utf8) + content
            directory +=
                [0x50, 0x4b, 1, 2, 20, 0, 20, 0] + fields + [UInt8](repeating: 0, count: 10) + number(UInt32(offset))
                + Array(name.utf8)
        }
        let count = number(UInt16(files.count))
        return bytes + directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + count + count + number(UInt32(directory.count))
            + number(UInt32(bytes.count)) + [0, 0]
    }

    private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
    }
}
