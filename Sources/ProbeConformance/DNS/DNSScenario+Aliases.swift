import ProbeKit
import ProbeLab

extension DNSScenario {
    /// Rules about whose records count.
    static let aliases: [DNSScenario] = chains + owners

    private static let target = DNSName.lab("list", "test")
    private static let foreign = DNSName.lab("foreign", "test")
    private static let soa = LabDNSRecord.soa(zone: .lab("test"))

    /// Returns a chain of CNAME records from the name that is asked, with a TXT record at its end.
    private static func chain(_ links: Int, text: Bool = true) -> [LabDNSRecord] {
        let names = (1...links).map { DNSName.lab("link\($0)", "test") }
        let aliases = names.enumerated().map { index, name in
            LabDNSRecord.cname(name, owner: index == 0 ? nil : names[index - 1])
        }
        return aliases + (text ? [.txt("dc,florida", owner: names[links - 1])] : [])
    }

    private static func aliased(
        _ id: String, _ sentence: String, source: String = "RFC 1034 3.6.2", _ message: LabDNSMessage,
        _ expected: Outcome, code: String? = nil, end: LabDNSMessage? = nil
    ) -> DNSScenario {
        // A resolver that follows aliases itself also asks for their targets, and gets the same answer unless `end` is another.
        var behaviours = [name: LabDNSBehaviour.reply(message)]
        for owner in message.answers.compactMap(\.owner) {
            behaviours[owner] = .reply(message.with { $0.answers.removeAll { $0.owner == nil } })
        }
        if let end { behaviours[target] = .reply(end) }
        return DNSScenario(
            "aliases/" + id, sentence, source: source, [Server(LabDNSZone(behaviours))], expected, code: code)
    }

    /// A reply that holds an alias alone, whose target has this reply when it is asked itself.
    private static func elsewhere(_ id: String, _ sentence: String, _ end: LabDNSMessage) -> DNSScenario {
        aliased(
            "target-" + id, sentence, source: "decided: dns-answers",
            LabDNSMessage(answers: [.cname(target)]), .dnsIndeterminate, code: "absence-unproven", end: end)
    }

    /// A reply that holds an alias and its target's list, beside this reply to a question about the target itself.
    private static func differing(
        _ id: String, _ sentence: String, _ list: String, _ expected: Outcome, _ end: LabDNSMessage
    ) -> DNSScenario {
        aliased(
            "target-differs-" + id, sentence, source: "decided: dns-answers",
            LabDNSMessage(answers: [.cname(target), .txt(list, owner: target)]), expected, end: end)
    }

    private static let chains: [DNSScenario] = [
        aliased("one", "An alias is followed.", LabDNSMessage(answers: chain(1)), .pass),
        aliased("reversed", "The order of records does not count.", LabDNSMessage(answers: chain(3).reversed()), .pass),
        aliased("eight", "Eight links are followed.", LabDNSMessage(answers: chain(8)), .pass),
        aliased(
            "thirteen", "More than eight are not.", source: "choice: at most 8 links",
            LabDNSMessage(answers: chain(13)),
            .dnsIndeterminate, code: "alias-chain-too-long"),
        aliased(
            "cut-short", "A chain whose end is not in the reply says nothing.", source: "choice: the resolver follows",
            LabDNSMessage(answers: chain(5, text: false)), .dnsIndeterminate, code: "absence-unproven"),
        aliased(
            "nodata", "A chain that ends without TXT records has no list.", source: "RFC 2308 2.2",
            LabDNSMessage(answers: [.cname(target)], authorities: [.soa(zone: .lab("test"))]), .modelAbsent,
            end: LabDNSMessage(authorities: [.soa(zone: .lab("test"))])),
        elsewhere(
            "elsewhere", "An alias alone says nothing, whatever its target has when it is asked itself.",
            LabDNSMessage(answers: [.txt("dc,florida")])),
        elsewhere(
            "elsewhere-without-model", "Nor is the model missing from a list that has to be asked for.",
            LabDNSMessage(answers: [.txt("dc")])),
        elsewhere(
            "elsewhere-filtered", "Nor does a target's reply count whose server reports that it is forged.",
            LabDNSMessage(answers: [.txt("dc,florida")]).with { $0.options = .records([.opt(extendedError: 4)]) }),
        elsewhere(
            "elsewhere-stale", "Nor one that is stale.",
            LabDNSMessage(answers: [.txt("dc,florida")]).with { $0.options = .records([.opt(extendedError: 3)]) }),
        elsewhere(
            "elsewhere-damaged", "Nor one with bytes behind its last record.",
            LabDNSMessage(answers: [.txt("dc,florida")]).with { $0.tail = [0xde, 0xad] }),
        differing(
            "off", "A list behind an alias counts as it came, whatever its target lists when it is asked itself.", "dc",
            .modelNotListed, LabDNSMessage(answers: [.txt("dc,florida")])),
        differing(
            "on", "So it does where its target does not list the model.", "dc,florida", .pass,
            LabDNSMessage(answers: [.txt("dc")])),
        differing(
            "nxdomain", "Or does not exist.", "dc,florida", .pass,
            LabDNSMessage(authorities: [soa], responseCode: .nameError)),
        aliased(
            "dangling-elsewhere", "Nor is an absence refuted by what the target has when it is asked itself.",
            source: "RFC 2308 2.1",
            LabDNSMessage(answers: [.cname(target)], authorities: [soa], responseCode: .nameError), .modelAbsent,
            end: LabDNSMessage(answers: [.txt("dc,florida")])),
        aliased(
            "self", "A name is not its own alias.",
            LabDNSMessage(answers: [.cname(name)]), .dnsIndeterminate, code: "alias-loop"),
        aliased(
            "loop", "A loop of aliases says nothing.",
            LabDNSMessage(answers: [.cname(target), .cname(name, owner: target)]), .dnsIndeterminate, code: "alias-loop"
        ),
        aliased(
            "dangling", "An alias of a name that does not exist has no list.", source: "RFC 2308 2.1",
            LabDNSMessage(answers: [.cname(target)], authorities: [.soa(zone: .lab("test"))], responseCode: .nameError),
            .modelAbsent, end: LabDNSMessage(authorities: [.soa(zone: .lab("test"))], responseCode: .nameError)),
        aliased(
            "beside-txt", "A name with an alias has no other data.", source: "RFC 2181 10.1",
            LabDNSMessage(answers: [.cname(target), .txt("dc,florida"), .txt("dc,florida", owner: target)]),
            .dnsIndeterminate, code: "alias-conflict"),
        aliased(
            "two-targets", "A name has one alias.", source: "RFC 2181 10.1",
            LabDNSMessage(answers: [.cname(target), .cname(foreign), .txt("dc,florida", owner: target)]),
            .dnsIndeterminate, code: "alias-conflict"),
        aliased(
            "wrong-end", "The record has to belong to the end of the chain.",
            LabDNSMessage(answers: [.cname(target), .txt("dc,florida", owner: foreign)]), .dnsIndeterminate,
            code: "foreign-answer"),
        aliased(
            "wrong-end-with-soa", "No SOA record makes up for that.",
            LabDNSMessage(answers: [.cname(target), .txt("dc,florida", owner: foreign)], authorities: [soa]),
            .dnsIndeterminate, code: "foreign-answer", end: LabDNSMessage(authorities: [soa])),
        aliased(
            "loop-nxdomain", "A loop of aliases does not end at a name that does not exist.",
            LabDNSMessage(
                answers: [.cname(target), .cname(name, owner: target)], authorities: [soa], responseCode: .nameError),
            .dnsIndeterminate, code: "alias-loop", end: LabDNSMessage(authorities: [soa], responseCode: .nameError)),
    ]

    private static let owners: [DNSScenario] = [
        aliased(
            "foreign-owner", "Another name's record alone says nothing.", source: "RFC 5452 6",
            LabDNSMessage(answers: [.txt("dc,florida", owner: foreign)]), .dnsIndeterminate, code: "foreign-answer"),
        aliased(
            "foreign-beside", "Another name's record does not add to the list.", source: "RFC 5452 6",
            LabDNSMessage(answers: [.txt("dc"), .txt("florida", owner: foreign)]), .modelNotListed),
        aliased(
            "chaos-class", "A record of class CH is not one of class IN.", source: "RFC 1035 3.2.4",
            LabDNSMessage(answers: [.txt("dc,florida").with { $0.recordClass = 3 }]), .dnsIndeterminate,
            code: "foreign-answer"),
        aliased(
            "spf-type", "A record of type SPF is not one of type TXT.", source: "RFC 7208 3.1",
            LabDNSMessage(answers: [.txt("dc,florida").with { $0.type = 99 }]), .dnsIndeterminate,
            code: "foreign-answer"),
        aliased(
            "foreign-owner-with-soa", "The zone's SOA record does not make it an absence.", source: "RFC 2308 2.2",
            LabDNSMessage(answers: [.txt("dc,florida", owner: foreign)], authorities: [soa]), .dnsIndeterminate,
            code: "foreign-answer"),
        aliased(
            "spf-type-with-soa", "Nor of a record of type SPF.", source: "RFC 2308 2.2",
            LabDNSMessage(answers: [.txt("dc,florida").with { $0.type = 99 }], authorities: [soa]),
            .dnsIndeterminate, code: "foreign-answer"),
        aliased(
            "address-with-soa", "Nor of an address.", source: "RFC 2308 2.2",
            LabDNSMessage(answers: [LabDNSRecord(type: 1, data: [127, 0, 0, 1])], authorities: [soa]),
            .dnsIndeterminate, code: "foreign-answer"),
        aliased(
            "owner-case", "The owner's case does not count.", source: "RFC 4343",
            LabDNSMessage(answers: [.txt("dc,florida", owner: .lab("MODELS", "Test"))]), .pass),
        aliased(
            "owner-compressed", "The owner may be a pointer to the question.", source: "RFC 1035 4.1.4",
            LabDNSMessage(answers: [.txt("dc,florida").with { $0.ownerBytes = [0xc0, 0x0c] }]), .pass),
        aliased(
            "ttl-zero", "A TTL of 0 does no harm.", source: "RFC 1035 3.2.1",
            LabDNSMessage(answers: [.txt("dc,florida").with { $0.ttl = 0 }]), .pass),
        aliased(
            "ttl-huge", "Nor does one above 2^31.", source: "RFC 2181 8",
            LabDNSMessage(answers: [.txt("dc,florida").with { $0.ttl = 0x8000_0001 }]), .pass),
        DNSScenario(
            "aliases/wildcard", "A wildcard's record belongs to the name that was asked.", source: "RFC 4592 2.1",
            [Server(LabDNSZone([.lab("*", "test"): .answer(.txt("dc,florida"))]))], .pass),
    ]
}
