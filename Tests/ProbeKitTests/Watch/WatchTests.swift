import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeTestSupport
import Testing

@Suite struct WatchTests {
    @Test("[R43, R51] the first status is reported, and then only what changes") func onlyChangesAreReported()
        async throws
    {
        let bench = try WatchBench([
            .presents(.good), .presents(.good), .presents(.expired), .presents(.expired), .presents(.good),
        ])
        let changes = await bench.changes(rounds: 6)
        #expect(changes.map(\.summary) == ["status pass", "status stacks-disagree", "status pass"])
        #expect(changes.map(\.from) == [nil, .pass, .stacksDisagree])
        #expect(changes[1].subject == WatchSubject(name: "good.test:443", transport: "scripted"))
        #expect(changes[1].finding?.outcome == .stacksDisagree)
        #expect(changes[1].time == WatchBench.pki.epoch.addingTimeInterval(1200))
    }

    @Test("[R8, R44] a round every 600 seconds") func roundsAreTenMinutesApart() async throws {
        let bench = try WatchBench([.presents(.good)])
        _ = await bench.changes(rounds: 4)
        #expect(bench.transport.moments == [.zero, .seconds(600), .seconds(1200), .seconds(1800)])
    }

    @Test("[R44] jitter makes rounds longer and shorter within its bounds") func jitterKeepsItsBounds() async throws {
        let bench = try WatchBench([.presents(.good)])
        _ = await bench.changes(rounds: 60, WatchSettings())
        let moments = bench.transport.moments
        let gaps = zip(moments, moments.dropFirst()).map { ($1 - $0).inSeconds }
        #expect(gaps.allSatisfy { (540...660).contains($0) })
        #expect(gaps.contains { $0 < 590 } && gaps.contains { $0 > 610 })
    }

    /// No period is negative, whatever the jitter.
    @Test func jitterBeyondItsBoundsIsBounded() async throws {
        let cases: [(Double, ClosedRange<Double>)] = [
            (10, 0...1200), (-0.1, 600...600), (.nan, 600...600), (.infinity, 600...600),
        ]
        for (jitter, range) in cases {
            let bench = try WatchBench([.presents(.good)])
            _ = await bench.changes(rounds: 40, WatchSettings(jitter: jitter))
            let moments = bench.transport.moments
            #expect(moments.count == 40)
            let gaps = zip(moments, moments.dropFirst()).map { ($1 - $0).inSeconds }
            #expect(gaps.allSatisfy { range.contains($0) }, "\(jitter): \(gaps)")
        }
    }

    @Test("[R54] a steady server costs one handshake a round") func aRoundIsOneHandshake() async throws {
        let bench = try WatchBench([.presents(.good)])
        _ = await bench.changes(rounds: 20)
        #expect(bench.transport.moments.count == 20)
    }

    @Test("[R48, R77] five tries a round, each wait twice the last") func transientFailuresBackOff() async throws {
        let bench = try WatchBench([.fails(.connectionRefused)])
        let changes = await bench.changes(rounds: 2)
        #expect(changes.map(\.summary) == ["status unreachable"])
        let round = [0, 5, 15, 35, 75].map { Duration.seconds($0) }
        #expect(bench.transport.moments == round + round.map { $0 + .seconds(600) })
    }

    @Test("[R77] the wait doubles four times, and never exceeds the period") func waitsAreBounded() async throws {
        let bench = try WatchBench([.fails(.connectionReset)])
        _ = await bench.changes(rounds: 1, WatchSettings(jitter: 0, backoff: .seconds(1), tries: 8))
        #expect(bench.transport.moments == [0, 1, 3, 7, 15, 31, 47, 63].map { .seconds($0) })

        let hasty = try WatchBench([.fails(.connectionReset)])
        _ = await hasty.changes(rounds: 3, WatchSettings(period: .seconds(7), jitter: 0, backoff: .seconds(5)))
        // A round that is due comes before a try that would be later.
        #expect(Array(hasty.transport.moments.prefix(5)) == [0, 5, 7, 12, 14].map { .seconds($0) })
    }

    @Test(
        "[R48] what is no matter of waiting is not tried again within the round",
        arguments: [
            ScriptedTransport.Step.presents(.wrongName), .fails(.protocolError), .fails(.alertReceived),
            .fails(.notTLS),
            .fails(.backendError),
        ]) func onlyTransientFailuresAreRetried(step: ScriptedTransport.Step) async throws
    {
        let bench = try WatchBench([step])
        _ = await bench.changes(rounds: 2)
        #expect(bench.transport.moments == [.zero, .seconds(600)])
    }

    @Test("[R48] a server that is back is recovered, and restarting is one change") func recovery() async throws {
        let bench = try WatchBench([
            .presents(.good), .fails(.connectionReset), .fails(.connectionRefused), .fails(.handshakeTimeout),
            .presents(.good),
        ])
        let changes = await bench.changes(rounds: 2)
        #expect(changes.map(\.summary) == ["status pass", "status handshake-failed", "recovered pass"])
        #expect(bench.transport.moments == [0, 600, 605, 615, 635].map { .seconds($0) })
    }

    @Test("[R50] a mismatch is reported with what a person would change") func aMismatchIsReported() async throws {
        let pin = Pin(kind: .spki, digest: PinDigest.sha256(of: try WatchBench.pki.identity(.good).key.spki))
        let bench = try WatchBench(
            [.presents(.good), .presents(.renewedNewKey)], pins: [PinGroup([pin], position: .leaf)])
        let changes = await bench.changes(rounds: 2)
        #expect(changes.map(\.summary) == ["status pass", "status pin-mismatch"])
        #expect(changes.last?.finding?.fix.isEmpty == false)
    }

    @Test("[R77] Retry-After in seconds is honoured") func retryAfterInSeconds() async throws {
        let answer = HTTPReport.Response(version: "http/1.1", status: 503, retryAfter: ["900"])
        let bench = try WatchBench([.answers(.good, answer)], serverDate: .always)
        _ = await bench.changes(rounds: 3)
        #expect(bench.transport.moments == [0, 900, 1800].map { .seconds($0) })
    }

    @Test("[R77] Retry-After as a date is honoured") func retryAfterAsDate() async throws {
        let date = HTTPDate.format(WatchBench.pki.epoch.addingTimeInterval(1000))
        let answer = HTTPReport.Response(version: "h2", status: 503, retryAfter: [date])
        let bench = try WatchBench([.answers(.good, answer), .presents(.good)], serverDate: .always)
        _ = await bench.changes(rounds: 3)
        #expect(bench.transport.moments == [0, 1000, 1600].map { .seconds($0) })
    }

    @Test(
        "[R77] Retry-After that is earlier, unreadable or endless does no harm",
        arguments: [
            ("5", 600), ("-5", 600), ("soon", 600), ("", 600), ("99999999999999999999", 86_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("Thu, 01 Jan 1970 00:00:00 GMT", 600),
        ]) func oddRetryAfter(field: String, next: Int) async throws
    {
        let answer = HTTPReport.Response(version: "http/1.1", status: 503, retryAfter: [field])
        let bench = try WatchBench([.answers(.good, answer)], serverDate: .always)
        _ = await bench.changes(rounds: 2)
        #expect(bench.transport.moments == [.zero, .seconds(next)])
    }

    @Test("[R69] what runs out soon is reported once", arguments: [(59, 0), (61, 1)])
    func expiringCertificates(days: Int, expected: Int) async throws {
        let bench = try WatchBench([.presents(.good)])
        let settings = WatchSettings(jitter: 0, warnBefore: .seconds(days * 86_400))
        let changes = await bench.changes(rounds: 5, settings).filter { $0.kind == .expiring }
        #expect(changes.count == expected)
        #expect(changes.allSatisfy { $0.finding?.code == "certificate-expires-soon" && $0.to == .pass })
    }

    @Test("[R69] pins that run out soon are reported once") func expiringPins() async throws {
        let pin = Pin(kind: .spki, digest: PinDigest.sha256(of: try WatchBench.pki.identity(.good).key.spki))
        let last = WatchBench.pki.epoch.addingTimeInterval(10 * 86_400)
        let group = PinGroup([pin], position: .leaf, expiry: PinGroup.Expiry(last: last))
        let changes = try await WatchBench([.presents(.good)], pins: [group]).changes(rounds: 5)
        #expect(changes.map(\.summary) == ["status pass", "expiring pass"])
        #expect(changes.last?.finding?.code == "pins-expiring")
    }

    @Test("[R69] the ends of pins for other common names are not reported") func expiringPinsOfOthers() async throws {
        let pin = Pin(kind: .spki, digest: PinDigest.sha256(of: try WatchBench.pki.identity(.good).key.spki))
        let other = Pin(kind: .spki, digest: .sha256(of: [1]))
        let last = WatchBench.pki.epoch.addingTimeInterval(10 * 86_400)
        func summaries(_ name: String) async throws -> [String] {
            var group = PinGroup([pin, other], position: .leaf, pinExpiries: [other: last])
            group.named = [name: PinGroup([pin], position: .leaf)]
            return try await WatchBench([.presents(.good)], pins: [group]).changes(rounds: 2).map(\.summary)
        }
        #expect(try await summaries("good.test") == ["status pass"])
        #expect(try await summaries("www.test") == ["status pass", "expiring pass"])
    }

    @Test("[R42] what is watched is judged as a single check is") func oneJudgement() async throws {
        let bench = try WatchBench([.presents(.good)])
        let change = try #require(await bench.changes(rounds: 1).first)
        let single = await Prober(clock: bench.time.clock).probe(
            bench.check, through: [bench.transport], resolvers: [])
        #expect(single.map(\.verdict) == [change.result.verdict])
    }

    /// A watch that is cancelled while it waits does not wait on.
    @Test(.bounded) func cancellationEndsTheSequence() async throws {
        let bench = try WatchBench([.presents(.good)])
        let watch = Watch([WatchedCheck(bench.check, through: [bench.transport])], clock: bench.time.clock)
        let task = Task {
            var count = 0
            for await _ in watch { count += 1 }
            return count
        }
        while bench.transport.moments.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == 1)
        #expect(bench.transport.moments.count == 1)
    }

    @Test(
        "a watch whose tries of a round all met our own lateness says so before the next one begins",
        arguments: [10, 600])
    func blindWatch(period: Int) async throws {
        let bench = try WatchBench([.fails(.localOverload)])
        var settings = WatchBench.steady
        settings.period = .seconds(period)
        let changes = await bench.changes(rounds: 3, settings)
        #expect(changes.map(\.summary) == ["status local-overload"])
        // Of five tries at 0, 5, 15, 35 and 75 seconds those of the first round.
        #expect(changes.first?.time == WatchBench.pki.epoch.addingTimeInterval(period == 10 ? 5 : 75))
    }
}
