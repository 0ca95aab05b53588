import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeStore
import ProbeTestSupport
import Synchronization
import Testing

/// The success cache between every resolver and a server that counts its queries.
@Suite(.bounded) struct ModelCacheTests {
    private static let start = CountingServer.epoch
    private static let listed = LabDNSBehaviour.answer(.txt("dc,florida"))

    /// One resolver, one server, one cache file and one clock.
    private final class Bench: Sendable {
        let subject: ResolverUnderTest
        let server: CountingServer
        let path: StorePath
        private let time = Mutex(start)
        private let told = Mutex<[String]>([])

        init(_ subject: ResolverUnderTest, _ server: CountingServer, folder: String) {
            self.subject = subject
            self.server = server
            path = StorePath("\(folder)/cache.sqlite")
        }

        var messages: [String] { told.withLock(\.self) }

        func wait(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }

        /// Returns a prober of a new process, as far as the cache can see.
        func prober(_ path: StorePath? = nil) throws -> Prober {
            let store = try SuccessStore(path ?? self.path) { message in self.told.withLock { $0.append(message) } }
            return Prober(clock: ProbeClock { self.time.withLock(\.self) }, modelCache: store)
        }

        func check(
            _ hosts: String = "models.test", model: String = "florida", strings: TXTStrings = .joined,
            lifetime: CacheLifetime = .model
        ) throws -> ModelCheck {
            try server.check(
                ModelCheck(
                    model: try ModelName(model),
                    hosts: try hosts.split(separator: " ").map { try DNSName(String($0)) }, servers: [], tries: 1,
                    strings: strings, cacheLifetime: lifetime))
        }

        /// Returns the outcome, whether it was remembered, and whether the server was asked.
        func ask(
            _ prober: Prober? = nil, _ check: ModelCheck? = nil
        ) async throws -> Answer {
            let before = server.queries
            let results = await (try prober ?? self.prober()).probe(
                try check ?? self.check(), subject: "models.test", through: [subject.resolver], timeout: .seconds(1800))
            let result = try #require(results.first)
            let remembered = result.evidence.model?.remembered != nil
            return Answer(result.verdict.outcome, remembered, server.queries > before)
        }
    }

    /// The result of a model check.
    private struct Answer: Equatable {
        let outcome: Outcome
        let remembered: Bool
        let asked: Bool

        init(_ outcome: Outcome, _ remembered: Bool, _ asked: Bool) {
            self.outcome = outcome
            self.remembered = remembered
            self.asked = asked
        }
    }

    private func run(
        _ subject: ResolverUnderTest, _ zone: LabDNSZone, _ body: (Bench) async throws -> Void
    ) async throws {
        let server = try await CountingServer.start(zone, for: subject.resolver)
        do {
            try await ScratchFolder.with { folder in
                try await body(Bench(subject, server, folder: folder))
            }
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    @Test("[R23, R25] at 3599 s nothing is asked, at 3600 s it is", arguments: ResolverUnderTest.all)
    func lifetime(subject: ResolverUnderTest) async throws {
        try await run(subject, LabDNSZone(Self.listed)) { bench in
            let prober = try bench.prober()
            #expect(try await bench.ask(prober) == Answer(.pass, false, true))
            for wait in [0, 1, 3598] as [TimeInterval] {
                bench.wait(wait)
                #expect(try await bench.ask(prober) == Answer(.pass, true, false))
            }
            bench.wait(1)
            #expect(try await bench.ask(prober) == Answer(.pass, false, true))
            // Another time, if requested.
            bench.wait(10)
            let brief = try bench.check(lifetime: try #require(CacheLifetime(10)))
            #expect(try await bench.ask(prober, brief) == Answer(.pass, false, true))
        }
    }

    @Test(
        "[R26, R27] no other answer is ever kept, each call asks again", arguments: ResolverUnderTest.all,
        [
            (.answer(.txt("dc,tampa")), .modelNotListed),
            (.reply(LabDNSMessage(responseCode: .nameError)), .modelAbsent),
            (.reply(LabDNSMessage(authorities: [.soa()])), .modelAbsent),
            (.reply(LabDNSMessage(responseCode: .serverFailure)), .dnsIndeterminate),
            (.reply(LabDNSMessage(answers: [.txt("florida")], responseCode: .serverFailure)), .dnsIndeterminate),
        ] as [(LabDNSBehaviour, Outcome)])
    func failures(subject: ResolverUnderTest, answer: (behaviour: LabDNSBehaviour, outcome: Outcome)) async throws {
        try await run(subject, LabDNSZone(answer.behaviour)) { bench in
            for _ in 0..<2 {
                let seen = try await bench.ask()
                #expect(seen == Answer(answer.outcome, false, true))
                bench.wait(1)
            }
            let contents = try await SuccessStore(bench.path) { _ in }.contents()
            #expect(contents?.successes == [])
        }
    }

    @Test("[R25, R28] a success outlives the process, and bridges an outage", arguments: ResolverUnderTest.all)
    func outage(subject: ResolverUnderTest) async throws {
        try await run(subject, LabDNSZone(Self.listed)) { bench in
            let first = try await bench.ask()
            #expect(first == Answer(.pass, false, true))
            await bench.server.stop()
            bench.wait(3599)
            let during = try await bench.ask()
            #expect(during == Answer(.pass, true, false))
            bench.wait(1)
            let after = try await bench.ask()
            #expect(after == Answer(.dnsIndeterminate, false, false))
        }
    }

    @Test("[R33] a success from the future is a miss", arguments: ResolverUnderTest.all)
    func future(subject: ResolverUnderTest) async throws {
        try await run(subject, LabDNSZone(Self.listed)) { bench in
            bench.wait(60)
            let first = try await bench.ask()
            #expect(first == Answer(.pass, false, true))
            bench.wait(-1)
            let again = try await bench.ask()
            #expect(again == Answer(.pass, false, true))
            let then = try await bench.ask()
            #expect(then == Answer(.pass, true, false))
        }
    }

    @Test("other model, names, policy or server", arguments: ResolverUnderTest.all)
    func otherQuestion(subject: ResolverUnderTest) async throws {
        try await run(subject, LabDNSZone(.answer(.txt("dc,florida,tampa")))) { bench in
            let prober = try bench.prober()
            let checks = [
                try bench.check(), try bench.check(model: "tampa"), try bench.check("other.test"),
                try bench.check("models.test other.test"), try bench.check("other.test models.test"),
                try bench.check(strings: .separate),
            ]
            for check in checks { #expect(try await bench.ask(prober, check) == Answer(.pass, false, true)) }
            for check in checks { #expect(try await bench.ask(prober, check) == Answer(.pass, true, false)) }
            #expect(try await bench.ask(prober, bench.check(model: "visby")) == Answer(.modelNotListed, false, true))
            let elsewhere = try await CountingServer.start(LabDNSZone(Self.listed), for: subject.resolver)
            #expect(try await bench.ask(prober, elsewhere.check(bench.check())) == Answer(.pass, false, false))
            #expect(elsewhere.queries > 0)
            await elsewhere.stop()
        }
    }

    @Test("a cache that can't be used changes no verdict", arguments: ResolverUnderTest.all)
    func brokenCache(subject: ResolverUnderTest) async throws {
        let zone = LabDNSZone([
            try DNSName("models.test"): Self.listed, try DNSName("other.test"): .answer(.txt("dc,tampa")),
        ])
        try await run(subject, zone) { bench in
            let broken = StorePath("\(bench.path).broken")
            let file = URL(filePath: broken.description)
            for path in [broken, StorePath("/proc/self/none/cache.sqlite")] {
                try Data("no cache".utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
                let prober = try bench.prober(path)
                for _ in 0..<2 { #expect(try await bench.ask(prober) == Answer(.pass, false, true)) }
                #expect(try await bench.ask(prober, bench.check("other.test")) == Answer(.modelNotListed, false, true))
            }
            #expect(bench.messages.count == 2, "\(bench.messages)")
        }
    }

    @Test("[R23] the record's TTL shortens nothing", arguments: ResolverUnderTest.all, [0, 60] as [UInt32])
    func timeToLive(subject: ResolverUnderTest, ttl: UInt32) async throws {
        let record = LabDNSRecord.txt("dc,florida").with { $0.ttl = ttl }
        try await run(subject, LabDNSZone(.answer(record))) { bench in
            let prober = try bench.prober()
            #expect(try await bench.ask(prober) == Answer(.pass, false, true))
            bench.wait(3599)
            #expect(try await bench.ask(prober) == Answer(.pass, true, false))
        }
    }

    @Test("a hundred calls at once ask once", arguments: ResolverUnderTest.all)
    func overlapping(subject: ResolverUnderTest) async throws {
        let slow = LabDNSBehaviour([
            .wait(.milliseconds(100)), .reply(LabDNSMessage(answers: [.txt("dc,florida")])),
        ])
        try await run(subject, LabDNSZone(slow)) { bench in
            let prober = try bench.prober()
            let outcomes = await Concurrently.map(Array(0..<100)) { _ in try? await bench.ask(prober).outcome }
            #expect(outcomes.allSatisfy { $0 == .pass })
            // Beside libunbound the server is queried directly, for the facts that libunbound hides.
            #expect(bench.server.queries == (subject.showsExchanges ? 1 : 2))
        }
    }

    @Test("cancelled queries keep nothing and leave nothing open", arguments: ResolverUnderTest.all)
    func cancelled(subject: ResolverUnderTest) async throws {
        try await run(subject, LabDNSZone(.silence)) { bench in
            let prober = try bench.prober()
            func cancelOne() async throws {
                let before = bench.server.queries
                let call = Task { try await bench.ask(prober) }
                while bench.server.queries == before { try await Task.sleep(for: .milliseconds(1)) }
                call.cancel()
                #expect(try await call.value.outcome == .dnsIndeterminate)
            }
            try await cancelOne()
            let before = try Self.descriptors()
            for _ in 0..<40 { try await cancelOne() }
            // Other tests of the process open and close theirs meanwhile.
            try await eventually { try Self.descriptors() < before + 30 }
            let contents = try await SuccessStore(bench.path) { _ in }.contents()
            #expect(contents?.successes == [])
        }
    }

    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
