import ProbeKit
import ProbeLab

extension DNSScenario {
    /// DNS over TLS: what is answered, faults of the stream, and faults of the connection.
    static let overTLS: [DNSScenario] = answers + streams + connections

    private static let list = LabDNSMessage(answers: [.txt("dc,florida")])

    private static func asked(
        _ id: String, _ sentence: String, source: String = "RFC 7858 3.3", _ behaviour: LabDNSBehaviour = .reply(list),
        _ expected: Outcome = .dnsIndeterminate, code: String? = nil
    ) -> DNSScenario {
        DNSScenario("tls/" + id, sentence, source: source, behaviour, expected, code: code).with {
            $0.medium = .tls
            $0.timeout = .seconds(10)
        }
    }

    private static let answers: [DNSScenario] = [
        asked("listed", "An answer over TLS counts.", .reply(list), .pass),
        asked("not-listed", "It counts the same against the model.", .answer(.txt("dc,houston")), .modelNotListed),
        asked(
            "absent", "And so does absence.",
            .reply(LabDNSMessage(authorities: [.soa(zone: .lab("test"))], responseCode: .nameError)), .modelAbsent),
        asked(
            "whole", "Nothing is truncated: 4200 bytes come at once.",
            .answer(.txt((LabModelList.strings(bytes: 4200) + ["florida"]).map { Array($0.utf8) })), .pass),
    ]

    private static func stream(
        _ id: String, _ sentence: String, _ stream: LabDNSBehaviour.Stream, _ expected: Outcome = .dnsIndeterminate,
        code: String? = nil
    ) -> DNSScenario {
        asked(
            id, sentence, source: "RFC 7766 8", LabDNSBehaviour.reply(list).with { $0.stream = stream }, expected,
            code: code)
    }

    private static let streams: [DNSScenario] = [
        stream("dribbled", "A message may come byte by byte.", .dribbled(.milliseconds(4)), .pass),
        stream("half", "Half a message says nothing.", .half, code: "connection-closed"),
        stream("closed", "Nor does a connection closed at once.", .closed, code: "connection-closed"),
    ]

    private static func connection(_ id: String, _ sentence: String, _ identity: LabIdentityName) -> DNSScenario {
        asked(
            "tls-" + id, sentence, source: "RFC 8310 8.1", .reply(list), .dnsIndeterminate, code: "tls-failed"
        ).with { $0.tls = LabTLSRecipe(identity) }
    }

    private static let connections: [DNSScenario] = [
        connection("unknown-issuer", "A server whose certificate nobody vouches for is not asked.", .unknownIssuer),
        connection("self-signed", "Nor is one that vouches for itself.", .selfSigned),
        connection("wrong-name", "Nor is one whose certificate is for another name.", .wrongName),
        connection("expired", "Nor is one whose certificate has expired.", .expired),
        connection("not-yet-valid", "Nor is one whose certificate is not valid yet.", .notYetValid),
        DNSScenario(
            "tls/second-server", "The second server is asked where nobody answers for the first one.",
            source: "decided: dns-answers", [Server(.reply(list), listening: .nothing), Server(.reply(list))], .pass
        ).with {
            $0.medium = .tls
            $0.timeout = .seconds(10)
        },
    ]
}
