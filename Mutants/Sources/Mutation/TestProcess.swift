import Foundation
import Synchronization

/// A process that is ended early: by what it prints, or once it only sleeps.
final class TestProcess: Sendable {
    /// The way in which it ended.
    enum End: Equatable {
        /// By itself, with a status or a signal's number.
        case exited(Int32)
        /// By us, after a line that says enough.
        case failed
        /// By us: it waited for what does not come.
        case asleep
    }

    /// For so many looks in a row, at least a quarter of a second apart, it must not have used a processor. One that is
    /// ready to run and gets no turn is not asleep.
    private static let looks = 60

    private let process = Process()
    private let text = Mutex(Data())
    private let exits: AsyncStream<Int32>
    private let outputEnds: AsyncStream<Never>

    /// Starts a program, with more variables than our own.
    init(_ program: URL, _ arguments: [String], in folder: URL, environment: [String: String]) throws {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        exits = stream
        let (ends, last) = AsyncStream<Never>.makeStream()
        outputEnds = ends
        let pipe = Pipe()
        process.executableURL = program
        process.currentDirectoryURL = folder
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = pipe
        process.standardError = pipe
        process.terminationHandler = {
            continuation.yield($0.terminationStatus); continuation.finish()
        }
        pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let bytes = handle.availableData
            self?.text.withLock { $0 += bytes }
            guard bytes.isEmpty else { return }
            handle.readabilityHandler = nil
            last.finish()
        }
        try process.run()
    }

    /// Its output until now.
    var output: String { text.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Waits until it ends, its output says enough, or it only sleeps.
    func end(once says: @Sendable @escaping (String) -> Bool) async -> End {
        await withTaskGroup { group in
            group.addTask { [exits, outputEnds] in
                var end = End.asleep
                for await status in exits { end = .exited(status) }
                for await _ in outputEnds {}
                return end
            }
            group.addTask { await self.watch(says) }
            let first = await group.next() ?? .asleep
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            group.cancelAll()
            return first
        }
    }

    private func watch(_ says: (String) -> Bool) async -> End {
        var asleep = 0
        var used = 0
        while asleep < Self.looks {
            do { try await Task.sleep(for: .milliseconds(asleep < 4 ? 50 : 250)) } catch { return .asleep }
            if says(output) { return .failed }
            let now = ticks()
            asleep = now.map { $0.isRunning || $0.used != used } ?? true ? 0 : asleep + 1
            used = now?.used ?? used
        }
        return .asleep
    }

    /// The processor time that all its threads used, and whether one of them could go on.
    private func ticks() -> (used: Int, isRunning: Bool)? {
        let root = "/proc/\(process.processIdentifier)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: root) else { return nil }
        var used = 0
        var isRunning = false
        for thread in threads {
            guard let stat = try? String(contentsOfFile: "\(root)/\(thread)/stat", encoding: .utf8),
                let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 12
            else { continue }
            used += (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
            isRunning = isRunning || fields[0] != "S"
        }
        return (used, isRunning)
    }
}
