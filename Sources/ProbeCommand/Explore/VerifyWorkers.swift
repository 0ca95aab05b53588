import ProbeConformance
import ProbeKit
import ProbeLab

/// Asks the reference and all backends about chains, in a process of their own that is started again when one of them
/// crashes or hangs.
actor VerifyWorkers {
    private let backends: [String]
    private let plugins: PluginOptions
    private let patience: Duration
    private var shared: VerifyWorker

    init(backends: [String], plugins: PluginOptions, patience: Duration) {
        self.backends = backends
        self.plugins = plugins
        self.patience = patience
        shared = Self.worker(backends, plugins, patience)
    }

    /// Creates a process for some backends, with the programs among them alone: others are refused.
    private static func worker(_ backends: [String], _ plugins: PluginOptions, _ patience: Duration) -> VerifyWorker {
        let programs = plugins.plugin.filter { path in backends.contains { path.hasSuffix("probe-transport-\($0)") } }
        return VerifyWorker(
            backends: backends,
            options: programs.flatMap { ["--plugin", $0] } + plugins.pluginPath.flatMap { ["--plugin-path", $0] },
            patience: patience)
    }

    /// Returns everybody's answer about a chain.
    func ask(_ chain: ExploredChain) async -> ExploredAnswers {
        let worker = await current()
        if let lines = await worker.ask(chain.question) { return answers(lines) }
        return await askEach(chain)
    }

    /// Ends the processes.
    func stop() async { await shared.stop() }

    private func current() async -> VerifyWorker {
        if await shared.isLost {
            let lost = shared
            let fresh = Self.worker(backends, plugins, patience)
            // Another question may have replaced it while this one waited.
            if shared === lost { shared = fresh }
        }
        return shared
    }

    /// Asks each backend in a process of its own, since the one of all was lost.
    private func askEach(_ chain: ExploredChain) async -> ExploredAnswers {
        var reference: ExploredAnswer?
        var found: [(name: String, answer: ExploredAnswer?)] = []
        for backend in backends {
            let worker = Self.worker([backend], plugins, patience)
            if let lines = await worker.ask(chain.question) {
                let alone = answers(lines)
                reference = alone.reference
                found += alone.backends
            } else {
                found.append((backend, await worker.hung ? .hung : .crashed))
            }
            await worker.stop()
        }
        return ExploredAnswers(reference: reference ?? .crashed, backends: found)
    }

    private func answers(_ lines: [VerifyAnswerLine]) -> ExploredAnswers {
        let reference = lines.first?.reference
        return ExploredAnswers(
            reference: reference.map { ExploredAnswer(accepted: $0.accepted, cause: $0.cause, nativeCode: nil) }
                ?? ExploredAnswer("unreadable", cause: lines.first?.error),
            backends: lines.compactMap { line in
                line.transport.map { ($0, line.answer) }
            })
    }
}
