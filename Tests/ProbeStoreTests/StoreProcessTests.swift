import Foundation
import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeStore
import ProbeTestSupport
import StoreWorkload
import Testing

/// Several processes over one file, killed while they write.
@Suite(.bounded) struct StoreProcessTests {
    private static func goodKeys(_ range: Range<Int>) throws -> Set<CacheKey> {
        Set(try range.compactMap { try StoreWorkload.key(.listed, $0) })
    }

    @Test("[R27] two processes at once: every success of both, no failure of either") func twoAtOnce() async throws {
        let scratch = try Scratch()
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for first in [0, 200] {
                group.addTask { try await Writer.start(scratch.path, first: first, count: 200).end() }
            }
            for try await status in group { #expect(status == 0) }
        }
        let kept = try #require(try await scratch.store().contents()).successes.map(\.key)
        #expect(Set(kept) == (try Self.goodKeys(0..<400)))
        #expect(scratch.messages == [])
    }

    /// 4 files with 2 writers each, all killed at some moment after their first write.
    @Test("[R26, R27] kill -9 during writes, 1000 times: the file opens, no failure was cached", arguments: 0..<4)
    func killedThousandTimes(lane: Int) async throws {
        let scratch = try Scratch()
        let good = try Self.goodKeys(0..<16)
        for _ in 0..<125 {
            for writer in try [Writer.start(scratch.path), Writer.start(scratch.path)] {
                try await writer.killWhileWriting(after: .microseconds(Int.random(in: 0..<4000)))
                // The other one may be writing now.
                let kept = try #require(try await scratch.store().contents()?.successes, "the file does not open")
                #expect(!kept.isEmpty && good.isSuperset(of: kept.map(\.key)))
            }
        }
        #expect(scratch.messages == [])
        // Nothing is left of drafts or damage.
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder)
        #expect(Set(names).isSubset(of: ["", "-wal", "-shm", "-lock"].map { "cache.sqlite\($0)" }), "\(names)")
    }
}

/// The program that writes until it is killed; left alone, it exits by itself.
struct Writer: Sendable {
    private let process: Process
    private let output: FileHandle

    private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "store-writer")

    /// - Parameter count: how many names it asks for; 0 asks for sixteen over and over.
    static func start(_ path: StorePath, first: Int = 0, count: Int = 0) throws -> Writer {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = [path.description, "\(first)", "\(count)"]
        process.standardOutput = pipe
        try process.run()
        return Writer(process: process, output: pipe.fileHandleForReading)
    }

    /// Its exit code, or minus the signal that ended it.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                process.waitUntilExit()
                let sign: Int32 = process.terminationReason == .exit ? 1 : -1
                continuation.resume(returning: sign * process.terminationStatus)
            }
        }
    }

    /// Kills it a moment after it has reported that its first success is written.
    func killWhileWriting(after pause: Duration) async throws {
        let said = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: output.readData(ofLength: 1)) }
        }
        #expect(said == Data("w".utf8))
        try await Task.sleep(for: pause)
        kill(process.processIdentifier, SIGKILL)
        #expect(await end() == -SIGKILL)
    }
}
