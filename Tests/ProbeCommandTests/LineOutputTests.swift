import Foundation
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
}
