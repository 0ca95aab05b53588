import ArgumentParser
import Foundation
import ProbeConformance
import ProbeKit
import ProbePlatform
import Synchronization

/// The run of a search: until its end or a signal, with progress, and what it found in the end.
struct ExplorationRun<Example: Explorable> {
    /// The name of an example, like `chain`.
    let noun: String
    let options: ExploreOptions
    /// The number of examples; nil for any.
    let limit: Int?
    let known: [KnownDifference]
    let output: OutputFile?
    let format: ConformanceFormat
    /// Returns the files of an example, with what is in each.
    let files: (Example) -> [(name: String, bytes: [UInt8])]

    /// Searches, and ends with the exit code of what was found.
    ///
    /// - Parameters:
    ///   - ask: puts a question to every implementation.
    ///   - finish: called before the output.
    func run(
        ask: @escaping @Sendable (Example) async -> ExploredAnswers, finish: () async -> Void = {}
    ) async throws {
        let folder = try options.examples.map(ExampleFolder.init)
        let start = ContinuousClock.now
        // The finds until a signal are reported; a second signal ends the process at once.
        let stopped = Atomic<Int32>(0)
        let interruption = Interruption { signal, count in
            stopped.store(signal, ordering: .relaxed)
            if count > 1 { Departure.now(128 + signal) }
        }
        defer { withExtendedLifetime(interruption) {} }
        let end = options.explore.map { start + .seconds($0) }
        let report = await Exploration<Example>(seed: options.seed ?? 1, ask: ask)
            .run(
                examples: limit,
                while: { stopped.load(ordering: .relaxed) == 0 && (end.map { ContinuousClock.now < $0 } ?? true) },
                progress: progress)
        await finish()
        Terminal.showProgress("")
        var written: [[String]] = []
        for (index, kind) in report.kinds.enumerated() {
            if let folder { written.append(try folder.write(files(kind.example), kind: index + 1)) }
        }
        let names = folder.map { _ in written }
        let text =
            format == .json
            ? report.lines(noun, known: known) { names?[$0 - 1] }.joined(separator: "\n")
            : report.text(nouns, known: known)
        if let output { try output.write(Array((text + "\n").utf8)) } else if !text.isEmpty { Terminal.print(text) }
        if format == .json || output != nil {
            let seconds = start.duration(to: .now).inSeconds
            Terminal.printError(report.summary(nouns, known: known) + String(format: "; %.0f s", seconds))
        }
        let signal = stopped.load(ordering: .relaxed)
        if signal != 0 { throw ExitCode(128 + signal) }
        if report.kinds.contains(where: \.isFault) { throw ExitCode(Outcome.internalError.exitCode) }
        if report.kinds.contains(where: { $0.known(in: known) == nil }) {
            throw ExitCode(Outcome.stacksDisagree.exitCode)
        }
    }

    private var nouns: String { noun == "reply" ? "replies" : noun + "s" }

    private var progress: (@Sendable (Exploration<Example>.Report) -> Void)? {
        guard Terminal.canShowProgress else { return nil }
        let nouns = nouns
        return { report in
            guard report.examples.isMultiple(of: 100) else { return }
            Terminal.showProgress(
                "\(report.examples) \(nouns), \(report.differing) differing, \(report.kinds.count) kinds")
        }
    }
}

/// The folder into which the simplest example of each kind is written.
struct ExampleFolder {
    private let folder: URL

    init(_ path: String) throws(InputError) {
        folder = URL(filePath: path, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw InputError("\(path) can't be made a folder", remedy: "check its disk and your rights")
        }
    }

    /// Writes the files of a kind, and returns their paths.
    func write(_ files: [(name: String, bytes: [UInt8])], kind: Int) throws(InputError) -> [String] {
        var paths: [String] = []
        for (name, bytes) in files {
            let path = folder.appending(path: "kind-\(kind)-\(name)").relativePath
            try OutputFile(path: path).write(bytes)
            paths.append(path)
        }
        return paths
    }
}
