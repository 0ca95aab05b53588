import Foundation
import ProbeLab
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeDNS
@testable import ProbeKit
@testable import ProbeReport
@testable import ProbeRun

/// Calls that overlap, are cancelled or lose patience, with a cache between them and DNS.
@Suite("model checks that remember", .bounded) struct ModelMemoryTests {
    private let time = VirtualTime(epoch: WatchBench.pki.epoch)
    private let cache = MemoryCache()
    private let listed = LabDNSMessage(answers: [.txt("dc,florida")])
    private let other = LabDNSMessage(answers: [.txt("dc,tampa")])

    private func check(_ lifetime: CacheLifetime = .model) throws -> ModelCheck {
        ModelCheck(
            model: try ModelName("florida"), hosts: [try LabReply.name()],
            servers: [Endpoint(host: .ip(.loopback4), port: 53)], cacheLifetime: lifetime)
    }

    private var prober: Prober { Prober(clock: time.clock, modelCache: cache) }

    private func ask(
        _ prober: Prober, _ resolver: any Resolver, patience: Duration = .seconds(1500)
    ) async throws -> ModelEvidence {
        try #require(await prober.observe(try check(), through: resolver, deadline: .after(patience)))
    }

    private func ask(_ memory: ModelMemory, _ resolver: any Resolver) async throws -> ModelEvidence {
        await memory.evidence(try check(), through: resolver, deadline: .after(.seconds(1500)))
    }

    /// Waits until this many callers wait for an answer.
    private func waiting(_ count: Int, for memory: ModelMemory) async throws {
        while memory.waiting < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func pass(_ seconds: Int) async throws { try await time.sleep(until: time.now + .seconds(seconds)) }

    @Test("[R29, R105] a model taken off the list fails within the hour, whenever it was asked for")
    func revocation() async throws {
        for wait in [[1, 3598], [3599, 0], [600, 600, 600, 600, 600, 599]] {
            let prober = Prober(clock: time.clock, modelCache: MemoryCache())
            let resolver = ScriptedResolver([listed, other])
            #expect(try await ask(prober, resolver).remembered == nil)
            for seconds in wait {
                try await pass(seconds)
                // A hit is not a success of its own: it does not restart the hour.
                #expect(try await ask(prober, resolver).remembered != nil)
            }
            try await pass(1)
            #expect(try await ask(prober, resolver).deciding?.reading.outcome == .modelNotListed)
            #expect(resolver.queries == 2)
        }
    }

    /// The next name is asked only where the one before says nothing about the model.
    @Test(arguments: [("dc,florida", 1), ("dc,tampa", 1), (nil, 2)])
    func theNextNameIsAskedForWantOfAnAnswer(text: String?, queries: Int) async throws {
        let resolver = ScriptedResolver([text.map { LabDNSMessage(answers: [.txt($0)]) }, listed])
        let check = ModelCheck(
            model: try ModelName("florida"), hosts: [try LabReply.name(), try LabReply.name()],
            servers: [Endpoint(host: .ip(.loopback4), port: 53)])
        let evidence = await ModelWalk(clock: time.clock).evidence(
            check, through: resolver, deadline: .after(.seconds(1500)))
        #expect(resolver.queries == queries)
        #expect(evidence.answers.count == queries)
    }

    /// A silent name leaves time for those after it.
    @Test func eachNameHasAnEqualPartOfTheTime() async throws {
        let resolver = ScriptedResolver([nil, nil, listed])
        let check = ModelCheck(
            model: try ModelName("florida"), hosts: Array(repeating: try LabReply.name(), count: 3),
            servers: [Endpoint(host: .ip(.loopback4), port: 53)])
        let deadline = Deadline.after(.seconds(3600))
        let evidence = await ModelWalk(clock: time.clock).evidence(check, through: resolver, deadline: deadline)
        #expect(evidence.deciding?.reading.outcome == .pass)
        let deadlines = resolver.deadlines
        try #require(deadlines.count == 3)
        #expect(deadlines[0] <= .after(.seconds(1200)))
        #expect(deadlines[1] <= .after(.seconds(1800)))
        #expect(deadlines[2] == deadline)
    }

    /// A memory would drop the warning.
    @Test func aListThatReadsInTwoWaysIsNotRemembered() async throws {
        let resolver = ScriptedResolver([LabDNSMessage(answers: [.txt("dc,flor", "ida")])])
        let prober = self.prober
        for _ in 0..<2 {
            #expect(try await ask(prober, resolver).deciding?.reading.outcome == .passWithWarnings)
        }
        #expect(resolver.queries == 2)
    }

    @Test func aCancelledWalkAsksNoFurtherName() async throws {
        let resolver = GatedResolver(ScriptedResolver([nil, listed]))
        let check = ModelCheck(
            model: try ModelName("florida"), hosts: [try LabReply.name(), try LabReply.name()],
            servers: [Endpoint(host: .ip(.loopback4), port: 53)])
        let walk = Task {
            await ModelWalk(clock: time.clock).evidence(check, through: resolver, deadline: .after(.seconds(1500)))
        }
        try await resolver.begun(1)
        walk.cancel()
        resolver.open()
        #expect(await walk.value.answers.count == 1)
    }

    @Test("[R29] the hour counts from the question, not from the answer") func countsFromTheQuestion() async throws {
        let resolver = GatedResolver(ScriptedResolver([listed]))
        let prober = self.prober
        async let first = ask(prober, resolver)
        try await resolver.begun(1)
        try await pass(100)
        resolver.open()
        #expect(try await first.remembered == nil)
        try await pass(3499)
        #expect(try await ask(prober, resolver).remembered != nil)
        try await pass(1)
        #expect(try await ask(prober, resolver).remembered == nil)
    }

    @Test("a hundred calls at once ask once, and all get the answer", arguments: [true, false])
    func overlapping(isListed: Bool) async throws {
        let resolver = GatedResolver(ScriptedResolver([isListed ? listed : other]))
        let memory = ModelMemory(cache, clock: time.clock)
        let calls = Task {
            await Concurrently.map(Array(0..<100)) { _ in try? await ask(memory, resolver) }
        }
        try await waiting(100, for: memory)
        resolver.open()
        let outcomes = await calls.value.map { $0?.deciding?.reading.outcome }
        #expect(outcomes == Array(repeating: isListed ? .pass : .modelNotListed, count: 100))
        #expect(resolver.queries == 1)
        #expect(memory.waiting == 0)
    }

    @Test("the last caller's cancellation ends the query, and nothing is kept") func cancelled() async throws {
        let resolver = GatedResolver(ScriptedResolver([listed]))
        let prober = self.prober
        let call = Task { try await ask(prober, resolver) }
        try await resolver.begun(1)
        call.cancel()
        #expect(try await call.value.isOpen)
        // It came back after the query had ended, not before.
        #expect(resolver.ended == 1)
        resolver.open()
        let key = try #require(CacheKey(try check(), through: resolver.identity))
        #expect(await cache.lastSuccess(of: key) == nil)
    }

    @Test("a caller that is cancelled leaves the query to the others") func oneOfTwoIsCancelled() async throws {
        let resolver = GatedResolver(ScriptedResolver([listed]))
        let memory = ModelMemory(cache, clock: time.clock)
        let first = Task { try await ask(memory, resolver) }
        try await resolver.begun(1)
        let second = Task { try await ask(memory, resolver) }
        try await waiting(2, for: memory)
        first.cancel()
        #expect(try await first.value.isOpen)
        #expect(resolver.ended == 0)
        resolver.open()
        #expect(try await second.value.deciding?.reading.outcome == .pass)
        #expect(resolver.queries == 1)
    }

    @Test("a caller waits no longer than its deadline, nor gives up with one that had less time")
    func deadlines() async throws {
        let resolver = GatedResolver(ScriptedResolver([listed]))
        let prober = self.prober
        let patient = Task { try await ask(prober, resolver, patience: .seconds(1500)) }
        try await resolver.begun(1)
        let start = Stopwatch()
        #expect(try await ask(prober, resolver, patience: .milliseconds(50)).isOpen)
        #expect(start.elapsed < .seconds(60))
        #expect(resolver.queries == 1 && resolver.ended == 0)
        patient.cancel()
        _ = try await patient.value
        // The other way round: the first has little time, the second asks again.
        let hasty = Task { try await ask(prober, resolver, patience: .milliseconds(100)) }
        try await resolver.begun(2)
        let second = Task { try await ask(prober, resolver, patience: .seconds(1500)) }
        #expect(try await hasty.value.isOpen)
        try await resolver.begun(3)
        resolver.open()
        #expect(try await second.value.deciding?.reading.outcome == .pass)
    }

    @Test("a lifetime of nothing remembers nothing") func noLifetime() async throws {
        let resolver = ScriptedResolver([listed])
        let prober = self.prober
        for _ in 0..<2 {
            _ = await prober.observe(try check(.never), through: resolver, deadline: .after(.seconds(1)))
        }
        #expect(resolver.queries == 2)
    }

    @Test("without a cache every call asks") func withoutACache() async throws {
        let resolver = ScriptedResolver([listed])
        for _ in 0..<3 { #expect(try await ask(Prober(clock: time.clock), resolver).remembered == nil) }
        #expect(resolver.queries == 3)
    }

    @Test("[R31] a hit says since when, in the report and in no record") func shownInTheReport() async throws {
        let resolver = ScriptedResolver([listed])
        let prober = self.prober
        _ = try await ask(prober, resolver)
        try await pass(12)
        let results = await prober.probe(try check(), subject: "x.test", through: [resolver], timeout: .seconds(1))
        let result = try #require(results.first)
        #expect(result.verdict.outcome == .pass)
        let finding = try #require(result.verdict.findings.first)
        #expect(finding.code == "model-cached" && finding.severity == .note)
        #expect(finding.message.contains("validated at \(RFC3339.format(WatchBench.pki.epoch)), 12 s ago"))
        let line = try #require(
            try JSONSerialization.jsonObject(with: Data(ReportLine(result).json.utf8)) as? [String: Any])
        #expect(((line["evidence"] as? [String: Any])?["dns"] as? [Any])?.isEmpty == true)
    }
}
