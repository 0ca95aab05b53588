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
        let kept = folder.map { folder in
            report.kinds.enumerated().map { folder.named(files($0.element.example), kind: $0.offset + 1) }
        }
        let text =
            format == .json
            ? report.lines(noun, known: known) { kept?[$0 - 1].map { file in file.path } }.joined(separator: "\n")
            : report.text(nouns, known: known)
        if let output { try output.write(report: text) } else if !text.isEmpty { Terminal.print(text) }
        if format == .json || output != nil {
            let seconds = start.duration(to: .now).inSeconds
            Terminal.printError(report.summary(nouns, known: known) + String(format: "; %.0f s", seconds))
        }
        // After the report, which took the whole search: an example that can't be written ends the command.
        for file in (kept ?? []).joined() { try OutputFile(path: file.path).write(file.bytes) }
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
