import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Servers that start TLS on request, and what goes wrong before it.
    static let startingTLS: [TLSScenario] =
        StartTLS.allCases.flatMap(regular) + StartTLS.allCases.flatMap(faulty) + odd

    private static let source = "RFC 3207, RFC 9051, RFC 2595, RFC 4217, RFC 6120, RFC 4511 and the like"

    /// A server as it should be, whose bytes come at once and one by one.
    private static func regular(_ known: StartTLS) -> [TLSScenario] {
        let name = known.rawValue
        return [
            starting(
                known, name, "TLS is started with \(name).",
                .tls(LabTLSRecipe(.good, dialogue: LabDialogue(known))), .pass),
            starting(
                known, "\(name)-byte-by-byte", "Also byte by byte.",
                .tls(
                    LabTLSRecipe(
                        .good, pace: LabPace(bytes: 1, pause: .microseconds(100)), dialogue: LabDialogue(known))),
                .pass
            ).with { $0.timeout = .seconds(10) },
        ]
    }

    private static func faulty(_ known: StartTLS) -> [TLSScenario] {
        let name = known.rawValue
        return [
            fault(
                known, .offersNone, "\(name)-without-offer", "A server of \(name) without TLS is named as such.",
                "starttls-refused"),
            fault(
                known, .refuses, "\(name)-refused", "One that says no is quoted, and nothing more is sent.",
                "starttls-refused"),
            fault(
                known, .injects, "\(name)-injection",
                "What follows its go-ahead in clear text is nobody's, and ends the connection.", "starttls-injection"),
            starting(
                known, "\(name)-endless", "One that does not end what it has to say is not listened to for long.",
                .endless(known), .handshakeFailed, code: "starttls-protocol-error"),
        ]
    }

    private static let odd: [TLSScenario] =
        [
            StartTLS.smtp, .lmtp, .imap, .pop3, .ftp, .nntp, .sieve, .xmppClient,
        ].map { known in
            fault(
                known, .hurries, "\(known.rawValue)-early",
                "One of \(known.rawValue) that speaks before it is asked is not believed.", "starttls-protocol-error")
        } + [
            starting(
                .imap, "another-greeting", "A greeting of another protocol is named.", .plainSMTP, .handshakeFailed,
                code: "starttls-protocol-error"
            ).with { $0.facts = [.says("it speaks SMTP", in: "starttls-protocol-error")] },
            starting(
                .postgres, "tls-at-once", "A port that speaks TLS from its first byte is recognised by its alert.",
                .script(LabScript(on: .firstBytes, bytes: [21, 3, 1, 0, 2, 2, 70], end: .close)), .handshakeFailed,
                code: "starttls-protocol-error"
            ).with { $0.facts = [.says("TLS from its first byte", in: "starttls-protocol-error")] },
            starting(
                .smtp, "silent", "A server that says nothing is waited for no longer than the deadline.", .silent,
                .handshakeFailed, code: "handshake-timeout"
            ).with { $0.timeout = .seconds(1) },
            starting(
                .smtp, "closes", "One that closes is gone.", .closes, .handshakeFailed, code: "connection-closed"),
            starting(
                .pop3, "expired", "What is served after STARTTLS is judged as everywhere.",
                .tls(LabTLSRecipe(.expired, dialogue: LabDialogue(.pop3))), .trustFailed, code: "expired"),
            starting(
                .smtp, "other-pin", "So are its pins.", .tls(LabTLSRecipe(.good, dialogue: LabDialogue(.smtp))),
                .pinMismatch, code: "pin-mismatch"
            ).with { $0.pins = [PinGroupRecipe(PinRecipe(.spki, of: .nothing), at: .any)] },
        ]

    private static func fault(
        _ known: StartTLS, _ fault: LabDialogue.Fault, _ id: String, _ sentence: String, _ code: String
    ) -> TLSScenario {
        starting(
            known, id, sentence, .tls(LabTLSRecipe(.good, dialogue: LabDialogue(known, fault))), .handshakeFailed,
            code: code)
    }

    private static func starting(
        _ known: StartTLS, _ id: String, _ sentence: String, _ peer: LabPeer, _ outcome: Outcome, code: String? = nil
    ) -> TLSScenario {
        TLSScenario("starttls/" + id, sentence, source: source, peer, outcome, code: code)
            .with { $0.startTLS = known }
    }
}
