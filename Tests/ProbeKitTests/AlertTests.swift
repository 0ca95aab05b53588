import ProbeKit
import Testing

/// The alerts of TLS by number and name.
@Suite struct AlertTests {
    @Test(
        "an alert has the RFC's name, or its number",
        arguments: [
            (0, "close_notify"), (40, "handshake_failure"), (48, "unknown_ca"), (70, "protocol_version"),
            (116, "certificate_required"), (255, "255"),
        ] as [(UInt8, String)])
    func names(number: UInt8, name: String) {
        let alert = HandshakeFailure.Alert(rawValue: number)
        #expect(alert.description == name && (alert.name == nil) == (number == 255))
    }

    @Test("those that decide something have names") func named() {
        let alerts: [HandshakeFailure.Alert] = [
            .handshakeFailure, .noCertificate, .badCertificate, .unsupportedCertificate, .certificateRevoked,
            .certificateExpired, .certificateUnknown, .unknownAuthority, .accessDenied, .protocolVersion,
            .internalError, .unrecognizedName, .certificateRequired, .noApplicationProtocol,
        ]
        #expect(alerts.map(\.rawValue) == [40, 41, 42, 43, 44, 45, 46, 48, 49, 70, 80, 112, 116, 120])
        #expect(alerts.allSatisfy { $0.name != nil })
    }

    @Test("a refusal shows the number and the stack's words") func refusal() {
        let failure = HandshakeFailure.refused(alert: .certificateRequired, "certificate required")
        #expect(failure.message == "the peer refused with alert 116 (certificate required)")
        #expect(failure.alert == .certificateRequired)
    }
}
