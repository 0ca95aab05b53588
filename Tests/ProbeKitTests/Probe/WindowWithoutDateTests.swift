import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import Testing

/// Transition windows of servers whose protocol has no `Date`.
@Suite struct WindowWithoutDateTests {
    private let time = VirtualTime(epoch: WatchBench.pki.epoch)

    private func probe(
        _ mode: ServerDateMode, onMissingDate: TransitionWindow.MissingDate = .strict
    ) async throws -> Verdict {
        let good = try WatchBench.pki.identity(.good)
        let instant = WatchBench.pki.epoch
        let window = TransitionWindow(
            start: instant.addingTimeInterval(-60), end: instant.addingTimeInterval(60), onMissingDate: onMissingDate)
        let pins = [
            PinGroup([Pin(kind: .spki, digest: .sha256(of: good.key.spki))], position: .leaf),
            PinGroup([Pin(kind: .cert, digest: .sha256(of: good.leaf))], position: .leaf, window: window),
        ]
        let check = Check(
            target: try Target("good.test:25", startTLS: .smtp), anchors: try WatchBench.pki.anchors(), pins: pins,
            serverDate: mode)
        let transport = ScriptedTransport([.presents(.renewedSameKey)], pki: WatchBench.pki, time: time)
        let results = await Prober(clock: time.clock).probe(check, through: [transport], resolvers: [])
        return try #require(results.first).verdict
    }

    @Test(arguments: [ServerDateMode.whenItDecides, .never])
    func theFixIsNotToAskForOne(mode: ServerDateMode) async throws {
        let finding = try #require(try await probe(mode).decidingFinding)
        #expect(finding.code == "no-server-date")
        #expect(finding.message.contains("smtp has no Date"))
        let served = Pin(kind: .cert, digest: .sha256(of: try WatchBench.pki.identity(.renewedSameKey).leaf))
        #expect(finding.remedy.steps == [.pin(served, .leaf)])
    }

    @Test func aLenientWindowIsOpen() async throws {
        let verdict = try await probe(.whenItDecides, onMissingDate: .lenient)
        #expect(verdict.findings.contains { $0.code == "transition" && $0.severity == .warning })
    }
}
