import ProbeKit
import ProbeLab

extension DNSScenario {
    /// Truncation, TCP, EDNS and its absence.
    static let transport: [DNSScenario] = truncation.map(\.overPlain) + messages + streams + edns

    private static let list = LabDNSMessage(answers: [.txt("dc,houston,tampa,florida")])
    private static let truncated = LabDNSBehaviour.reply(list.with { $0.truncation = .overUDP(keeping: 0) })
    private static let partial = LabDNSBehaviour.reply(
        LabDNSMessage(answers: [.txt("dc,houston"), .txt("tampa"), .txt("florida")])
            .with { $0.truncation = .overUDP(keeping: 1) })

    /// Returns a list of a size with the model at its end, in one record.
    private static func text(bytes: Int) -> LabDNSRecord {
        .txt((LabModelList.strings(bytes: bytes) + ["florida"]).map { Array($0.utf8) })
    }

    private static let truncation: [DNSScenario] = [
        DNSScenario(
            "transport/truncated", "A truncated reply without records is asked for again over TCP.",
            source: "RFC 7766 5", truncated, .pass),
        DNSScenario(
            "transport/partial", "Part of the records is not taken for all of them.", source: "RFC 2181 9", partial,
            .passWithWarnings),
        DNSScenario(
            "transport/partial-no-tcp", "Part of the records says nothing where the whole can't be had.",
            source: "RFC 2181 9", [Server(partial, listening: .udp)], .dnsIndeterminate, code: "connection-refused"),
        DNSScenario(
            "transport/truncated-no-tcp", "Nor does a truncated reply without records.", source: "RFC 2181 9",
            [Server(truncated, listening: .udp)], .dnsIndeterminate, code: "connection-refused"),
        DNSScenario(
            "transport/small-size", "600 bytes do not fit an advertised size of 512, and are fetched over TCP.",
            source: "RFC 6891 6.2.3",
            .answer(text(bytes: 600)), .pass
        ).with { $0.ednsSize = 512 },
        DNSScenario(
            "transport/ipv6", "A server may have an IPv6 address, over UDP and over TCP.", source: "RFC 3596 1",
            [Server(LabDNSZone(truncated), on: .loopback6)], .pass),
    ]

    private static let messages: [DNSScenario] = [
        DNSScenario(
            "transport/truncated-over-tcp", "A reply that is truncated over TCP or HTTPS too says nothing.",
            source: "RFC 2181 9", .reply(list.with { $0.truncation = .always }), .dnsIndeterminate, code: "truncated"),
        DNSScenario(
            "transport/without-edns", "A query without EDNS is answered.", source: "RFC 1035 4.2.1",
            .answer(.txt("dc,florida")), .pass
        ).with { $0.ednsSize = nil },
        DNSScenario(
            "transport/big-size", "A big size is advertised as it is asked for.", source: "RFC 6891 6.2.3",
            .answer(text(bytes: 4200)), .pass
        ).with { $0.ednsSize = 8192 },
        DNSScenario(
            "transport/bigger-than-asked", "A whole reply counts, even if it is bigger than was advertised.",
            source: "choice: nothing is missing",
            .reply(LabDNSMessage(answers: [text(bytes: 1400)]).with { $0.truncation = .never }), .pass),
    ]

    private static func stream(
        _ id: String, _ sentence: String, _ stream: LabDNSBehaviour.Stream, _ expected: Outcome = .dnsIndeterminate,
        code: String? = nil, timeout: Duration = .seconds(2)
    ) -> DNSScenario {
        DNSScenario(
            "transport/tcp-" + id, sentence, source: "RFC 7766 8", truncated.with { $0.stream = stream }, expected,
            code: code
        ).overPlain.with { $0.timeout = timeout }
    }

    private static let streams: [DNSScenario] = [
        stream("closed", "A connection closed at once says nothing.", .closed, code: "connection-closed"),
        stream("half", "Half a message says nothing.", .half, code: "connection-closed"),
        stream(
            "length-too-big", "A length beyond the message says nothing.", .claimedLength(60_000),
            code: "connection-closed"),
        stream("length-too-small", "Nor does one within the message.", .claimedLength(20)),
        stream("length-zero", "Nor does one below a header's.", .claimedLength(0), code: "tcp-framing"),
        stream("dribbled", "A reply may come byte by byte.", .dribbled(.milliseconds(4)), .pass),
        stream(
            "too-slow", "The deadline holds for one that comes too slowly.", .dribbled(.milliseconds(50)),
            code: "timeout", timeout: .seconds(1)
        ).with { $0.duration = .milliseconds(800)...(.milliseconds(1500)) },
        stream(
            "silent", "A silent connection is left at the deadline.", .silent, code: "timeout", timeout: .seconds(1)),
        DNSScenario(
            "transport/tcp-wrong-id", "A reply with a wrong id is dropped over TCP too.", source: "RFC 7766 7",
            truncated.with { $0.streamed = [list.with { $0.idOffset = 1 }] }, .dnsIndeterminate, code: "timeout"
        ).overPlain.with { $0.timeout = .seconds(1) },
        DNSScenario(
            "transport/tcp-wrong-id-then-right", "The right one behind it counts.", source: "RFC 7766 7",
            truncated.with { $0.streamed = [LabDNSMessage(answers: [.txt("dc")]).with { $0.idOffset = 1 }, list] },
            .pass
        ).overPlain
            .except(
                "unbound", .dnsIndeterminate, because: "It gives up at the first message over TCP that is not a reply."),
    ]

    private static func refusingEDNS(_ refusal: LabDNSMessage) -> LabDNSBehaviour {
        LabDNSBehaviour.reply(refusal).with { $0.withoutEDNS = [.reply(list)] }
    }

    private static func edns(
        _ id: String, _ sentence: String, source: String = "RFC 6891 7", _ behaviour: LabDNSBehaviour,
        _ expected: Outcome = .pass, code: String? = nil
    ) -> DNSScenario {
        DNSScenario("edns/" + id, sentence, source: source, behaviour, expected, code: code)
    }

    private static func options(
        _ records: LabDNSRecord..., code: DNSAttempt.ResponseCode = .noError, answers: Bool = true
    ) -> LabDNSBehaviour {
        .reply(
            LabDNSMessage(answers: answers ? list.answers : [], responseCode: code)
                .with { $0.options = .records(records) })
    }

    private static let formatError = LabDNSMessage(responseCode: .formatError).with { $0.options = .none }

    private static let needsQuestion =
        "c-ares takes no reply without the question, and waits for another until the end."

    private static let edns: [DNSScenario] = [
        edns("format-error", "A server that does not know EDNS is asked without.", refusingEDNS(formatError)),
        edns(
            "format-error-bare", "So is one whose error is a header alone.",
            refusingEDNS(formatError.with { $0.question = .missing })
        ).except("cares", .dnsIndeterminate, code: "timeout", because: needsQuestion),
        edns(
            "format-error-cut", "Or a header that claims a question.", refusingEDNS(formatError.with { $0.cut = 12 })
        ).except("cares", .dnsIndeterminate, code: "timeout", because: needsQuestion),
        edns(
            "format-error-with-opt", "A server that knows EDNS is not asked without.",
            refusingEDNS(LabDNSMessage(responseCode: .formatError)), .dnsIndeterminate, code: "response-code"),
        edns(
            "not-implemented", "NOTIMP is an old way to say the same.",
            refusingEDNS(LabDNSMessage(responseCode: .notImplemented).with { $0.options = .none })),
        edns(
            "dropped", "Silence is not taken for a refusal of EDNS.", source: "choice: DNS flag day 2019",
            LabDNSBehaviour.silence.with { $0.withoutEDNS = [.reply(list)] }, .dnsIndeterminate, code: "timeout"
        ).with { $0.timeout = .seconds(1) },
        edns(
            "bad-version", "BADVERS is not an answer.", options(.opt(extendedCode: 1), answers: false),
            .dnsIndeterminate,
            code: "response-code"),
        edns(
            "bad-version-with-answers", "Nor are the records that come with it.", options(.opt(extendedCode: 1)),
            .dnsIndeterminate, code: "response-code"),
        edns("missing-opt", "A reply without OPT counts.", .reply(list.with { $0.options = .none })),
        edns(
            "two-opts", "Two OPT records are a format error.", source: "RFC 6891 6.1.1", options(.opt(), .opt()),
            .dnsIndeterminate, code: "malformed"),
        edns(
            "version-1", "Another version in the reply does no harm.", source: "RFC 6891 6.1.3",
            options(.opt(version: 1))),
        edns(
            "opt-overrun", "An option ends within its record.", source: "RFC 6891 6.1.2",
            options(.opt(options: [0, 10, 0, 9, 1])),
            .dnsIndeterminate, code: "malformed"),
        edns(
            "cookie-too-short", "Cookies are not used, so a broken one does no harm.",
            source: "decided: no-cookies",
            options(.opt(options: [0, 10, 0, 3, 1, 2, 3]))),
        edns(
            "bad-cookie", "BADCOOKIE does not count as an answer.", source: "decided: no-cookies",
            options(.opt(extendedCode: 1), code: .init(rawValue: 7), answers: false), .dnsIndeterminate,
            code: "response-code"),
    ]
}
