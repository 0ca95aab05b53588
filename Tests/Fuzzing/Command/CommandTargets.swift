import Foundation
public import FuzzBytes
import ProbeKit
import ProbePacking
import ProbeScan

/// The targets that read what people and earlier runs give to the command.
public let commandTargets: [FuzzTarget] = [.scanLine, .resumeFile, .packedResumeFile]

extension FuzzTarget {
    /// A line of a list of targets: its targets are the same each time, and a range ends where it says.
    static let scanLine = FuzzTarget("scan-line", upTo: 1024) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self), let entry = try? ScanEntry(text) else { return }
        let again = try ScanEntry(text)
        try hold(entry.count > 0 && entry.count == again.count, "an entry has \(entry.count) targets")
        for index in Set([0, entry.count - 1]) {
            try hold(entry[index].id == again[index].id, "two readings of one line are two targets")
        }
        if entry.count > 1 {
            try hold(entry[0].id != entry[entry.count - 1].id, "the first and the last of a range are one target")
        }
    }

    /// The output of an earlier scan: at most an incomplete end is removed from it, and only once.
    static let resumeFile = FuzzTarget(waiting: "resume-file", upTo: 8192) { bytes in
        try await resumeTwice(bytes, ending: "") { left in
            try hold(bytes.starts(with: left), "the file was changed, not cut")
            return left
        }
    }

    /// The same, packed by Zstandard: what is left of it is whole, and reads the same again.
    static let packedResumeFile = FuzzTarget(waiting: "resume-packed", upTo: 8192) { bytes in
        try await resumeTwice(bytes, ending: ".zst") { left in
            guard !left.isEmpty else { return [] }
            do { return try Unpacked.bytes(left[...], .zstd, limit: 1 << 30) } catch {
                throw FuzzFinding("what is left is not whole")
            }
        }
    }

    /// Goes on with a file twice: it is refused and left unchanged, or cut once, to whole lines.
    ///
    /// - Parameter read: returns the lines of what is left.
    private static func resumeTwice(
        _ bytes: [UInt8], ending: String, read: ([UInt8]) throws -> [UInt8]
    ) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "probe-fuzz-\(UUID())\(ending)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            throw FuzzFinding("the file can't be written")
        }
        func content() -> [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }
        let file = try ResumeFile(path, named: path)
        guard let first = try? await file.done(retryingFailed: true) else {
            return try hold(content() == bytes, "a file that is refused was changed")
        }
        let left = content()
        let lines = try read(left)
        try hold(lines.isEmpty || lines.last == UInt8(ascii: "\n"), "the file still ends within a line")
        let second: ScanTally
        do {
            second = try await file.done(retryingFailed: true).tally
        } catch { throw FuzzFinding("the file is refused once it was cut: \(error)") }
        try hold(
            first.tally.targets == second.targets && first.tally.results == second.results,
            "two readings of the file differ")
        try hold(content() == left, "the file was cut twice")
    }
}
