import ArgumentParser
import Foundation
import ProbeConformance
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTrust
import Synchronization

/// `probe conformance --explore`: the search for chains that the backends judge differently.
struct ChainSearch {
    let options: ExploreOptions
    let backends: BackendOptions
    let output: OutputFile?
    let format: ConformanceFormat

    /// The time in which a process has to answer a question about a chain; one takes milliseconds.
    private static let patience = Duration.seconds(60)

    func run() async throws {
        let transports = try backends.transports().filter { $0.capabilities.contains(.trustEvaluation) }
        guard !transports.isEmpty else {
            throw InputError(
                "no backend can judge a chain without a connection", remedy: "name one that can: see probe backends")
        }
        try output?.check()
        let folder = try options.examples.map(ExampleFolder.init)
        let workers = VerifyWorkers(
            backends: transports.map(\.identity.name), plugins: backends.plugins, patience: Self.patience)
        let start = ContinuousClock.now
        // The finds until a signal are reported; a second signal ends the process at once.
        let stopped = Atomic<Int32>(0)
        let interruption = Interruption { signal, count in
            stopped.store(signal, ordering: .relaxed)
            if count > 1 { _exit(128 + signal) }
        }
        defer { withExtendedLifetime(interruption) {} }
        let end = options.explore.map { start + .seconds($0) }
        let report = await Exploration<ExploredChain>(seed: options.seed ?? 1) { await workers.ask($0) }
            .run(
                examples: options.exploreChains,
                while: { stopped.load(ordering: .relaxed) == 0 && (end.map { ContinuousClock.now < $0 } ?? true) },
                progress: Self.progress)
        await workers.stop()
        Terminal.showProgress("")
        let known = KnownDifference.chains
        try folder?.write(report)
        let text =
            format == .json
            ? report.lines("chain", known: known) { folder?.files($0) }.joined(separator: "\n")
            : report.text("chains", known: known)
        if let output { try output.write(Array((text + "\n").utf8)) } else if !text.isEmpty { Terminal.print(text) }
        let seconds = start.duration(to: .now).inSeconds
        if format == .json || output != nil {
            Terminal.printError(
                report.summary("chains", known: known) + String(format: "; %.0f s", seconds))
        }
        let signal = stopped.load(ordering: .relaxed)
        if signal != 0 { throw ExitCode(128 + signal) }
        if report.kinds.contains(where: \.isFault) { throw ExitCode(Outcome.internalError.exitCode) }
        if report.kinds.contains(where: { $0.known(in: known) == nil }) {
            throw ExitCode(Outcome.stacksDisagree.exitCode)
        }
    }

    private static var progress: (@Sendable (Exploration<ExploredChain>.Report) -> Void)? {
        guard Terminal.canShowProgress else { return nil }
        return { report in
            guard report.examples.isMultiple(of: 100) else { return }
            Terminal.showProgress(
                "\(report.examples) chains, \(report.differing) differing, \(report.kinds.count) kinds")
        }
    }
}

/// The folder into which the simplest chain of each kind is written.
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

    /// Returns the files of a kind.
    func files(_ kind: Int) -> [String] {
        ["chain.pem", "anchors.pem", "question.json"].map { place(kind, $0).relativePath }
    }

    func write(_ report: Exploration<ExploredChain>.Report) throws(InputError) {
        for (index, kind) in report.kinds.enumerated() {
            let question = kind.example.question
            try write(question.chain.map(CertificateFile.pem).joined(), index + 1, "chain.pem")
            try write(question.anchors.certificates.map(CertificateFile.pem).joined(), index + 1, "anchors.pem")
            try write(question.batchLine + "\n", index + 1, "question.json")
        }
    }

    private func write(_ text: String, _ kind: Int, _ name: String) throws(InputError) {
        try OutputFile(path: place(kind, name).relativePath).write(Array(text.utf8))
    }

    private func place(_ kind: Int, _ name: String) -> URL { folder.appending(path: "kind-\(kind)-\(name)") }
}
