import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// A process that is late with its own work knows nothing about a server, whatever it asked it.
@Suite struct OwnLatenessTests {
    private let time = VirtualTime(epoch: WatchBench.pki.epoch)
    private static let listed = LabDNSMessage(answers: [.txt("dc,florida")])

    private func lookUp(
        _ resolver: any Resolver, losing lost: Duration, cache: (any SuccessCache)? = nil
    ) async throws -> Verdict {
        let check = ModelCheck(
            model: try ModelName("dc"), hosts: [try LabReply.name()], servers: [try Endpoint("127.0.0.1:53")])
        let prober = Prober(clock: time.clock, modelCache: cache, lateness: GivenLateness([lost]))
        let results = await prober.probe(check, subject: "list", through: [resolver], timeout: .seconds(100))
        return try #require(results.first?.verdict)
    }

    @Test(arguments: [false, true]) func aLookupThatWeWereTooLateForIsNoVerdict(remembers: Bool) async throws {
        let cache = remembers ? MemoryCache() : nil
        let late = try await lookUp(ScriptedResolver([nil]), losing: .seconds(26), cache: cache)
        #expect(late.outcome == .localOverload && late.outcomeClass == .transient)
        #expect(late.decidingFinding?.code == "local-overload")
        #expect(late.decidingFinding?.message.contains("26.0 s late") == true)
        #expect(late.decidingFinding?.fix.contains("--dns-server") == false)
        let silent = try await lookUp(ScriptedResolver([nil]), losing: .seconds(24), cache: cache)
        #expect(silent.outcome == .dnsIndeterminate)
    }

    @Test func anAnswerIsAnAnswerHoweverLateWeWere() async throws {
        #expect(try await lookUp(ScriptedResolver([Self.listed]), losing: .seconds(99)).outcome == .pass)
    }

    @Test(arguments: DNSFailure.Code.allCases) func onlySilenceMayBeOurs(code: DNSFailure.Code) {
        let failure = DNSFailure(code, "so").attributed(lost: .seconds(9), of: .seconds(10))
        let isOurs = [.timeout, .closed, .gaveUp, .localOverload].contains(code)
        #expect((failure.code == .localOverload) == isOurs)
        #expect(DNSFailure(code, "so").attributed(lost: .seconds(1), of: .seconds(10)).code == code)
    }

    @Test func noAlternateStandsInForAServerThatWeWereTooLateToHear() async throws {
        let transport = ScriptedTransport([.fails(.connectTimeout), .presents(.good)], pki: WatchBench.pki, time: time)
        let check = Check(
            target: try Target("good.test"), alternates: [try Target("good.test:444")],
            anchors: try WatchBench.pki.anchors(), timeout: .seconds(10))
        let prober = Prober(clock: time.clock, lateness: GivenLateness([.seconds(9)]))
        let results = await prober.probe(check, through: [transport], resolvers: [])
        #expect(results.map(\.verdict.outcome) == [.localOverload])
        #expect(transport.handshakes.count == 1)
    }

    @Test("a measurement ends with its handshake, however that ends")
    func measurementsEnd() async throws {
        let transport = ScriptedTransport([.presents(.good), .fails(.connectTimeout)], pki: WatchBench.pki, time: time)
        let check = Check(
            target: try Target("good.test"), anchors: try WatchBench.pki.anchors(), timeout: .seconds(10))
        let lateness = GivenLateness([.zero])
        let prober = Prober(clock: time.clock, lateness: lateness)
        for route in [HandshakeRequest.Route.direct, .direct, .absent(HandshakeFailure(.nameNotFound, "no address"))] {
            _ = await prober.probe(check.taking(route), through: [transport], resolvers: [])
            #expect(lateness.unended == 0)
        }
        #expect(transport.handshakes.count == 2)
    }

    @Test(
        "lateness is given in seconds, below one second in milliseconds",
        arguments: [(300, "300 ms"), (999, "999 ms"), (1000, "1.0 s"), (2640, "2.6 s")])
    func latenessIsNeverZero(lost: Int, words: String) {
        let failure = HandshakeFailure(.handshakeTimeout, "silence")
            .attributed(lost: .milliseconds(lost), of: .milliseconds(lost))
        #expect(failure.code == .localOverload)
        #expect(failure.message.hasPrefix("this process was \(words) late with its own work"), "\(failure.message)")
    }

    /// The time limit is 10 s, so that 9 s are too much.
    private static func lateness(_ seconds: [Int]) -> GivenLateness { GivenLateness(seconds.map { .seconds($0) }) }

    @Test func aWatchAsksAgainAndRaisesNoAlarm() async throws {
        let bench = try WatchBench([.presents(.good), .fails(.handshakeTimeout), .presents(.good)])
        let changes = await bench.changes(rounds: 3, lateness: Self.lateness([0, 9, 0]))
        #expect(changes.map(\.summary) == ["status pass"])
        #expect(bench.transport.moments == [0, 600, 605, 1200].map { .seconds($0) })
    }

    @Test func aWatchThatIsLateAtFirstReportsWhatItSeesThen() async throws {
        let bench = try WatchBench([.fails(.handshakeTimeout), .presents(.good)])
        let changes = await bench.changes(rounds: 1, lateness: Self.lateness([9, 0]))
        #expect(changes.map(\.summary) == ["status pass"])
    }

    @Test func aServerThatIsDownIsReportedWhereWeAreNotLate() async throws {
        let bench = try WatchBench([.presents(.good), .fails(.connectTimeout)])
        let changes = await bench.changes(rounds: 2, lateness: Self.lateness([0, 9, 9, 0]))
        #expect(changes.map(\.summary) == ["status pass", "status unreachable"])
    }

    @Test func aBlindWatchSaysSoOnceAndThenWhatItSees() async throws {
        let bench = try WatchBench([.presents(.good), .fails(.connectTimeout)])
        let late = [0] + [Int](repeating: 9, count: 10) + [0]
        let changes = await bench.changes(rounds: 4, lateness: Self.lateness(late))
        #expect(changes.map(\.summary) == ["status pass", "status local-overload", "status unreachable"])
    }
}
