import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// Waits that a server asks for, in a watch of several stacks and checks.
@Suite(.bounded) struct WatchWaitsTests {
    private static let askingForADay = HTTPReport.Response(version: "http/1.1", status: 503, retryAfter: ["86400"])

    @Test("[R77] Retry-After holds back all stacks of a check, and no other check") func stacksWaitTogether()
        async throws
    {
        let answer = HTTPReport.Response(version: "http/1.1", status: 503, retryAfter: ["900"])
        let bench = try WatchBench([.fails(.connectionReset), .answers(.good, answer)], serverDate: .always)
        func stack(_ name: String) -> ScriptedTransport {
            ScriptedTransport([.presents(.good)], pki: WatchBench.pki, time: bench.time, name: name)
        }
        let (beside, ofAnotherCheck) = (stack("beside"), stack("another"))
        _ = await bench.changes(
            rounds: 2, spacing: .zero,
            of: [
                WatchedCheck(bench.check, through: [bench.transport, beside]),
                WatchedCheck(bench.check, through: [ofAnotherCheck]),
            ])
        // It asks for the wait when it is tried again after five seconds.
        #expect(bench.transport.moments == [0, 5, 905].map { .seconds($0) })
        #expect(beside.moments == [0, 905].map { .seconds($0) })
        #expect(ofAnotherCheck.moments == [0, 600].map { .seconds($0) })
    }

    /// The names behind one endpoint may be those of several tenants, and one could hide a change of another.
    @Test("[R77] Retry-After of one name leaves others behind the same endpoint, their models and lists alone")
    func othersGoOn() async throws {
        let bench = try WatchBench([.answers(.good, Self.askingForADay)], serverDate: .always)
        let other = ScriptedTransport([.presents(.good)], pki: WatchBench.pki, time: bench.time, name: "other")
        let (anchors, connect) = (bench.check.anchors, try Endpoint("127.0.0.1:8443"))
        let model = ModelCheck(
            model: try ModelName("dc"), hosts: [try LabReply.name()], servers: [try Endpoint("127.0.0.1:53")])
        func resolver() -> ScriptedResolver {
            ScriptedResolver(["dc,florida", "florida,tampa"].map { LabDNSMessage(answers: [.txt($0)]) })
        }
        func check(_ name: String, _ model: ModelCheck? = nil) throws -> Check {
            Check(target: try Target(name, connect: connect), anchors: anchors, serverDate: .always, model: model)
        }
        let changes = await bench.changes(
            rounds: 2, spacing: .zero,
            of: [
                WatchedCheck(try check("good.test"), through: [bench.transport]),
                WatchedCheck(try check("www.good.test", model), through: [other], resolvers: [resolver()]),
                WatchedCheck(model, through: [resolver()], timeout: .seconds(5)),
            ])
        #expect(bench.transport.moments == [0, 86_400].map { .seconds($0) })
        #expect(other.moments == [0, 600].map { .seconds($0) })
        let ends = changes.filter { $0.kind == .terminal }
        #expect(ends.map(\.subject.transport) == ["other", nil])
        #expect(ends.allSatisfy { $0.time == WatchBench.pki.epoch.addingTimeInterval(600) })
    }

    @Test("a probe that was late while the server asked for a wait is made once more after it, and then reported")
    func lateWhileHeld() async throws {
        func summaries(_ steps: [ScriptedTransport.Step]) async throws -> [(String, Duration)] {
            let bench = try WatchBench([.answers(.good, Self.askingForADay)], serverDate: .always)
            let late = ScriptedTransport(steps, pki: WatchBench.pki, time: bench.time, name: "late")
            let changes = await bench.changes(
                rounds: 6, spacing: .zero, of: [WatchedCheck(bench.check, through: [bench.transport, late])])
            return changes.filter { $0.subject.transport == "late" && $0.summary.hasPrefix("status ") }
                .map { ($0.summary, .seconds($0.time.timeIntervalSince(WatchBench.pki.epoch))) }
        }
        let answer = HTTPReport.Response(version: "http/1.1", status: 200)
        let once = try await summaries([.fails(.localOverload), .answers(.good, answer)])
        #expect(once.map { $0.0.hasPrefix("status pass") } == [true] && once.map(\.1) == [.seconds(86_400)], "\(once)")
        let always = try await summaries([.fails(.localOverload)])
        #expect(always.map(\.0) == ["status local-overload"] && always.map(\.1) == [.seconds(4 * 86_400)])
    }
}
