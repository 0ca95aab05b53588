import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// Archives, stores and encodings that are not read count neither as searched nor as files without certificates.
@Suite(.bounded) struct ForeignFormTests {
    private static func tar(_ content: [UInt8], checksum: Int? = nil) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        header.replaceSubrange(0..<5, with: "a.pem".utf8)
        if let checksum {
            // Six digits, as Unix V7 wrote them.
            header.replaceSubrange(148..<156, with: "  \(String(checksum, radix: 8))\0 ".utf8)
        } else {
            header.replaceSubrange(257..<262, with: "ustar".utf8)
        }
        return header + content + [UInt8](repeating: 0, count: 1024)
    }

    /// The sum of the name and of eight blanks.
    private static let checksum = "a.pem".utf8.reduce(8 * 0x20) { $0 + Int($1) }
    private static let contentType: [UInt8] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7]

    private static let others: [String: [UInt8]] = [
        "zip": [0x50, 0x4b, 3, 4], "xz": [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "bz2": Array("BZh91AY&SY".utf8),
        "p7b": [0x30, 0x82, 3, 0x49] + contentType + [2, 0xa0], "p7c": [0x30, 0x80] + contentType + [2, 0xa0],
        "p12": [0x30, 0x82, 2, 0x39, 2, 1, 3, 0x30, 0x82, 1, 0xf3] + contentType + [1],
        "pfx": [0x30, 0x80, 2, 1, 3, 0x30, 0x80] + contentType + [2],
        "jks": [0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2], "jceks": [0xce, 0xce, 0xce, 0xce, 0, 0, 0, 2],
    ]

    private static func utf16(_ text: [UInt8], isBig: Bool) -> [UInt8] {
        (isBig ? [0xfe, 0xff] : [0xff, 0xfe]) + text.flatMap { isBig ? [0, $0] : [$0, 0] }
    }

    @Test(
        "a file of another form is reported, named and in a folder",
        arguments: [
            ("tar", "tar -xOf "), ("tar-v7", "tar -xOf "), ("tgz", "tar -xOf "), ("tar.zst", "tar -xOf "),
            ("zip", "unzip -p "),
            ("xz", "xz -dc "), ("bz2", "bzip2 -dc "), ("p7b", "openssl pkcs7 -inform DER -print_certs -in "),
            ("p7c", "openssl pkcs7 -inform DER -print_certs -in "), ("p12", "openssl pkcs12 -nokeys -in "),
            ("pfx", "openssl pkcs12 -nokeys -in "), ("jks", "keytool -list -rfc -keystore "),
            ("jceks", "keytool -list -rfc -storetype JCEKS -keystore "), ("u16le", "iconv -f UTF-16 -t UTF-8 "),
            ("u16be", "iconv -f UTF-16 -t UTF-8 "),
        ])
    func reported(_ kind: String, _ remedy: String) async throws {
        let bench = try MatchBench(count: 3)
        let folder = try MatchFolder()
        let tar = Self.tar(bench.pem())
        let bytes: [UInt8]
        switch kind {
        case "tar": bytes = tar
        case "tar-v7": bytes = Self.tar(bench.pem(), checksum: Self.checksum)
        case "u16le", "u16be": bytes = Self.utf16(bench.pem(), isBig: kind == "u16be")
        case "tgz":
            let outside = try MatchFolder()
            bytes = try Array(Data(contentsOf: URL(filePath: try PinSearchTests.gzip(try outside.write(tar, "a")))))
        case "tar.zst": bytes = try PinSearchTests.zstd(tar)
        // Some bytes of PEM that was stored as it is.
        default: bytes = try #require(Self.others[kind]) + [UInt8](repeating: 0, count: 40) + bench.pem()
        }
        // One that is small, and one that is recognised before its end.
        for bytes in [bytes, kind.hasPrefix("t") ? bytes : bytes + [UInt8](repeating: 1, count: 1 << 17)] {
            let path = try folder.write(bytes, "a.\(kind)")
            for input in [path, folder.path] {
                let searched = await Searched([input], bench.pins)
                #expect(searched.error?.message.contains("a.\(kind) is ") == true, "\(searched)")
                #expect(searched.error?.remedy.hasSuffix(remedy + path) == true, "\(searched)")
                #expect(searched.tally?.unfinished == 1 && searched.tally?.passedOver == 0)
            }
        }
    }

    @Test(
        "a header whose sum is another one is not an archive's, and UTF-16 without blocks and keys have no certificates"
    )
    func others() async throws {
        let bench = try MatchBench(count: 3)
        let folder = try MatchFolder()
        let header = Self.tar(bench.pem(), checksum: Self.checksum + 1)
        #expect(await Searched([try folder.write(header, "a.pem")], bench.pins).tally?.certificates == 3)
        _ = try folder.write(Self.utf16(Array("no blocks\n".utf8), isBig: false), "b.txt")
        // A key of PKCS #1 begins with its version, and PKCS #8 has the type of the key.
        _ = try folder.write(
            [0x30, 0x82, 0, 0x40, 2, 1, 3, 0x30, 0x3b, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1], "c")
        let searched = await Searched([folder.path], bench.pins)
        #expect(searched.error == nil && searched.tally?.passedOver == 2, "\(searched)")
    }

    @Test("a text with the mark of a tar archive at its place is a text") func text() async throws {
        let bench = try MatchBench(count: 3)
        let folder = try MatchFolder()
        let text = Array((String(repeating: "x", count: 257) + "ustar \n").utf8)
        let searched = await Searched([try folder.write(text + bench.pem(), "a.pem")], bench.pins)
        #expect(searched.error == nil && searched.tally?.certificates == 3)
    }
}
