import Foundation
import ProbeKit
import ProbePacking
import ProbeTestSupport
import Testing

/// Bytes are unpacked alike in whatever pieces they come, and never into more at once than was said.
@Suite struct UnpackerTests {
    private static let content: [UInt8] = {
        var random = SplitMix(state: 7)
        return Array("a line of text\n".utf8).flatMap { [$0, $0, UInt8.random(in: 0...255, using: &random)] }
            + [UInt8](repeating: 0, count: 70_000)
    }()

    private static func packed(_ packing: Packing) throws -> [UInt8] {
        if packing == .zstd { return try WrittenFrame([content]).packed }
        // `gzip -n`, whose header has ten bytes and whose end has eight.
        let file = try PackedFile(content)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-nc", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try Array(output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        return packing == .gzip ? bytes : Array(bytes.dropFirst(10).dropLast(8))
    }

    private static func unpacked(
        _ bytes: [UInt8], _ packing: Packing, by count: Int, piece: Int
    ) throws -> (bytes: [UInt8], isAtEnd: Bool) {
        let unpacker = try Unpacker(packing, piece: piece)
        var all: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            var next = rest.prefix(count)
            rest = rest.dropFirst(count)
            while let unpacked = try unpacker.next(&next) {
                #expect(unpacked.count <= piece)
                all += unpacked
            }
        }
        return (all, unpacker.isAtEnd)
    }

    @Test("pieces of any size give the same", arguments: [Packing.deflate, .gzip, .zstd]) func sizes(_ packing: Packing)
        throws
    {
        let bytes = try Self.packed(packing)
        // Among the sizes of pieces are those that the content fills exactly.
        for piece in [1000, Self.content.count, Self.content.count / 5, 1 << 20] {
            for count in [1, 7, bytes.count - 1, bytes.count] {
                let (unpacked, isAtEnd) = try Self.unpacked(bytes, packing, by: count, piece: piece)
                #expect(unpacked == Self.content && isAtEnd, "\(count) bytes to \(piece)")
            }
        }
        for count in [1, bytes.count / 2, bytes.count - 1] {
            let (unpacked, isAtEnd) = try Self.unpacked(Array(bytes.prefix(count)), packing, by: 100, piece: 1 << 20)
            #expect(Self.content.starts(with: unpacked) && !isAtEnd, "\(count) bytes of \(bytes.count)")
            #expect(throws: Unpacked.Failure.broken) {
                try Unpacked.bytes(bytes.prefix(count), packing, limit: 1 << 20)
            }
        }
    }

    @Test("several members or frames are one stream", arguments: [Packing.gzip, .zstd]) func several(_ packing: Packing)
        throws
    {
        let bytes = try Self.packed(packing)
        #expect(Packing(of: bytes) == packing)
        for count in [1, bytes.count, 2 * bytes.count] {
            let (unpacked, isAtEnd) = try Self.unpacked(bytes + bytes, packing, by: count, piece: 1 << 20)
            #expect(unpacked == Self.content + Self.content && isAtEnd)
        }
        let padding = [UInt8](repeating: 0, count: 512)
        if packing == .gzip {
            #expect(try Unpacked.bytes((bytes + padding)[...], packing, limit: 1 << 20) == Self.content)
        } else {
            #expect(throws: Unpacked.Failure.broken) {
                try Unpacked.bytes((bytes + padding)[...], packing, limit: 1 << 20)
            }
        }
    }

    @Test("no more is unpacked than is wanted", arguments: [Packing.deflate, .gzip, .zstd]) func limits(
        _ packing: Packing
    )
        throws
    {
        let bytes = try Self.packed(packing)
        #expect(try Unpacked.bytes(bytes[...], packing, limit: Self.content.count) == Self.content)
        #expect(throws: Unpacked.Failure.tooLarge) {
            try Unpacked.bytes(bytes[...], packing, limit: Self.content.count - 1)
        }
        #expect(throws: Unpacked.Failure.broken) { try Unpacked.bytes([], packing, limit: 10) }
    }

    @Test("a frame to be skipped may be the first, and a window that is too large is distinguished from a broken frame")
    func unusualFrames() throws {
        let skipped: [UInt8] = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]
        let bytes = try skipped + Self.packed(.zstd)
        #expect(Packing(of: bytes) == .zstd && Packing.isUndecided([0x50, 0x2a]))
        #expect(try Unpacked.bytes(bytes[...], .zstd, limit: 1 << 20) == Self.content)
        // 512 MiB, with a block of one byte.
        let wide: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0, 19 << 3, 9, 0, 0, 0x61]
        #expect(throws: Unpacked.Failure.stream(.window)) { try Unpacked.bytes(wide[...], .zstd, limit: 10) }
        let error = #expect(throws: InputError.self) { try PackedFile(wide).content() }
        #expect(error?.message.contains("128 MiB") == true)
    }

    @Test("bytes of something else are distinguished from packed ones") func others() {
        #expect(Packing.isUndecided([0x1f, 0x8b]) && Packing.isUndecided([0x28]) && Packing.isUndecided([]))
        #expect(!Packing.isUndecided([0x1f, 0x8b, 8]) && !Packing.isUndecided([0x29]))
        #expect(Packing(of: [0x1f, 0x8b]) == nil && Packing(of: Array("{}".utf8)) == nil && Packing(of: []) == nil)
    }
}
