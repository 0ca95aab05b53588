import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Peers that do not support TLS, or break it.
    static let peers: [TLSScenario] =
        [
            peer("dead", "A port where nobody listens.", .dead, "connection-refused", .unreachable),
            peer("silent", "A peer that accepts and never speaks.", .silent, "handshake-timeout"),
            peer(
                "silent-after-hello", "One that never answers the ClientHello.", .silentAfterHello, "handshake-timeout"),
            peer("half-record", "One that falls silent within a record.", .halfRecord, "handshake-timeout"),
            peer("closes", "One that closes at once.", .closes, "connection-closed"),
            peer("closes-after-hello", "One that closes on the ClientHello.", .closesAfterHello, "connection-closed"),
            peer(
                "closes-mid-handshake", "One that closes within its ServerHello.", .closesMidHandshake,
                "connection-closed"),
            peer("close-notify", "One that closes with close_notify.", .closesWithNotify, "connection-closed"),
            peer("resets", "One that resets the connection.", .resetsAfterHello, "connection-reset"),
            peer("http", "A web server without TLS.", .plainHTTP, "not-tls"),
            peer("smtp", "A mail server that greets first.", .plainSMTP, "not-tls"),
            peer("garbage", "Bytes that are not a TLS record.", .garbage, "not-tls"),
            peer("endless-bytes", "The same without end.", .endlessBytes, "not-tls"),
            peer("oversized-record", "A record longer than any may be.", .oversizedRecord, "protocol-error"),
            peer("endless-warnings", "Warning alerts without end.", .endlessWarnings, "protocol-error"),
            peer("endless-empty-records", "Empty records without end.", .endlessEmptyRecords, "protocol-error"),
            peer("endless-message", "A handshake message without end.", .endlessMessage, "protocol-error"),
            peer(
                "endless-hello-requests", "HelloRequests without end.", .endlessHelloRequests, "protocol-error"),
            peer(
                "endless-cipher-changes", "ChangeCipherSpec without end.", .endlessCipherChanges, "protocol-error"),
            peer(
                "endless-fragments", "A certificate message in records of one byte.", .endlessFragments,
                "protocol-error"
            )
            .with {
                $0.deviations = [
                    "gnutls": Deviation(
                        .handshakeFailed, code: "chain-too-long",
                        "it takes a message of so many records for one that is too large")
                ]
            },
            peer("huge-chain", "A chain of 200 certificates.", .tls(LabTLSRecipe(.huge)), "chain-too-long"),
            peer(
                "huge-chain-in-tls-1.2", "The same in TLS 1.2.", .tls(LabTLSRecipe(.huge, versions: .tls12 ... .tls12)),
                "chain-too-long"),
        ]
        + [HandshakeFailure.Alert.handshakeFailure, .protocolVersion, .internalError, .unrecognizedName].map { alert in
            peer("alert-\(alert.rawValue)", "A refusal with the alert \(alert).", .alert(alert), "alert-received")
                .with { $0.facts = [.alert(alert)] }
        }

    private static func peer(
        _ id: String, _ sentence: String, _ peer: LabPeer, _ code: String, _ outcome: Outcome = .handshakeFailed
    ) -> TLSScenario {
        TLSScenario(
            "peers/" + id, sentence + " The code is \(code).",
            source: "decided: facts-only, decided: deadlines, requirement 48", peer, outcome,
            code: code
        ).with {
            $0.timeout = code == "handshake-timeout" ? .seconds(1) : .seconds(5)
            // Nothing was proved, so no pin can have been compared.
            $0.pins = [PinGroupRecipe(PinRecipe(.spki, of: .nothing), at: .any)]
        }
    }
}
