import ProbeDNS
import ProbeKit

extension ReplyRule {
    /// Records that come and go, in every section.
    static let sections: [ReplyRule] =
        [
            ReplyRule("answers/none") { plan, _ in
                guard !plan.message.answers.isEmpty else { return false }
                plan.message.answers = []
                return true
            },
            ReplyRule("answers/turned") { plan, _ in
                guard plan.message.answers.count > 1 else { return false }
                plan.message.answers.reverse()
                return true
            },
            ReplyRule("answers/first-again") { plan, _ in
                guard let first = plan.message.answers.first else { return false }
                plan.message.answers.append(first)
                return true
            },
            .message("answers/other-list") { message, _ in message.answers.append(.txt("tampa")) },
            .message("answers/others-list") { message, _ in
                message.answers.append(.txt("tampa", owner: .lab("other", "test")))
            },
            .message("answers/many") { message, _ in
                message.answers += (0..<40).map { LabDNSRecord.txt("tampa\($0),florida") }
            },
            .message("answers/options") { message, _ in message.answers.append(.opt()) },
            .message("answers/signature") { message, _ in message.answers.append(signature) },
            ReplyRule("answers/name-server") { plan, _ in
                plan.message.answers.append(.ns(.lab("ns", "test"), zone: plan.name))
                return true
            },
            .message("authority/none") { message, _ in message.authorities = [] },
            .message("authority/start") { message, _ in
                message.authorities.append(.soa(zone: DNSName(labels: ExploredReply.zone)))
            },
            .message("authority/start-of-other") { message, _ in
                message.authorities.append(.soa(zone: .lab("other", "test")))
            },
            .message("authority/start-below") { message, _ in message.authorities.append(.soa()) },
            .message("authority/start-twice") { message, _ in
                message.authorities += [.soa(zone: .lab("test")), .soa(zone: DNSName(labels: ExploredReply.zone))]
            },
            .message("authority/name-server") { message, _ in
                message.authorities.append(.ns(.lab("ns", "test"), zone: DNSName(labels: ExploredReply.zone)))
            },
            .message("authority/list") { message, _ in message.authorities.append(.txt("florida")) },
            .message("authority/options") { message, _ in message.authorities.append(.opt()) },
            .message("additional/list") { message, _ in message.options = .records([.txt("tampa"), .opt()]) },
            .message("additional/address") { message, _ in
                message.options = .records([
                    LabDNSRecord(owner: .lab("ns", "test"), type: 1, data: [127, 0, 0, 1]), .opt(),
                ])
            },
            .message("additional/transaction") { message, _ in
                message.options = .records([
                    .opt(), LabDNSRecord(owner: .lab("key", "test"), type: 250, recordClass: 255, data: []),
                ])
            },
        ]
        + ["answer", "authority", "additional"].flatMap { section in
            ["whole", "changed"].map { form in
                .message("\(section)/record-\(form)") { message, numbers in
                    let record = foreign(&numbers, isWhole: form == "whole")
                    switch section {
                    case "answer": message.answers.append(record)
                    case "authority": message.authorities.append(record)
                    default: message.options = .records([record, .opt()])
                    }
                }
            }
        }

    /// EDNS: the OPT record, its fields and its options.
    static let options: [ReplyRule] =
        [
            ("none", []), ("two", [.opt(), .opt()]), ("version-1", [.opt(version: 1)]),
            ("code-1", [.opt(extendedCode: 1)]),
            ("size-0", [.opt(size: 0)]), ("cookie", [.opt(options: [0, 10, 0, 8] + [UInt8](1...8))]),
            ("cookie-short", [.opt(options: [0, 10, 0, 1, 1])]),
            ("padding", [.opt(options: [0, 12, 0, 4, 0, 0, 0, 0])]),
            ("client-subnet", [.opt(options: [0, 8, 0, 7, 0, 1, 24, 0, 127, 0, 0])]),
            ("client-subnet-wrong", [.opt(options: [0, 8, 0, 3, 0, 9, 24])]),
            ("unknown", [.opt(options: [0xfd, 0xe9, 0, 2, 1, 2])]), ("beyond", [.opt(options: [0xfd, 0xe9, 0, 9, 1])]),
            ("cut", [.opt(options: [0, 15, 0])]), ("error-empty", [.opt(options: [0, 15, 0, 0])]),
            ("stale", [.opt(extendedError: 3)]), ("blocked", [.opt(extendedError: 15)]),
            ("filtered", [.opt(extendedError: 17, text: "no")]), ("error-unknown", [.opt(extendedError: 4711)]),
            ("owner", [LabDNSRecord.opt().with { $0.owner = .lab("a", "test") }]),
        ].map { (form: (String, [LabDNSRecord])) in
            .message("options/\(form.0)") { message, _ in
                message.options = form.1.isEmpty ? .none : .records(form.1)
            }
        }

    /// A record of some type beside the list; changed, it may be malformed.
    private static func foreign(_ numbers: inout SeededNumbers, isWhole: Bool) -> LabDNSRecord {
        let types = DNSRecordForm.fields.keys.sorted() + [10, 22, 23, 31, 40, 41, 128, 249, 255, 65_280]
        let type = types[numbers.below(types.count)]
        var data = LabDNSRecord.sample(of: type)
        if !isWhole {
            switch numbers.below(3) {
            case 0: data = Array(data.dropLast(1 + numbers.below(data.count)))
            case 1: data.append(UInt8(truncatingIfNeeded: numbers.next()))
            default: data[numbers.below(data.count)] = UInt8(truncatingIfNeeded: numbers.next())
            }
        }
        return LabDNSRecord(owner: .lab("beside", "test"), type: type, data: data)
    }

    private static let signature = LabDNSRecord(
        type: 46,
        data: [0, 16, 13, 2, 0, 0, 14, 16, 0x7f, 0, 0, 0, 0x60, 0, 0, 0, 0, 1, 4] + Array("test".utf8) + [0]
            + [UInt8](repeating: 1, count: 64))
}

extension DNSName {
    /// Returns a name of labels that are known to be good.
    static func lab(_ labels: String...) -> DNSName {
        guard let name = DNSName(labels: labels.map { Array($0.utf8) }) else { preconditionFailure("labels too long") }
        return name
    }
}
