import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import Testing

@Suite struct WatchModelTests {
    private static let listed = LabDNSMessage(answers: [.txt("dc,florida")])
    private static let without = LabDNSMessage(answers: [.txt("florida,tampa")])
    private static func absent() throws -> LabDNSMessage {
        LabDNSMessage(authorities: [.soa(zone: try LabReply.name())], responseCode: .nameError)
    }

    private func check(_ absence: ModelCheck.Absence = .transient) throws -> ModelCheck {
        ModelCheck(
            model: try ModelName("dc"), hosts: [try LabReply.name()], servers: [try Endpoint("127.0.0.1:53")],
            absence: absence)
    }

    private func changes(
        _ resolver: ScriptedResolver, rounds: Int, _ absence: ModelCheck.Absence = .transient
    ) async throws -> [StatusChange] {
        let time = VirtualTime(epoch: WatchBench.pki.epoch)
        let watch = Watch(
            [WatchedCheck(try check(absence), through: [resolver], timeout: .seconds(5))],
            settings: WatchSettings(jitter: 0, rounds: rounds), clock: time.clock, sleeper: time)
        var changes: [StatusChange] = []
        for await change in watch { changes.append(change) }
        return changes
    }

    @Test("[R20] a model that is not listed ends the watch of it") func notListedIsTerminal() async throws {
        let resolver = ScriptedResolver([Self.listed, Self.without, Self.listed])
        let changes = try await changes(resolver, rounds: 9)
        #expect(changes.map(\.summary) == ["status pass", "terminal model-not-listed"])
        #expect(changes.last?.finding?.outcome == .modelNotListed)
        #expect(resolver.queries == 2)
    }

    @Test("[R20] a new watch asks again: the end is the run's, not for ever") func aNewRunAsksAgain() async throws {
        let resolver = ScriptedResolver([Self.without, Self.listed])
        #expect(try await changes(resolver, rounds: 9).map(\.summary) == ["terminal model-not-listed"])
        #expect(try await changes(resolver, rounds: 1).map(\.summary) == ["status pass"])
    }

    /// An absent list decides nothing about the build (decided: dns-answers).
    @Test func anAbsentListEndsTheWatchOnRequestOnly() async throws {
        let coming = ScriptedResolver([try Self.absent(), Self.listed])
        #expect(try await changes(coming, rounds: 2).map(\.summary) == ["status model-absent", "status pass"])
        let gone = ScriptedResolver([try Self.absent(), Self.listed])
        #expect(try await changes(gone, rounds: 2, .terminal).map(\.summary) == ["terminal model-absent"])
        #expect(gone.queries == 1)
    }

    @Test("[R48, R77] a DNS server that does not answer is tried again") func silenceIsTransient() async throws {
        let resolver = ScriptedResolver([nil, nil, Self.listed])
        #expect(
            try await changes(resolver, rounds: 1).map(\.summary) == ["status dns-indeterminate", "recovered pass"])
        #expect(resolver.queries == 3)
    }

    @Test("[R20] the other subjects of a watch go on") func otherSubjectsGoOn() async throws {
        let bench = try WatchBench([.presents(.good)])
        let resolver = ScriptedResolver([Self.without])
        let withModel = Check(
            target: bench.check.target, anchors: bench.check.anchors, serverDate: .never, model: try check())
        let watch = Watch(
            [
                WatchedCheck(withModel, through: [bench.transport], resolvers: [resolver]),
                WatchedCheck(bench.check, through: [bench.transport]),
            ], settings: WatchSettings(jitter: 0, rounds: 3), clock: bench.time.clock, sleeper: bench.time)
        var changes: [StatusChange] = []
        for await change in watch { changes.append(change) }
        #expect(changes.map(\.summary) == ["terminal model-not-listed", "status pass"])
        #expect(resolver.queries == 1)
        #expect(bench.transport.moments.count == 4)
    }
}
