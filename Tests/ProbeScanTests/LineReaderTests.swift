import Foundation
import ProbeKit
import ProbePacking
import Testing

@testable import ProbeScan

/// Lines are separated and measured in the same way, wherever they are in a chunk.
@Suite struct LineReaderTests {
    private static let maximum = 1 << 16

    private func withFile<Value>(_ bytes: [UInt8], _ body: (String) async throws -> Value) async throws -> Value {
        let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID())")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file.path)
    }

    private func line(of count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }

    @Test(arguments: [0, 1, 2, 29_000, 35_000, 65_534, 65_535, 65_536], [true, false])
    func theLongestLineIsTheSameAtEveryPlace(_ before: Int, _ endsWithBreak: Bool) async throws {
        let lengths = [before, Self.maximum, Self.maximum + 1, 3, 100_000, 0, 5, 200_000]
        let bytes = Array(lengths.map(line).joined(separator: [0x0a])) + (endsWithBreak ? [0x0a] : [])
        try await withFile(bytes) { path in
            let reader = try LineReader(path, maximumLine: Self.maximum)
            for length in lengths {
                let read = try #require(await reader.next())
                switch read {
                case .text(let bytes): #expect(bytes == line(of: length) && length <= Self.maximum)
                case .tooLong(let told): #expect(told == length && length > Self.maximum)
                }
            }
            for _ in 0..<2 { #expect(try await reader.next() == nil) }
        }
    }

    /// A list of skipped lines also comes to its end.
    @Test func theFirstLineLeavesAByteOrderMarkOut() async throws {
        for text in ["127.0.0.1:1\n127.0.0.1:2\n", ""] {
            try await withFile([0xef, 0xbb, 0xbf] + Array(text.utf8)) { path in
                let lines = try LineReader(path, maximumLine: 100)
                var read: [String] = []
                while case .text(let bytes)? = try await lines.next() {
                    read.append(String(decoding: bytes, as: UTF8.self))
                }
                #expect(read == (text.isEmpty ? [""] : ["127.0.0.1:1", "127.0.0.1:2"]))
                let source = try TargetSource(arguments: [], file: path)
                while try await source.next() != nil {}
                #expect(source.fraction == 1)
            }
        }
    }

    @Test("a packed list has the lines of the plain one, and its share is not known", arguments: [true, false])
    func packedLists(_ isZstd: Bool) async throws {
        let text = (0..<40_000).map { "127.0.0.1:\($0)\n" }.joined() + "last"
        let packed = try await withFile(Array(text.utf8)) { isZstd ? try zstd(Array(text.utf8)) : try gzip($0) }
        try await withFile(packed) { path in
            let lines = try LineReader(path, maximumLine: 100, unpacks: true)
            var read: [String] = []
            while case .text(let bytes)? = try await lines.next() {
                read.append(String(decoding: bytes, as: UTF8.self))
            }
            #expect(read.joined(separator: "\n") == text && lines.isPacked)
            let source = try TargetSource(arguments: [], file: path)
            var count = 0
            while count < 100, try await source.next() != nil { count += 1 }
            #expect(count == 100 && source.fraction == nil)
            // What is written on must not be unpacked: lines would be added to it as they are.
            let plain = try LineReader(path, maximumLine: 1 << 20)
            #expect(try await plain.next() != nil && !plain.isPacked)
        }
        for (bytes, reason) in [
            (Array(packed.dropLast(3)), "cut short"), (packed + [1, 2, 3, 4, 5], "that is broken"),
        ] {
            try await withFile(bytes) { path in
                let lines = try LineReader(path, maximumLine: 100, unpacks: true)
                let error = await #expect(throws: InputError.self) { while try await lines.next() != nil {} }
                #expect(error?.message.contains(reason) == true, "\(error?.message ?? "none")")
            }
        }
    }

    @Test("a list that only begins as a packed one is read as it is", arguments: ["(", "\u{1f}", "(x\n(y", "a", ""])
    func almostPacked(_ text: String) async throws {
        try await withFile(Array(text.utf8)) { path in
            let lines = try LineReader(path, maximumLine: 100, unpacks: true)
            var read: [String] = []
            while case .text(let bytes)? = try await lines.next() {
                read.append(String(decoding: bytes, as: UTF8.self))
            }
            #expect(read.joined(separator: "\n") == text && !lines.isPacked)
        }
    }

    private func zstd(_ bytes: [UInt8]) throws -> [UInt8] {
        let writer = try #require(ZstdWriter())
        return try #require(writer.pack(bytes)) + writer.end()
    }

    private func gzip(_ path: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-nc", path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try Array(output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        return bytes
    }

    @Test func whatWasPassedOverCountsAsRead() async throws {
        let list = Array("127.0.0.1:1\n".utf8) + line(of: 300_000) + Array("\n127.0.0.1:2\n".utf8)
        try await withFile(list) { path in
            let source = try TargetSource(arguments: [], file: path)
            var count = 0
            while try await source.next() != nil { count += 1 }
            #expect(count == 3 && source.fraction == 1)
        }
    }
}
