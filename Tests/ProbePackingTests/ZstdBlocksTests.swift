import Foundation
import ProbeKit
import ProbePacking
import ProbeTestSupport
import Subprocess
import Testing

/// A packed file can be read to its last whole block wherever it was cut off, and goes on from there.
@Suite struct ZstdBlocksTests {
    private static func lines(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var random = SplitMix(state: seed)
        return (0..<count).map { number in
            Array(#"{"target":"\#(number).test:443","outcome":"pass","id":"\#(random.next())"}"#.utf8) + [0x0a]
        }
    }

    /// Holds a file against the writer that was killed at `cut`, and goes on with it.
    private static func hold(_ frame: WrittenFrame, cutTo cut: Int, in file: PackedFile) throws {
        try file.set(frame.packed[..<cut])
        let (bytes, place) = try file.content()
        #expect(frame.content.starts(with: bytes), "cut to \(cut): something else")
        let whole = try #require(frame.ends.last { $0.packed <= cut })
        #expect(bytes.count >= whole.unpacked, "cut to \(cut): \(bytes.count) of \(whole.unpacked) bytes")
        #expect(place.packed <= cut && place.unpacked == bytes.count && place.canEnd)
        let more = try WrittenFrame(lines(3, seed: 99))
        let end = place.isInFrame ? ZstdWriter.lastBlock : []
        let continued = Array(frame.packed[..<place.packed]) + end + more.packed
        try file.set(continued)
        #expect(try file.content().bytes == bytes + more.content, "cut to \(cut)")
        #expect(try Unpacked.bytes(continued[...], .zstd, limit: 1 << 30) == bytes + more.content, "cut to \(cut)")
    }

    @Test("a file is read to its last whole block wherever it ends") func cutAnywhere() throws {
        let frame = try WrittenFrame(Self.lines(12, seed: 1))
        let file = try PackedFile([])
        for cut in 0...frame.packed.count { try Self.hold(frame, cutTo: cut, in: file) }
        #expect(try file.content().place.isInFrame == false)
    }

    @Test("zeros that a power loss left are the end, wherever they begin; others are not", arguments: [1, 2, 3, 100])
    func finalZeros(_ count: Int) throws {
        let frame = try WrittenFrame(Self.lines(12, seed: 9))
        let file = try PackedFile([])
        let zeros = [UInt8](repeating: 0, count: count)
        for end in frame.ends.dropFirst() {
            try file.set(frame.packed[..<end.packed] + zeros)
            let (bytes, place) = try file.content()
            #expect(bytes == Array(frame.content[..<end.unpacked]) && place.packed == end.packed && place.canEnd)
        }
        for cut in 1..<frame.packed.count {
            let whole = try #require(frame.ends.last { $0.packed <= cut })
            try file.set(frame.packed[..<cut] + zeros)
            #expect(try file.content().bytes.starts(with: frame.content[..<whole.unpacked]), "zeros from \(cut)")
        }
        for more in [zeros, zeros + [UInt8](repeating: 0, count: 300_000)] {
            try file.set(frame.packed + more)
            let (bytes, place) = try file.content()
            #expect(bytes == frame.content && place.packed == frame.packed.count && !place.isInFrame)
            try file.set(frame.packed + more + frame.packed)
            #expect(throws: InputError.self) { try file.content() }
        }
        for refused in [zeros, Array(frame.packed.dropLast(3)) + zeros + frame.packed] {
            try file.set(refused)
            #expect(throws: InputError.self) { try file.content() }
        }
    }

    @Test("blocks of every kind, larger than one, and beside each other") func kinds() throws {
        var random = SplitMix(state: 2)
        let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let pieces = [
            noise, [UInt8](repeating: 0x61, count: 500_000), Array(Self.lines(4000, seed: 3).joined()), [1], noise,
        ]
        let frame = try WrittenFrame(pieces)
        let file = try PackedFile([])
        for cut in [0, 5, 6, 9, frame.packed.count] + frame.ends.flatMap({ [$0.packed - 1, $0.packed, $0.packed + 2] })
        where (0...frame.packed.count).contains(cut) {
            try Self.hold(frame, cutTo: cut, in: file)
        }
        try file.set(frame.packed)
        let blocks = try file.blocks()
        while let block = try blocks.next() { #expect(block.count <= 128 << 10) }
    }

    @Test("a frame that nothing was given has no bytes, and one ends once") func ends() throws {
        let writer = try #require(ZstdWriter())
        #expect(writer.end() == [] && writer.pack([]) == [])
        let first = try #require(writer.pack([1, 2, 3])) + writer.end()
        #expect(writer.end() == [])
        let second = try #require(writer.pack([4])) + writer.end()
        #expect(try PackedFile(first + second).content().bytes == [1, 2, 3, 4])
    }

    @Test("what is not Zstandard's is reported, with its place") func foreign() throws {
        let good = try WrittenFrame(Self.lines(2, seed: 4)).packed
        for (bytes, place) in [
            (Array("{\"a\":1}\n".utf8), 0), ([0x28, 0xb5, 0x2f, 0xfe], 0), (good + [0x0a], good.count),
            (good + [0x1f, 0x8b, 8], good.count), ([0x50, 0x2a, 0x4d, 0x19, 0, 0, 0, 0], 0),
            // A block of the reserved kind.
            (Array(good[..<6]) + [6, 0, 0], 6),
        ] {
            let error = #expect(throws: InputError.self) { try PackedFile(bytes).content() }
            #expect(error?.message.hasSuffix("at byte \(place)") == true, "\(error?.message ?? "none")")
        }
    }

    @Test("changed bytes do no harm", arguments: 0..<4) func hostile(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let frame = try WrittenFrame(Self.lines(40, seed: seed))
        let file = try PackedFile([])
        var refused = 0
        for _ in 0..<500 {
            var bytes = frame.packed
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try file.set(bytes)
            do {
                let (content, place) = try file.content()
                #expect(place.packed <= bytes.count && place.unpacked == content.count)
            } catch is InputError {
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    @Test("frames that hold nothing are passed over, within what was read and beyond") func skipped() throws {
        let frame = try WrittenFrame(Self.lines(2, seed: 8))
        let small = Array(repeatElement([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9] as [UInt8], count: 100).joined())
        let large: [UInt8] = [0x5f, 0x2a, 0x4d, 0x18, 0x40, 0x42, 0x0f, 0] + [UInt8](repeating: 7, count: 1_000_000)
        let file = try PackedFile(small + frame.packed + large + small + frame.packed)
        #expect(try file.content().bytes == frame.content + frame.content)
        for cut in [large.count, 7, 1] {
            try file.set(frame.packed + large.prefix(cut))
            let (bytes, place) = try file.content()
            #expect(bytes == frame.content && !place.isInFrame)
            #expect(place.packed == frame.packed.count + (cut == large.count ? cut : 0))
        }
    }

    private static func zstd(_ arguments: [String]) async throws -> ProgramOutcome {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/zstd") else { try skip("zstd is not installed") }
        return try await ProgramOutcome(of: .name("zstd"), arguments)
    }

    @Test("zstd unpacks what was written, also without an end") func unpackedByZstd() async throws {
        let frame = try WrittenFrame(Self.lines(300, seed: 5))
        let file = try PackedFile(frame.packed)
        #expect(try await Self.zstd(["-q", "-t", file.path]).code == 0)
        #expect(try await Self.zstd(["-q", "-dc", file.path]).output == String(decoding: frame.content, as: UTF8.self))
        let open = try WrittenFrame(Self.lines(300, seed: 5), isEnded: false)
        try file.set(open.packed + ZstdWriter.lastBlock)
        #expect(try await Self.zstd(["-q", "-dc", file.path]).output == String(decoding: frame.content, as: UTF8.self))
        try file.set(open.packed)
        let killed = try await Self.zstd(["-q", "-dc", file.path])
        #expect(killed.code != 0 && killed.output == String(decoding: frame.content, as: UTF8.self))
    }

    @Test(
        "what zstd packed is read, and can't be ended within a frame",
        arguments: [["-1"], ["-19"], ["--no-check"], ["-3", "--no-check", "--no-content-size"], ["--fast=5", "-T2"]])
    func packedByZstd(_ options: [String]) async throws {
        let content = Self.lines(20_000, seed: 6).joined()
        let plain = try PackedFile(Array(content))
        let packed = plain.path + ".zst"
        defer { try? FileManager.default.removeItem(atPath: packed) }
        let outcome = try await Self.zstd(["-q"] + options + [plain.path, "-o", packed])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let bytes = try Array(Data(contentsOf: URL(filePath: packed)))
        // A frame without content that says nothing to us stands before it.
        let file = try PackedFile([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3] + bytes)
        let (read, place) = try file.content()
        #expect(read == Array(content) && !place.isInFrame && place.packed == bytes.count + 11)
        try file.set(bytes.dropLast(5))
        let cut = try file.content().place
        #expect(cut.isInFrame && cut.canEnd == options.contains("--no-content-size"))
    }
}
