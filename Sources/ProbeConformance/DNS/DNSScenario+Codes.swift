import ProbeKit
import ProbeLab

extension DNSScenario {
    /// Response codes, absence, missing replies and time.
    static let codes: [DNSScenario] = absence + errors + filtered + time

    private static let answer = LabDNSMessage(answers: [.txt("dc,florida")])
    private static let zone = DNSName.lab("test")

    private static let absence: [DNSScenario] = [
        DNSScenario(
            "absence/nxdomain", "A name that does not exist has no list.", source: "RFC 2308 2.1",
            .reply(LabDNSMessage(authorities: [.soa(zone: zone)], responseCode: .nameError)), .modelAbsent),
        DNSScenario(
            "absence/nxdomain-without-soa", "So it is without SOA.", source: "RFC 2308 2.1",
            .reply(LabDNSMessage(responseCode: .nameError)), .modelAbsent),
        DNSScenario(
            "absence/nxdomain-with-txt", "A TXT record beside NXDOMAIN is not believed.", source: "RFC 1035 4.1.1",
            .reply(LabDNSMessage(answers: answer.answers, responseCode: .nameError)), .modelAbsent),
        DNSScenario(
            "absence/nodata", "A name without TXT records has no list.", source: "RFC 2308 2.2",
            .reply(LabDNSMessage(authorities: [.soa(zone: zone)])), .modelAbsent),
        DNSScenario(
            "absence/nodata-without-soa", "Without SOA the absence is not proven.", source: "RFC 2308 2.2",
            .reply(LabDNSMessage()), .dnsIndeterminate, code: "absence-unproven"),
        DNSScenario(
            "absence/nodata-foreign-soa", "Another zone's SOA proves nothing.", source: "RFC 2308 2.2",
            .reply(LabDNSMessage(authorities: [.soa(zone: .lab("example"))])), .dnsIndeterminate,
            code: "absence-unproven"),
        DNSScenario(
            "absence/referral", "A referral says nothing.", source: "RFC 2308 2.2",
            .reply(
                LabDNSMessage(authorities: [.ns(.lab("ns", "test"), zone: zone)]).with { $0.isAuthoritative = false }),
            .dnsIndeterminate, code: "referral"),
    ]

    private static func error(
        _ id: String, _ code: DNSAttempt.ResponseCode, expecting expectedCode: String, answers: [LabDNSRecord] = []
    ) -> DNSScenario {
        DNSScenario(
            "codes/" + id,
            "Response code \(code.rawValue) says nothing\(answers.isEmpty ? "" : ", whatever comes with it").",
            source: "RFC 1035 4.1.1", .reply(LabDNSMessage(answers: answers, responseCode: code)), .dnsIndeterminate,
            code: expectedCode)
    }

    private static let errors: [DNSScenario] = [
        error("servfail", .serverFailure, expecting: "server-failure"),
        error("servfail-with-txt", .serverFailure, expecting: "server-failure", answers: answer.answers),
        error("refused", .refused, expecting: "query-refused"),
        error("notimp", .notImplemented, expecting: "response-code"),
        error("notauth", .init(rawValue: 9), expecting: "response-code"),
        error("unassigned", .init(rawValue: 11), expecting: "response-code", answers: answer.answers),
        DNSScenario(
            "codes/opcode", "A reply to another operation is not an answer.", source: "RFC 1035 4.1.1",
            .reply(answer.with { $0.opcode = 4 }), .dnsIndeterminate, code: "wrong-opcode"),
        DNSScenario(
            "codes/servfail-once", "SERVFAIL is asked again while tries are left.", source: "decided: dns-answers",
            LabDNSBehaviour.reply(answer).with { $0.first = [.reply(LabDNSMessage(responseCode: .serverFailure))] },
            .pass
        ).with { $0.tries = 2 },
    ]

    private static let filtered: [DNSScenario] =
        [UInt16(4), 15, 16, 17].flatMap { code in
            [("", LabDNSMessage(answers: [.txt("dc")])), ("-nxdomain", LabDNSMessage(responseCode: .nameError))].map {
                suffix, message in
                DNSScenario(
                    "codes/extended-error-\(code)\(suffix)", "Extended error \(code): the answer is not the zone's.",
                    source: "RFC 8914 4", .reply(message.with { $0.options = .records([.opt(extendedError: code)]) }),
                    .dnsIndeterminate, code: "filtered")
            }
        } + [
            DNSScenario(
                "codes/extended-error-3", "A stale answer is still the zone's; a warning says that it is old.",
                source: "RFC 8914 4.4", .reply(answer.with { $0.options = .records([.opt(extendedError: 3)]) }),
                .passWithWarnings),
            DNSScenario(
                "codes/servfail-with-reason", "SERVFAIL says nothing, whatever reason comes with it.",
                source: "RFC 8914 2",
                .reply(
                    LabDNSMessage(responseCode: .serverFailure)
                        .with { $0.options = .records([.opt(extendedError: 22, text: "all servers are down")]) }),
                .dnsIndeterminate, code: "server-failure"),
        ]

    private static let time: [DNSScenario] = [
        DNSScenario(
            "time/silence", "Silence ends at the deadline.", source: "decided: dns-answers", .silence,
            .dnsIndeterminate,
            code: "timeout"
        ).with { $0.duration = .milliseconds(1600)...(.milliseconds(2400)) },
        DNSScenario(
            "time/silence-two-tries", "So it does with two tries.", source: "decided: dns-answers", .silence,
            .dnsIndeterminate, code: "timeout"
        ).with {
            $0.tries = 2
            $0.duration = .milliseconds(1600)...(.milliseconds(2400))
        },
        DNSScenario(
            "time/slow", "An answer within the deadline counts.", source: "decided: dns-answers",
            LabDNSBehaviour([.wait(.milliseconds(300)), .reply(answer)]), .pass
        ).with { $0.timeout = .seconds(1) },
        DNSScenario(
            "time/slow-two-tries", "So does one to the first try that comes while the second is under way.",
            source: "decided: dns-answers", LabDNSBehaviour([.wait(.milliseconds(1300)), .reply(answer)]), .pass
        ).with { $0.tries = 2 },
        DNSScenario(
            "time/slow-first-server", "Or that comes while the second server is silent.",
            source: "decided: dns-answers",
            [Server(LabDNSBehaviour([.wait(.milliseconds(1300)), .reply(answer)])), Server(.silence)], .pass),
        DNSScenario(
            "time/slow-first-server-second-closed",
            "Or whose neighbour's port is closed: it has all the time there is.",
            source: "choice: the deadline is the caller's",
            [
                Server(LabDNSBehaviour([.wait(.milliseconds(1300)), .reply(answer)])),
                Server(.silence, listening: .nothing),
            ], .pass),
        DNSScenario(
            "time/slow-first-server-second-closed-two-tries", "So it has with two tries.",
            source: "choice: the deadline is the caller's",
            [
                Server(LabDNSBehaviour([.wait(.milliseconds(1300)), .reply(answer)])),
                Server(.silence, listening: .nothing),
            ], .pass
        ).with { $0.tries = 2 },
        DNSScenario(
            "time/too-slow", "One beyond it does not.", source: "decided: dns-answers",
            LabDNSBehaviour([.wait(.milliseconds(1500)), .reply(answer)]), .dnsIndeterminate, code: "timeout"
        ).with { $0.timeout = .seconds(1) },
        DNSScenario(
            "time/closed-port", "A closed port is reported at once.", source: "RFC 1122 4.1.3.3",
            [Server(.silence, listening: .nothing)], .dnsIndeterminate, code: "connection-refused"
        ).with { $0.duration = .zero...(.milliseconds(700)) }
            .except("unbound", .dnsIndeterminate, because: "It does not look at ICMP, and waits the time out."),
        DNSScenario(
            "time/second-server", "The second server is asked where the first is silent.",
            source: "decided: dns-answers",
            [Server(.silence), Server(.reply(answer))], .pass),
        DNSScenario(
            "time/second-server-after-closed", "Or where its port is closed.", source: "decided: dns-answers",
            [Server(.silence, listening: .nothing), Server(.reply(answer))], .pass),
        DNSScenario(
            "time/second-server-after-refusal", "Or where it refuses to answer.", source: "decided: dns-answers",
            [Server(.reply(LabDNSMessage(responseCode: .refused))), Server(.reply(answer))], .pass),
        DNSScenario(
            "time/second-server-after-bad-version", "Or where it does not know the version of EDNS.",
            source: "RFC 6891 6.1.3",
            [
                Server(.reply(LabDNSMessage().with { $0.options = .records([.opt(extendedCode: 1)]) })),
                Server(.reply(answer)),
            ], .pass),
    ]
}
