import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeReport
import ProbeRun
import ProbeTrust
import Testing

/// The work that a probe does once, whoever needs its result.
@Suite struct OnceTests {
    private let time = VirtualTime(epoch: WatchBench.pki.epoch)

    private func transport(_ step: ScriptedTransport.Step, _ name: String = "scripted") -> ScriptedTransport {
        ScriptedTransport([step], pki: WatchBench.pki, time: time, name: name)
    }

    private func answer() -> ScriptedTransport.Step {
        .answers(.good, HTTPReport.Response(version: "h2", status: 200, date: ["Sun, 01 Nov 2026 12:00:00 GMT"]))
    }

    @Test("each parser reads a certificate once, with every policy and through two stacks") func certificates()
        async throws
    {
        let chain = try WatchBench.pki.identity(.good).chain
        let target = try Target("good.test")
        let check = Check(
            target: target, anchors: try WatchBench.pki.anchors(),
            certificates: [CertificateExpectation(name: "leaf", certificates: [chain[0]], position: .any)],
            demands: [ATSPolicy(), EmulatedName(target.name)])
        let counter = WorkCounter()
        await counter.count {
            let results = await Prober(clock: time.clock).probe(
                check, through: [transport(.presents(.good), "one"), transport(.presents(.good), "other")],
                resolvers: [])
            #expect(results.count == 2)
            for result in results { #expect(ReportLine(result).json.contains("\"subject\"")) }
        }
        for (depth, certificate) in chain.enumerated() {
            #expect(counter[.certificate(certificate)] == 1, "by the X.509 library, at \(depth)")
            // The expected certificate is one more.
            #expect(counter[.certificateFrame(certificate)] <= (depth == 0 ? 3 : 1), "by our walk, at \(depth)")
        }
        for anchor in check.anchors.certificates {
            #expect(counter[.certificate(anchor)] == 1, "for the store, and for the paths that end at it")
        }
    }

    @Test("stores that share an anchor share its parse") func anchors() async throws {
        let (chain, root) = (try WatchBench.pki.identity(.good).chain, try WatchBench.pki.anchors().certificates)
        let reference = ReferenceVerifier()
        let counter = WorkCounter()
        try await counter.count {
            for day in ["2016", "2021"] {
                let other = try WatchBench.pki.identity(day == "2016" ? .renewedNewKey : .renewedSameKey).chain[0]
                let store = TrustAnchors(name: "store@\(day)", certificates: root + [other])
                let reading = await reference.evaluate(
                    TrustQuestion(
                        chain: chain, anchors: store, name: .dns("good.test"), instant: WatchBench.pki.epoch))
                #expect(reading.isAccepted)
            }
        }
        #expect(counter[.referenceVerdict] == 2)
        for der in root { #expect(counter[.certificate(der)] == 1) }
    }

    @Test("evidence that is only compared with pins is not parsed") func pinsAlone() throws {
        let chain = try WatchBench.pki.identity(.good).chain
        let counter = WorkCounter()
        counter.count {
            let evidence = CertificateEvidence(der: chain[0], source: .presented, stackKey: .unreadable("not asked"))
            #expect(throws: Never.self) { try evidence.digests.get() }
            #expect(counter[.certificate(chain[0])] == 0)
            #expect(evidence.details != nil)
            #expect(evidence.details != nil)
            #expect(counter[.certificate(chain[0])] == 1)
        }
    }

    @Test("the reference verifier judges a handshake once, although a request waits for it") func reference()
        async throws
    {
        let check = Check(target: try Target("good.test"), anchors: try WatchBench.pki.anchors(), serverDate: .always)
        let counter = WorkCounter()
        let results = await counter.count {
            await Prober(clock: time.clock).probe(check, through: [transport(answer())], resolvers: [])
        }
        #expect(results.first?.evidence.connection?.serverTime != nil)
        #expect(counter[.referenceVerdict] == 1)
    }

    /// A request is sent only if what is known before it allows that; its response is further evidence.
    @Test("the policies judge a connection once, and once before a request", arguments: [false, true])
    func policies(asksServer: Bool) async throws {
        let check = Check(
            target: try Target("good.test"), alternates: [try Target("good.test:444")],
            anchors: try WatchBench.pki.anchors(), serverDate: asksServer ? .always : .never)
        let counter = WorkCounter()
        let results = await counter.count {
            await Prober(clock: time.clock, pinCache: MemoryCache()).probe(
                check, through: [transport(asksServer ? answer() : .presents(.good))], resolvers: [])
        }
        #expect(results.first?.verdict.outcome.isPass == true)
        #expect(counter[.connectionVerdict] == (asksServer ? 2 : 1))
    }

    @Test("a watch judges a connection once") func watch() async throws {
        let bench = try WatchBench([.presents(.good), .presents(.renewedNewKey)])
        let counter = WorkCounter()
        let changes = await counter.count { await bench.changes(rounds: 3) }
        #expect(changes.map(\.summary) == ["status pass", "drift pass"])
        #expect(bench.transport.moments.count == 4)
        #expect(counter[.connectionVerdict] == 4)
    }
}
