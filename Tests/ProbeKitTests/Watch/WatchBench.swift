import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun

/// A watch of one scripted server on virtual time.
struct WatchBench {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
    /// No jitter, so that moments are exact.
    static let steady = WatchSettings(jitter: 0)

    let time = VirtualTime(epoch: pki.epoch)
    let transport: ScriptedTransport
    let check: Check

    init(_ steps: [ScriptedTransport.Step], pins: [PinGroup] = [], serverDate: ServerDateMode = .never) throws {
        transport = ScriptedTransport(steps, pki: Self.pki, time: time)
        check = Check(
            target: try Target("good.test"), anchors: try Self.pki.anchors(), pins: pins, serverDate: serverDate)
    }

    /// Returns the changes of some rounds; of the server's check if no others are given.
    func changes(
        rounds: Int, _ settings: WatchSettings = steady, baselines: any BaselineStore = MemoryBaselines(),
        lateness: (any LatenessMeter)? = nil, spacing: Duration = .milliseconds(100), of checks: [WatchedCheck]? = nil
    ) async -> [StatusChange] {
        var settings = settings
        settings.rounds = rounds
        let watch = Watch(
            checks ?? [WatchedCheck(check, through: [transport])], settings: settings, clock: time.clock, sleeper: time,
            spacing: spacing, baselines: baselines, lateness: lateness)
        var changes: [StatusChange] = []
        for await change in watch { changes.append(change) }
        return changes
    }
}

extension StatusChange {
    /// The change in short: `status pass`.
    var summary: String { "\(kind.rawValue) \(to.rawValue)" }
}
