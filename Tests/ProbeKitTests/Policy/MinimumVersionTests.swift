import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeRun
import Testing

@Suite struct MinimumVersionTests {
    private static func codes(
        _ minimum: TLSVersion, failure: HandshakeFailure? = nil, missing: Set<TransportCapability> = [],
        version: TLSVersion?, isSupplied: Bool = false
    ) -> [String] {
        var report = HandshakeReport()
        report.version = version
        report.failure = failure
        report.isSupplied = isSupplied
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: missing,
            certificates: [], referenceTrust: nil, anchors: .none, instant: TestConnection.pki.epoch)
        return MinimumVersion(minimum).judge(
            Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch
        ).map(\.code)
    }

    @Test func theMinimumItselfIsEnough() {
        for minimum in TLSVersion.allCases {
            for version in TLSVersion.allCases {
                let expected = version < minimum ? ["tls-version"] : []
                #expect(Self.codes(minimum, version: version) == expected, "\(version) of \(minimum)")
            }
        }
        #expect(Self.codes(.tls12, version: .tls11) == ["tls-version"])
    }

    /// A handshake that did not complete, or was not made, has no version to be judged.
    @Test func aVersionIsMissedOnlyInACompleteHandshake() {
        #expect(Self.codes(.tls12, version: nil) == ["version-unread"])
        #expect(Self.codes(.tls12, failure: HandshakeFailure(.protocolError, "it failed"), version: nil) == [])
        #expect(Self.codes(.tls12, missing: [.sni], version: nil) == [])
        #expect(Self.codes(.tls12, version: nil, isSupplied: true) == [])
        #expect(MinimumVersion(.tls12).judge(Evidence(connection: nil, model: nil), at: TestConnection.pki.epoch) == [])
    }
}
