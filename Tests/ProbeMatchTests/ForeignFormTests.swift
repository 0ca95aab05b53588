import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// An archive counts neither as searched nor as a file without certificates.
@Suite(.bounded) struct ForeignFormTests {
    private static func tar(_ content: [UInt8]) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        header.replaceSubrange(0..<5, with: "a.pem".utf8)
        header.replaceSubrange(257..<262, with: "ustar".utf8)
        return header + content + [UInt8](repeating: 0, count: 1024)
    }

    private static let others: [String: [UInt8]] = [
        "zip": [0x50, 0x4b, 3, 4], "xz": [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "bz2": Array("BZh91AY&SY".utf8),
    ]

    @Test(
        "an archive is reported, named and in a folder",
        arguments: [
            ("tar", "tar -xOf "), ("tgz", "tar -xOf "), ("tar.zst", "tar -xOf "), ("zip", "unzip -p "),
            ("xz", "xz -dc "), ("bz2", "bzip2 -dc "),
        ])
    func reported(_ kind: String, _ remedy: String) async throws {
        let bench = try MatchBench(count: 3)
        let folder = try MatchFolder()
        let tar = Self.tar(bench.pem())
        let bytes: [UInt8]
        switch kind {
        case "tar": bytes = tar
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

    @Test("a text with the mark of a tar archive at its place is a text") func text() async throws {
        let bench = try MatchBench(count: 3)
        let folder = try MatchFolder()
        let text = Array((String(repeating: "x", count: 257) + "ustar \n").utf8)
        let searched = await Searched([try folder.write(text + bench.pem(), "a.pem")], bench.pins)
        #expect(searched.error == nil && searched.tally?.certificates == 3)
    }
}
