import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing

/// There is no mode without a trust decision (decided: trust-always).
@Suite struct TrustedChainTests {
    private static func outcome(
        _ mode: TrustMode, native: TrustReading?, reference: TrustReading?
    ) throws -> Outcome {
        let path = try TestConnection.path()
        var report = HandshakeReport()
        report.version = .tls13
        report.chain = path
        report.nativeTrust = native
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: reference, anchors: .none, instant: TestConnection.pki.epoch)
        return Verdict(
            TrustedChain(mode).judge(Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch)
        ).outcome
    }

    @Test(
        "[R52, R56] Every mode refuses what its verifier refuses, and what nobody judged.",
        arguments: TrustMode.allCases)
    func everyModeDecides(mode: TrustMode) throws {
        let accepted = TrustReading.accepted(path: nil)
        let refused = TrustReading.refused([.init(.expired, "expired")])
        #expect(try Self.outcome(mode, native: accepted, reference: accepted) == .pass)
        #expect(try Self.outcome(mode, native: refused, reference: refused) == .trustFailed)
        for (native, reference) in [(nil, accepted), (accepted, nil), (nil, nil)] as [(TrustReading?, TrustReading?)] {
            #expect(try Self.outcome(mode, native: native, reference: reference) == .internalError)
        }
    }
}
