import Foundation
import ProbePacking
import ProbeScan
import Synchronization
import Testing

@testable import ProbeCommand

/// Lines that come faster than they are written are written together, each of them whole and in its order.
@Suite struct LineOutputTests {
    /// A pipe whose other end takes little at a time, so that lines have to wait.
    private final class SlowReader: Sendable {
        let pipe = Pipe()
        let text = Mutex("")

        func read() async {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    while let bytes = try? pipe.fileHandleForReading.read(upToCount: 97), !bytes.isEmpty {
                        text.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                    }
                    continuation.resume()
                }
            }
        }
    }

    @Test func linesAreWrittenWholeAndInOrder() async {
        let reader = SlowReader()
        let output = LineOutput(reader.pipe.fileHandleForWriting.fileDescriptor)
        let done = Mutex<[Int]>([])
        let lines = (0..<5000).map { ["first \($0)", "second \($0) \(String(repeating: "x", count: $0 % 100))"] }
        async let read: Void = reader.read()
        for (number, pair) in lines.enumerated() { output.enqueue(pair) { done.withLock { $0.append(number) } } }
        await output.write(["end"])
        #expect(done.withLock { $0 } == Array(0..<5000))
        try? reader.pipe.fileHandleForWriting.close()
        await read
        #expect(reader.text.withLock { $0 } == (lines.flatMap(\.self) + ["end", ""]).joined(separator: "\n"))
    }

    /// Otherwise a file that loses its end could not be cut after the last whole ones.
    @Test("lines that are given together end with a block of a packed file") func blocks() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "probe-output-\(UUID()).zst").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try ContinuedFile(resuming: path, of: "scan")
        let output = LineOutput(file)
        var (length, ends) = (0, Set<Int>())
        for number in 0..<3000 {
            let lines = ["first \(number)", "second \(String(repeating: "x", count: number % 300))"]
            length += lines.reduce(0) { $0 + $1.utf8.count + 1 }
            ends.insert(length)
            output.enqueue(lines)
        }
        await output.finish()
        let blocks = try ZstdBlocks(path, file.descriptor)
        var found = Set<Int>()
        while try blocks.next() != nil { found.insert(blocks.place.unpacked) }
        #expect(found == ends && !blocks.place.isInFrame)
    }
}
