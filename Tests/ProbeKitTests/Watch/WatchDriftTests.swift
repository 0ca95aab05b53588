import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import Synchronization
import Testing

@Suite struct WatchDriftTests {
    @Test("[R74] a change that the verdict passes over is reported after a second look") func drift() async throws {
        let bench = try WatchBench([.presents(.good), .presents(.renewedNewKey)])
        let changes = await bench.changes(rounds: 4)
        #expect(changes.map(\.summary) == ["status pass", "drift pass"])
        #expect(changes.last?.finding?.message.hasPrefix("the server has another key") == true)
        // The second look comes at once, as soon as the host may be asked again; after that the new facts are the baseline.
        #expect(bench.transport.moments == [0, 600_000, 600_100, 1_200_000, 1_800_000].map { .milliseconds($0) })
    }

    @Test("[R74] a change that the second look does not confirm is not reported") func driftUnconfirmed() async throws {
        let bench = try WatchBench([.presents(.good), .presents(.renewedNewKey), .presents(.good)])
        let changes = await bench.changes(rounds: 3)
        #expect(changes.map(\.summary) == ["status pass"])
        #expect(bench.transport.moments.count == 4)
    }

    @Test("[R74] a second look that fails is a status, not drift") func driftThatFails() async throws {
        let bench = try WatchBench([
            .presents(.good), .presents(.renewedNewKey), .presents(.wrongName), .presents(.good),
        ])
        let changes = await bench.changes(rounds: 3)
        #expect(changes.map(\.summary) == ["status pass", "status stacks-disagree", "status pass"])
    }

    @Test("[R6, R74] chain length, a certificate renewed for its key, and the pins that match count as drift")
    func kindsOfDrift() throws {
        func baseline(_ leaf: UInt8, _ keys: [UInt8], _ pins: [UInt8]) -> Baseline {
            func digest(_ byte: UInt8) -> PinDigest { .sha256(of: [byte]) }
            return Baseline(leaf: digest(leaf), keys: keys.map(digest), pins: pins.map(digest))
        }
        let earlier = baseline(1, [1, 2], [1])
        func drift(_ now: Baseline) -> String { now.drift(from: earlier) ?? "" }
        #expect(drift(earlier) == "")
        #expect(drift(baseline(1, [1, 2, 3], [1])) == "the chain has 3 certificates instead of 2")
        #expect(drift(baseline(9, [1, 2], [1])) == "the server has another certificate for the same key")
        #expect(drift(baseline(1, [1, 3], [1])) == "it comes from other issuers")
        #expect(drift(baseline(1, [1, 2], [])) == "0 pins match instead of 1")
        #expect(drift(baseline(1, [1, 2], [1, 2])) == "2 pins match instead of 1")
        #expect(drift(baseline(1, [1, 2], [2])) == "another pin matches than before")
        let two = baseline(1, [1, 2], [1, 2])
        #expect(baseline(1, [1, 2], [2, 3]).drift(from: two) == "other pins match than before")
        #expect(baseline(1, [1, 2], [2]).drift(from: two) == "1 pin matches instead of 2")
    }

    @Test(
        "[R73] what fails never replaces a good baseline",
        arguments: [
            ScriptedTransport.Step.fails(.protocolError), .presents(.wrongName), .fails(.notTLS),
        ]) func failuresReplaceNothing(step: ScriptedTransport.Step) async throws
    {
        let store = MemoryBaselines()
        let bench = try WatchBench([.presents(.good), step, .presents(.good)])
        let changes = await bench.changes(rounds: 3, baselines: store)
        #expect(!changes.contains { $0.kind == .drift })
        let kept = await store.baseline(for: "good.test:443 scripted")
        #expect(kept?.leaf == PinDigest.sha256(of: try WatchBench.pki.identity(.good).leaf))

        // A failure does not make the next change look like the beginning either.
        let changed = try WatchBench([.presents(.good), step, .presents(.renewedNewKey)])
        #expect(await changed.changes(rounds: 3).contains { $0.kind == .drift })
    }

    @Test("[R73] what a store kept is what the first round is compared with") func keptBaselines() async throws {
        let store = MemoryBaselines()
        _ = try await WatchBench([.presents(.good)]).changes(rounds: 1, baselines: store)
        let later = try await WatchBench([.presents(.renewedNewKey)]).changes(rounds: 1, baselines: store)
        #expect(later.map(\.summary) == ["status pass", "drift pass"])
    }

    @Test("[R73, R74] a baseline is kept once its drift was dealt with") func keptAfterItWasReported() async throws {
        let store = MemoryBaselines()
        let key = "good.test:443 scripted"
        func isNew() async throws -> Bool {
            await store.baseline(for: key)?.leaf == .sha256(of: try WatchBench.pki.identity(.renewedNewKey).leaf)
        }
        for isFinished in [false, true] {
            await store.replaceBaseline(
                Baseline(leaf: .sha256(of: [1]), keys: [.sha256(of: [2])], pins: []), for: key)
            let bench = try WatchBench([.presents(.renewedNewKey)])
            var changes = Watch(
                [WatchedCheck(bench.check, through: [bench.transport])], settings: WatchBench.steady,
                clock: bench.time.clock, sleeper: bench.time, baselines: store
            ).makeAsyncIterator()
            #expect(await changes.nextRound()?.map(\.summary) == ["status pass", "drift pass"])
            // The process may end while it runs a command about the drift.
            #expect(try await !isNew())
            if isFinished { await changes.finish() }
            #expect(try await isNew() == isFinished)
        }
    }

    @Test("[R73] the servers of a target are looked for at each visit, and each has its baseline") func otherServers()
        async throws
    {
        let bench = try WatchBench([.presents(.good), .presents(.good), .presents(.renewedNewKey)])
        let store = MemoryBaselines()
        let places = try ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:2"].map { try Endpoint($0, defaultPort: 443) }
        let visits = Mutex(0)
        let watched = WatchedCheck(bench.check, through: [bench.transport]) { [check = bench.check] in
            let place = visits.withLock { visits in
                visits += 1
                return places[min(visits, places.count) - 1]
            }
            return check.within(check.timeout, dialling: place)
        }
        var settings = WatchBench.steady
        settings.rounds = 3
        var changes: [StatusChange] = []
        for await change in Watch(
            [watched], settings: settings, clock: bench.time.clock, sleeper: bench.time, baselines: store)
        { changes.append(change) }
        #expect(changes.map(\.summary) == ["status pass", "drift pass"])
        #expect(bench.transport.handshakes.map(\.endpoint) == [places[0], places[1], places[2], places[2]])
    }

    @Test("[R73, R74] each address of a family has a baseline of its own") func otherAddress()
        async throws
    {
        let bench = try WatchBench([.presents(.good), .presents(.renewedNewKey)])
        let places = try ["127.0.0.1:1", "127.0.0.1:2"].map { try Endpoint($0, defaultPort: 443) }
        let visits = Mutex(0)
        let parts = places.map { bench.check.about(.family(.ipv4), dialling: [bench.check.target.dialled(at: $0)]) }
        let watched = WatchedCheck(parts[0], through: [bench.transport]) {
            let visit = visits.withLock { visits in
                visits += 1
                return visits
            }
            return parts[min(visit, parts.count) - 1]
        }
        var settings = WatchBench.steady
        settings.rounds = 3
        var changes: [StatusChange] = []
        for await change in Watch(
            [watched], settings: settings, clock: bench.time.clock, sleeper: bench.time, baselines: MemoryBaselines())
        { changes.append(change) }
        #expect(changes.map(\.summary) == ["status pass"])
        #expect(bench.transport.handshakes.map(\.endpoint) == [places[0], places[1], places[1]])
    }

    @Test func baselinesAreReadAsTheyWereWritten() throws {
        let baseline = Baseline(leaf: .sha256(of: [1]), keys: [.sha256(of: [2])], pins: [])
        let text = try JSONEncoder().encode(baseline)
        #expect(try JSONDecoder().decode(Baseline.self, from: text) == baseline)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PinDigest.self, from: Data("\"ab\"".utf8)) }
    }
}
