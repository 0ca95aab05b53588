import ProbeKit
import ProbeLab

extension DNSScenario {
    /// Rules about replies to other queries, and malformed messages.
    static let forgeries: [DNSScenario] = forged + syntax

    private static let right = LabDNSMessage(answers: [.txt("dc,florida")])
    /// A forger takes the model off the list, or puts it there.
    private static let takenOff = LabDNSMessage(answers: [.txt("dc,evil")])

    /// The id fits, so the stack accepts it as the reply, rejects its content, and does not wait further.
    private static let endsTheWait = Exemption(
        outcomes: [.dnsIndeterminate],
        reason: "It gives up at the first message with the query's id that is not a reply.")

    private static func forged(
        _ id: String, _ sentence: String, source: String = "RFC 5452 9.1", endsTheWaitOf backends: [String] = [],
        _ forge: (LabDNSMessage) -> LabDNSBehaviour.Action
    ) -> [DNSScenario] {
        [
            DNSScenario(
                "forgeries/" + id, sentence + " is dropped, and the wait goes on.", source: source,
                LabDNSBehaviour([forge(takenOff), .wait(.milliseconds(30)), .reply(right)]), .pass
            ).overPlain.with { scenario in
                for backend in backends { scenario.exemptions[backend] = endsTheWait }
            },
            DNSScenario(
                "forgeries/" + id + "-alone", sentence + " alone is as good as silence.", source: source,
                LabDNSBehaviour([forge(right)]), .dnsIndeterminate, code: "timeout"
            ).overPlain.with { $0.timeout = .seconds(1) },
        ]
    }

    private static let ignoresQR =
        "c-ares does not look at QR: the echo ends its wait, and the strict reader refuses it."

    private static let forged: [DNSScenario] =
        forged("wrong-id", "A reply with a wrong id") { message in .reply(message.with { $0.idOffset = 1 }) }
        + forged("wrong-source", "A reply from another port") { .replyFromElsewhere($0) }
        + forged("wrong-question", "A reply to another question", endsTheWaitOf: ["unbound"]) { message in
            .reply(message.with { $0.question = .other(.lab("other", "test")) })
        }
        + forged(
            "query-echo", "An echo of the query with records", source: "RFC 1035 4.1.1", endsTheWaitOf: ["unbound"]
        ) { message in
            .reply(message.with { $0.isReply = false })
        }.map { $0.except("cares", .dnsIndeterminate, code: "not-a-reply", because: ignoresQR) }
        + forged("no-question", "A reply without a question", source: "RFC 5452 9.1", endsTheWaitOf: ["unbound"]) {
            message in
            .reply(message.with { $0.question = .missing })
        }
        + [
            DNSScenario(
                "forgeries/question-case", "A question in another case is the same question.", source: "RFC 4343",
                .reply(right.with { $0.question = .caseChanged }), .pass)
        ]

    private static func malformed(
        _ id: String, _ sentence: String, source: String, _ message: LabDNSMessage, code: String = "malformed"
    ) -> DNSScenario {
        DNSScenario("syntax/" + id, sentence, source: source, .reply(message), .dnsIndeterminate, code: code)
    }

    private static func owner(_ id: String, _ sentence: String, _ bytes: [UInt8]) -> DNSScenario {
        malformed(
            id, sentence, source: "RFC 1035 4.1.4",
            LabDNSMessage(answers: [.txt("dc,florida").with { $0.ownerBytes = bytes }]))
    }

    /// The position of the first answer: after the header and the question.
    private static let firstAnswer = UInt8(DNSHeader.size + name.wireBytes.count + 4)

    private static let syntax: [DNSScenario] =
        [
            DNSScenario(
                "syntax/noise", "What is not a message is dropped, and the wait goes on.", source: "RFC 5452 9.1",
                LabDNSBehaviour([
                    .send([1, 2, 3, 4, 5]), .send([]), .reply(right.with { $0.cut = 12 }),
                    .reply(right.with { $0.cut = 20 }),
                    .reply(right),
                ]), .pass
            ).overPlain.with { $0.exemptions["unbound"] = endsTheWait },
            owner("pointer-to-itself", "A pointer leads back, not to itself.", [0xc0, firstAnswer]),
            owner("pointer-loop", "Pointers do not loop.", [1, 0x61, 0xc0, firstAnswer]),
            owner("pointer-forward", "A pointer does not lead forward.", [0xc0, firstAnswer + 2]),
            owner("pointer-beyond", "A pointer does not lead out of the message.", [0xff, 0xff]),
            owner("pointer-to-header", "A pointer does not lead into the header.", [0xc0, 0]),
            owner("label-type", "A label has a known type.", [0x80, 0]),
            owner(
                "long-name", "A name has at most 255 bytes.",
                (0..<5).flatMap { _ in [63] + [UInt8](repeating: 0x61, count: 63) } + [0]),
            malformed(
                "count-too-big", "A count beyond the records is refused.", source: "RFC 1035 4.1.1",
                right.with { $0.claimedAnswers = 2 }),
            malformed(
                "count-zero", "So are records beyond the count.", source: "RFC 1035 4.1.1",
                right.with {
                    $0.claimedAnswers = 0; $0.options = .none
                }, code: "trailing-bytes"),
            malformed(
                "trailing-bytes", "Bytes behind the last record are refused.",
                source: "choice: a message ends where its last record does",
                right.with { $0.tail = [0xde, 0xad] }, code: "trailing-bytes"),
            malformed(
                "length-overrun", "A record ends within the message.", source: "RFC 1035 4.1.3",
                LabDNSMessage(answers: [.txt("dc,florida").with { $0.claimedLength = 900 }])),
            malformed(
                "cut-in-record", "A message cut within a record is refused.", source: "RFC 1035 4.1.3",
                right.with { $0.cut = 50 }),
            malformed(
                "alias-beyond", "An alias's target ends within its record.", source: "RFC 1035 3.3.1",
                LabDNSMessage(answers: [LabDNSRecord(type: 5, data: [9, 0x61]), .txt("dc,florida")])),
            unformed("soa", "A broken SOA record proves no absence.", LabDNSMessage(authorities: [brokenSOA])),
            unformed(
                "soa-nxdomain", "Nor does it beside NXDOMAIN.",
                LabDNSMessage(authorities: [brokenSOA], responseCode: .nameError)
            ),
            unformed(
                "name-server", "A broken record spoils the reply where nobody needs it.",
                right.with { $0.authorities = [LabDNSRecord(type: 2, data: [0xff])] }),
            unformed("address", "So it does in the additional section.", beside(LabDNSRecord(type: 1, data: [0xff]))),
            unformed("address-6", "An IPv6 address has 16 bytes.", beside(LabDNSRecord(type: 28, data: [0, 1]))),
            unformed(
                "service", "A record of type SVCB has a target.", source: "RFC 9460 2.2",
                beside(LabDNSRecord(type: 64, data: [0xff]))),
            unformed(
                "text", "A text is broken in the additional section too.", source: "RFC 1035 3.3.14",
                beside(LabDNSRecord(type: 16, data: [20, 0x64]))),
        ] + forms

    /// A record of each kind that libraries disagree about, with data that lack the form of its type.
    private static let forms: [DNSScenario] = [
        ("hinfo", 13, [3, 0x61]), ("naptr", 35, [0, 1, 0, 1, 9]), ("nsec3", 50, [1, 0, 0, 1, 9, 0xaa]),
        ("tlsa", 52, [3]),
        ("spf", 99, [9, 0x61]), ("caa", 257, [0, 9, 0x69]),
        ("tsig", 250, [0, 0, 0, 0, 0, 0, 0, 1, 44, 0, 0, 0, 7, 0, 0, 0, 0]),
    ].map { name, type, data in
        unformed(
            name, "A broken \(name.uppercased()) record beside the list spoils the reply.",
            source: "choice: the form of every type is known",
            type == 250
                ? right.with {
                    $0.options = .records([
                        .opt(),
                        LabDNSRecord(owner: DNSName(labels: []), type: 250, recordClass: 255, ttl: 0, data: data),
                    ])
                }
                : beside(LabDNSRecord(owner: .lab("beside", "test"), type: type, data: data)))
    }

    private static let brokenSOA = LabDNSRecord(owner: .lab("test"), type: 6, data: [0xff])

    /// Returns the right list beside an unrequested record.
    private static func beside(_ record: LabDNSRecord) -> LabDNSMessage {
        right.with { $0.options = .records([record, .opt()]) }
    }

    private static func unformed(
        _ id: String, _ sentence: String, source: String = "RFC 1035 3.3", _ message: LabDNSMessage
    ) -> DNSScenario {
        malformed("data-" + id, sentence, source: source, message)
    }
}
