import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import Testing

@Suite struct AlternatesTests {
    private let time = VirtualTime(epoch: WatchBench.pki.epoch)

    /// Probes good.test with alternates on other ports, so that all present one identity.
    private func probe(
        _ steps: [ScriptedTransport.Step], alternates: Int = 2, timeout: Duration = .seconds(600)
    ) async throws -> (result: ProbeResult, endpoints: [UInt16]) {
        let (result, handshakes) = try await handshakes(steps, alternates: alternates, timeout: timeout)
        return (result, handshakes.map(\.endpoint.port))
    }

    private func handshakes(
        _ steps: [ScriptedTransport.Step], alternates: Int, timeout: Duration
    ) async throws -> (result: ProbeResult, handshakes: [ScriptedTransport.Handshake]) {
        let transport = ScriptedTransport(steps, pki: WatchBench.pki, time: time)
        let targets = try (1...alternates).map { try Target("good.test:\(443 + $0)") }
        let check = Check(
            target: try Target("good.test"), alternates: targets, anchors: try WatchBench.pki.anchors(),
            timeout: timeout)
        let results = await Prober(clock: time.clock).probe(check, through: [transport], resolvers: [])
        return (try #require(results.first), transport.handshakes)
    }

    @Test("[R49] alternates stand in, in order, where nobody answers") func alternatesStandIn() async throws {
        let (result, ports) = try await probe([
            .fails(.connectionRefused), .fails(.connectionReset), .presents(.good),
        ])
        #expect(ports == [443, 444, 445])
        #expect(result.verdict.outcome == .pass)
        #expect(result.subject == "good.test:443")
        let note = try #require(result.verdict.findings.first { $0.code == "alternate-used" })
        #expect(note.severity == .note)
        #expect(
            note.message
                == "good.test:445 stands in: no answer from good.test:443 (connection-refused), good.test:444 (connection-reset)"
        )
        let attempts = try #require(result.evidence.connection?.attempts)
        #expect(attempts.map(\.failure?.code) == [.connectionRefused, .connectionReset, nil])
    }

    @Test(
        "[R49] an answer is final, whatever it comes to",
        arguments: [
            (ScriptedTransport.Step.presents(.wrongName), Outcome.stacksDisagree),
            (.presents(.expired), .stacksDisagree),
            (.fails(.alertReceived), .handshakeFailed), (.fails(.protocolError), .handshakeFailed),
            (.fails(.notTLS), .handshakeFailed), (.fails(.chainTooLong), .handshakeFailed),
            (.fails(.backendError), .internalError),
        ]) func answersAreFinal(step: ScriptedTransport.Step, outcome: Outcome) async throws
    {
        let (result, ports) = try await probe([step, .presents(.good)])
        #expect(ports == [443])
        #expect(result.verdict.outcome == outcome)
        let second = try await probe([.fails(.connectionRefused), step, .presents(.good)])
        #expect(second.endpoints == [443, 444])
        #expect(second.result.verdict.outcome == outcome)
    }

    @Test("[R49] where nobody answers, all are named") func nobodyAnswers() async throws {
        let (result, ports) = try await probe([.fails(.connectionRefused)])
        #expect(ports == [443, 444, 445])
        #expect(result.verdict.outcome == .unreachable)
        #expect(result.verdict.findings.contains { $0.code == "alternates-failed" })
    }

    @Test("[R49] a target that never answers leaves time for the next") func timeIsShared() async throws {
        let (result, handshakes) = try await handshakes(
            [.fails(.connectTimeout), .presents(.good)], alternates: 1, timeout: .seconds(3600))
        try #require(handshakes.map(\.endpoint.port) == [443, 444])
        #expect(result.verdict.outcome == .pass)
        #expect(handshakes[0].deadline.instant.duration(to: handshakes[1].deadline.instant) > .seconds(1000))
    }

    /// The result of the lookup of a mail host's TLSA records.
    enum Records: Sendable { case usable, absent, unknown }

    /// Each mail host is judged by its own TLSA records, and none stands in for one whose records are not known.
    @Test(
        arguments: [
            ([.usable, .usable], [.fails(.connectionRefused), .presents(.good)], 2, .pass),
            ([.usable, .absent], [.fails(.connectionRefused), .presents(.good)], 2, .policyFailed),
            ([.usable, .unknown], [.fails(.connectionRefused), .presents(.good)], 2, .dnsIndeterminate),
            ([.absent, .usable], [.fails(.connectionRefused), .presents(.good)], 1, .policyFailed),
            ([.unknown, .usable], [.fails(.connectionRefused), .presents(.good)], 1, .dnsIndeterminate),
            ([.unknown, .usable], [.presents(.good)], 1, .dnsIndeterminate),
        ] as [([Records], [ScriptedTransport.Step], Int, Outcome)])
    func mailHostsHaveRecordsOfTheirOwn(
        records: [Records], steps: [ScriptedTransport.Step], handshakes: Int, outcome: Outcome
    ) async throws {
        let key = try WatchBench.pki.identity(.good).key.spki
        var targets: [Target] = []
        var hosts: [ServerName: MailHost] = [:]
        for (index, found) in records.enumerated() {
            let name = try ServerName("mx\(index).test")
            let answer: MailHost.Answer =
                switch found {
                case .usable: .records([MailHost.Record(usage: 3, selector: 1, matching: 0, data: key)])
                case .absent: .absent
                case .unknown: .failed("bogus")
                }
            targets.append(Target(name: name, port: 25))
            hosts[name] = MailHost(owner: "_25._tcp.\(name)", names: [name], answer: answer)
        }
        let check = Check(target: targets[0], anchors: try WatchBench.pki.anchors(), trust: .reference)
            .led(to: targets, by: [], mailHosts: hosts)
        let transport = ScriptedTransport(steps, pki: WatchBench.pki, time: time)
        let results = await Prober(clock: time.clock).probe(check, through: [transport], resolvers: [])
        #expect(results.map(\.verdict.outcome) == [outcome], "\(results.map(\.verdict.findings))")
        #expect(transport.handshakes.count == handshakes)
    }

    @Test func withoutAlternatesNothingIsSaidOfThem() async throws {
        let bench = try WatchBench([.presents(.good)])
        let result = await Prober(clock: bench.time.clock).probe(bench.check, through: [bench.transport], resolvers: [])
        #expect(result.first?.evidence.connection?.attempts.isEmpty == true)
    }
}
