import ProbeConformance
import ProbeKit
import ProbeLab

/// `probe conformance --explore-replies`: the search for DNS replies that the resolvers read differently.
struct ReplySearch {
    let options: ExploreOptions
    let backends: BackendOptions
    let output: OutputFile?
    let format: ConformanceFormat

    func run() async throws {
        let resolvers = try backends.resolvers()
        try output?.check()
        try await ResolverPanel.run(resolvers) { [self] panel in
            try await ExplorationRun<ExploredReply>(
                noun: "reply", options: options, limit: options.exploreReplies, known: KnownDifference.replies,
                output: output, format: format, files: { [("reply.bin", ResolverPanel.bytes($0))] }
            ).run(ask: { await panel.ask($0) })
        }
    }
}
