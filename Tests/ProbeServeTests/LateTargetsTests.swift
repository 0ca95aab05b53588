import Foundation
import ProbeClients
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Synchronization
import Testing

@testable import ProbeServe

/// Watched targets that this process was too late for.
@Suite(.bounded) struct LateTargetsTests {
    private static let item = WatchPlan.Item(module: "tls", target: "127.0.0.1:1", hostname: nil)
    private static let start = Date(timeIntervalSince1970: 1_000_000_000)

    private final class Reports: Sendable {
        let texts = Mutex<[String]>([])

        var late: LateTargets { LateTargets { text in self.texts.withLock { $0.append(text) } } }
    }

    @Test("each pause is twice as long, up to a round's time, until there is a verdict") func pauses() {
        let (late, every) = (Reports().late, Duration.seconds(60))
        func pause() -> Int? {
            late.take(Self.item, "late", at: Self.start)
            return (0...100).first { second in
                !late.isPaused(Self.item, at: Self.start.addingTimeInterval(Double(second)), every: every)
            }
        }
        let lengths = (0..<40).compactMap { _ in pause() }
        #expect(lengths == [5, 10, 20, 40] + Array(repeating: 60, count: 36))
        #expect(!late.isPaused(Self.item, at: Self.start.addingTimeInterval(-1), every: every), "a clock set back")
        #expect(!late.isPaused(Self.item, at: Self.start.addingTimeInterval(1), every: .seconds(1)), "a shorter round")
        late.take(Self.item, nil, at: Self.start)
        #expect(late[Self.item] == nil && pause() == 5)
    }

    @Test("lateness is reported once, and again after a verdict or when the target left the plan") func reports() {
        let reports = Reports()
        let late = reports.late
        for reason in ["a\nb", "c", nil, "d", "e"] { late.take(Self.item, reason, at: Self.start) }
        let prefix =
            "this machine could not ask the watched target '127.0.0.1:1' of the module 'tls', and asks again after a pause: "
        #expect(reports.texts.withLock { $0 } == [prefix + #"a\u{a}b"#, prefix + "d"])
        late.settle(on: WatchPlan(every: .seconds(1), items: [Self.item]))
        #expect(late[Self.item] == "e")
        late.settle(on: .none)
        #expect(late[Self.item] == nil)
    }

    /// A watch of one target with a clock of its own, and no descriptor for any connection.
    private final class Bench: Sendable {
        let now = Mutex(LateTargetsTests.start)
        let reports = Reports()
        let transport = FailingTransport(.localOverload)
        let own = OwnMetrics(version: "1", started: LateTargetsTests.start)
        let late: LateTargets
        let current: CurrentConfiguration

        init(in folder: String, timeout: String = "600s", target: String = "127.0.0.1:1") throws {
            let path = "\(folder)/serve.yml"
            try ScratchFolder.write(
                """
                modules: {tls: {prober: tcp, timeout: \(timeout), tcp: {tls: true, tls_config: {ca_file: ca.pem}}}}
                watch: {every: 10m, targets: [{module: tls, target: "\(target)"}]}
                """, to: path)
            try ScratchFolder.write(try LabPKI(epoch: .now).rootPEM(), to: "\(folder)/ca.pem")
            late = reports.late
            current = try CurrentConfiguration(path, policies: [:], readIdentity: nil, clock: .system, warn: { _ in })
        }

        func rounds(
            _ slots: ProbeSlots = ProbeSlots(1), through other: FailingTransport? = nil
        ) throws -> WatchRounds {
            let clock = ProbeClock { self.now.withLock { $0 } }
            let transports: [any Transport] = [other ?? transport]
            let backends = ServeBackends(
                stacks: "failing", prober: Prober(),
                clients: { clock in
                    ClientRun(
                        prober: Prober(clock: clock), reference: ReferenceVerifier(), transports: [], clock: clock)
                }
            ) { check in
                (check, transports, [])
            } model: { model in
                (model, [])
            }
            let loopback = try TargetRules(blocks: [try AddressBlock("127.0.0.0/8")])
            return WatchRounds(
                current: current, board: WatchBoard(nil),
                prober: ModuleProbe(backends: backends, rules: loopback, clock: clock), slots: slots, own: own,
                clock: clock, refused: RefusedTargets { _ in }, late: late, concurrency: 1)
        }
    }

    @Test("a target that this machine was late for is asked again after a pause, and counted") func aLateRound()
        async throws
    {
        try await ScratchFolder.with { folder in
            let bench = try Bench(in: folder)
            let (rounds, state) = (try bench.rounds(), bench.current.state)
            for seconds in [0, 5, 10, 20] {
                bench.now.withLock { $0 += Double(seconds) }
                #expect(rounds.due(state) == [Self.item])
                await rounds.ask(Self.item, state)
                bench.now.withLock { $0 += 1 }
                #expect(rounds.due(state) == [])
                bench.now.withLock { $0 -= 1 }
            }
            #expect(bench.transport.count.withLock { $0 } == 4)
            #expect(rounds.board[Self.item] == nil, "the target is blamed")
            let metrics = Exposition.text.text(bench.own.metrics(state, load: (0, 0)))
            for (result, count) in [("passed", 0), ("failed", 0), ("late", 4)] {
                let sample = "probe_serve_probes_total{module=\"tls\",result=\"\(result)\",asker=\"watch\"} \(count)\n"
                #expect(metrics.contains(sample), "\(metrics)")
            }
            #expect(bench.reports.texts.withLock { $0.count } == 1)
            let page = StatusPage(
                plan: state.configuration.watch, board: rounds.board, history: [], now: bench.now.withLock { $0 },
                late: bench.late)
            #expect(page.text.contains("No verdict yet, for this machine could not ask: "), "\(page.text)")
        }
    }

    @Test("a verdict is as old as the question, however long the answer took") func slowAnswer() async throws {
        try await ScratchFolder.with { folder in
            let bench = try Bench(in: folder)
            let slow = FailingTransport(.connectionRefused) { bench.now.withLock { $0 += 3600 } }
            let (rounds, state) = (try bench.rounds(through: slow), bench.current.state)
            await rounds.ask(Self.item, state)
            let kept = try #require(rounds.board[Self.item])
            #expect(kept.checkedAt == Self.start)
            // Counted from the question it would be too old for scrapes at once, and the target asked again without a pause.
            let plan = state.configuration.watch
            for (seconds, isDue, isFresh) in [
                (0, false, true), (599, false, true), (600, true, true), (1800, true, false),
            ] {
                let now = Self.start.addingTimeInterval(3600 + Double(seconds))
                #expect(
                    kept.isDue(at: now, by: plan) == isDue && kept.isFresh(at: now, by: plan) == isFresh, "\(seconds)")
            }
            #expect(rounds.due(state) == [])
            bench.now.withLock { $0 += 600 }
            #expect(rounds.due(state) == [Self.item])
            let metrics = Exposition.text.text(bench.own.metrics(state, load: (0, 0)))
            let sample = #"probe_serve_probes_total{module="tls",result="failed",asker="watch"} 1"#
            #expect(metrics.contains(sample), "\(metrics)")
        }
    }

    /// Nothing is dialled for a target that is refused.
    @Test("a refusal is not a probe that was made, and concerns the stacks of today") func refusal() async throws {
        try await ScratchFolder.with { folder in
            let bench = try Bench(in: folder, target: "10.0.0.5:1")
            let item = WatchPlan.Item(module: "tls", target: "10.0.0.5:1", hostname: nil)
            let (rounds, state) = (try bench.rounds(), bench.current.state)
            var before = ProbeAnswer()
            before.add(["failing", "taken-out"].map(Self.passed))
            await rounds.board.put(WatchedState(before, at: Self.start, after: nil), of: item)
            await rounds.ask(item, state)
            let kept = try #require(rounds.board[item])
            #expect(!kept.isSuccess && kept.unasked?.map(\.name) == ["failing"])
            let metrics = Exposition.text.text(bench.own.metrics(state, load: (0, 0)))
            #expect(!metrics.contains(#"asker="watch"} 1"#), "\(metrics)")
        }
    }

    /// Returns the result of a stack to which a target passes.
    private static func passed(through stack: String) -> ProbeResult {
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: stack, library: "none", version: "0"), report: HandshakeReport(),
            missing: [], certificates: [], referenceTrust: nil, anchors: .none, instant: start)
        return ProbeResult(
            subject: "10.0.0.5:1", service: nil, trust: .both, evidence: Evidence(connection: connection, model: nil),
            verdict: Verdict([]))
    }

    @Test("one that left the plan while it waited for its turn is not asked") func leftWhileWaiting() async throws {
        try await ScratchFolder.with { folder in
            let bench = try Bench(in: folder)
            let (rounds, state) = (try bench.rounds(), bench.current.state)
            let gone = WatchPlan.Item(module: "tls", target: "127.0.0.1:2", hostname: nil)
            await rounds.ask(gone, state)
            #expect(bench.transport.count.withLock { $0 } == 0)
            await rounds.ask(Self.item, state)
            #expect(bench.transport.count.withLock { $0 } == 1)
        }
    }

    @Test("one that got no place is left alone as long") func noPlace() async throws {
        try await ScratchFolder.with { folder in
            let bench = try Bench(in: folder, timeout: "1ms")
            let (rounds, state) = (try bench.rounds(ProbeSlots(0)), bench.current.state)
            await rounds.ask(Self.item, state)
            #expect(rounds.due(state) == [] && bench.transport.count.withLock { $0 } == 0)
            bench.now.withLock { $0 += 5 }
            #expect(rounds.due(state) == [Self.item])
            let reports = bench.reports.texts.withLock { $0 }
            #expect(reports.count == 1 && reports[0].hasSuffix(" probes are running, and none ended in time"))
        }
    }
}
