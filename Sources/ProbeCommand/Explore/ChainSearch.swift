import ProbeConformance
import ProbeKit
import ProbeLab
import ProbeTrust

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
        let workers = VerifyWorkers(
            backends: transports.map(\.name), plugins: backends.plugins, patience: Self.patience)
        try await ExplorationRun<ExploredChain>(
            noun: "chain", options: options, limit: options.exploreChains, known: KnownDifference.chains,
            output: output,
            format: format, files: Self.files
        ).run(ask: { await workers.ask($0) }, finish: { await workers.stop() })
    }

    private static func files(_ chain: ExploredChain) -> [(name: String, bytes: [UInt8])] {
        let question = chain.question
        return [
            ("chain.pem", Array(question.chain.map(CertificateFile.pem).joined().utf8)),
            ("anchors.pem", Array(question.anchors.certificates.map(CertificateFile.pem).joined().utf8)),
            ("question.json", Array((question.batchLine + "\n").utf8)),
        ]
    }
}
