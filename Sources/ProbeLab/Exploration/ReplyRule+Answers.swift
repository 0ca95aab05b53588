import ProbeKit

extension ReplyRule {
    /// The answers' owners, types, classes, times and lengths.
    static let records: [ReplyRule] = [
        .answer("record/owner-other") { record, _, _ in record.owner = .lab("other", "test") },
        .answer("record/owner-above") { record, plan, _ in
            record.owner = DNSName(labels: Array(plan.name.labels.dropFirst()))
        },
        .answer("record/owner-below") { record, plan, _ in record.owner = plan.below("below") },
        .answer("record/owner-root") { record, _, _ in record.owner = DNSName(labels: []) },
        .answer("record/owner-case") { record, plan, _ in
            record.owner = DNSName(labels: (record.owner ?? plan.name).labels.map { $0.map { $0 & 0xdf } })
        },
        .answer("record/owner-compressed") { record, _, _ in record.ownerBytes = [0xc0, 12] },
        .answer("record/owner-to-itself") { record, _, _ in record.ownerBytes = [0xc0, 0xff] },
        .answer("record/owner-into-header") { record, _, _ in record.ownerBytes = [0xc0, 0] },
        .answer("record/owner-label-64") { record, _, _ in
            record.ownerBytes = [64] + [UInt8](repeating: 0x61, count: 64) + [0]
        },
        .answer("record/owner-256") { record, _, _ in
            record.ownerBytes = (0..<4).flatMap { _ in [63] + [UInt8](repeating: 0x61, count: 63) } + [0]
        },
        .answer("record/owner-bytes") { record, plan, _ in
            record.owner = DNSName(labels: [[0, 0x2e, 0xff, 0x5c]] + plan.name.labels)
        },
        .answer("record/type-spf") { record, _, _ in record.type = 99 },
        .answer("record/type-any") { record, _, numbers in record.type = UInt16(numbers.below(300)) },
        .answer("record/class-chaos") { record, _, _ in record.recordClass = 3 },
        .answer("record/class-none") { record, _, _ in record.recordClass = 254 },
        .answer("record/class-any") { record, _, _ in record.recordClass = 255 },
        .answer("record/class-flush") { record, _, _ in record.recordClass = 0x8001 },
        .answer("record/ttl-0") { record, _, _ in record.ttl = 0 },
        .answer("record/ttl-negative") { record, _, _ in record.ttl = 0x8000_0000 },
        .answer("record/ttl-greatest") { record, _, _ in record.ttl = 0xffff_ffff },
        .answer("record/length-more") { record, _, _ in record.claimedLength = UInt16(record.data.count + 1) },
        .answer("record/length-fewer") { record, _, _ in record.claimedLength = UInt16(max(0, record.data.count - 1)) },
        .answer("record/length-65535") { record, _, _ in record.claimedLength = 65_535 },
    ]

    /// The data of the answers: character-strings, and what they say.
    static let strings: [ReplyRule] = [
        .answer("strings/none") { record, _, _ in record.data = [] },
        .answer("strings/empty") { record, _, _ in record.data = [0] },
        .answer("strings/empty-first") { record, _, _ in record.data = [0] + record.data },
        .answer("strings/empty-last") { record, _, _ in record.data += [0] },
        .answer("strings/beyond") { record, _, _ in record.data += [5, 0x61] },
        .answer("strings/byte-each") { record, _, _ in
            record.data = Array("dc,florida".utf8).flatMap { [1, $0] }
        },
        .answer("strings/empty-300") { record, _, _ in record.data += [UInt8](repeating: 0, count: 300) },
        .answer("strings/other-list") { record, _, _ in record.data = LabDNSRecord.txt("dc,tampa").data },
        .answer("strings/spaces") { record, _, _ in record.data = LabDNSRecord.txt(" dc , florida ").data },
        .answer("strings/tab") { record, _, _ in record.data = LabDNSRecord.txt("dc,\tflorida").data },
        .answer("strings/upper-case") { record, _, _ in record.data = LabDNSRecord.txt("DC,FLORIDA").data },
        .answer("strings/quoted") { record, _, _ in record.data = LabDNSRecord.txt(#""dc,florida""#).data },
        .answer("strings/escaped") { record, _, _ in record.data = LabDNSRecord.txt(#"dc\,florida\065"#).data },
        .answer("strings/nul") { record, _, _ in record.data = LabDNSRecord.txt("dc,florida\0").data },
        .answer("strings/nul-within") { record, _, _ in record.data = LabDNSRecord.txt("dc,flo\0rida").data },
        .answer("strings/not-text") { record, _, _ in
            record.data = LabDNSRecord.txt([0xff, 0xfe] + Array(",florida".utf8)).data
        },
        .answer("strings/byte-order-mark") { record, _, _ in record.data = LabDNSRecord.txt("\u{feff}florida").data },
        .answer("strings/comma-only") { record, _, _ in record.data = LabDNSRecord.txt(",,,").data },
        .answer("strings/random") { record, _, numbers in
            record.data = (0..<numbers.below(40)).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
        },
    ]

    /// Aliases before, beside and after the list.
    static let aliases: [ReplyRule] =
        [
            alias("alias/before") { plan in [.cname(plan.below("list"))] + plan.message.answers },
            alias("alias/beside") { plan in plan.message.answers + [.cname(plan.below("list"))] },
            alias("alias/alone") { plan in [.cname(plan.below("list"))] },
            alias("alias/to-itself") { plan in [.cname(plan.name)] + plan.message.answers },
            alias("alias/two") { plan in
                [.cname(plan.below("list")), .cname(plan.below("other"))] + plan.message.answers
            },
            alias("alias/same-twice") { plan in
                [.cname(plan.below("list")), .cname(plan.below("list"))] + list(of: plan.below("list"))
            },
            alias("alias/target-first") { plan in list(of: plan.below("list")) + [.cname(plan.below("list"))] },
            alias("alias/loop") { plan in
                [.cname(plan.below("a")), .cname(plan.name, owner: plan.below("a"))] + list(of: plan.below("a"))
            },
            alias("alias/outside") { plan in [.cname(.lab("other", "test"))] + list(of: .lab("other", "test")) },
            alias("alias/to-root") { plan in [LabDNSRecord(type: 5, data: [0])] },
            alias("alias/name-longer") { plan in
                [LabDNSRecord(type: 5, data: plan.below("list").wireBytes + [0])] + list(of: plan.below("list"))
            },
            alias("alias/name-cut") { plan in [LabDNSRecord(type: 5, data: [4, 0x6c])] },
            alias("alias/compressed") { plan in
                [LabDNSRecord(type: 5, data: [4] + Array("list".utf8) + [0xc0, 12])] + list(of: plan.below("list"))
            },
            alias("alias/chaos") { plan in
                [LabDNSRecord.cname(plan.below("list")).with { $0.recordClass = 3 }] + plan.message.answers
            },
            alias("alias/tree") { plan in
                let target = DNSName(labels: [Array("list".utf8)] + ExploredReply.zone) ?? plan.name
                return [LabDNSRecord(owner: DNSName(labels: ExploredReply.zone), type: 39, data: target.wireBytes)]
                    + plan.message.answers
            },
        ]
        + [2, 7, 8, 9, 12].map { count in
            alias("alias/chain-\(count)") { plan in
                let names = [plan.name] + (1...count).map { plan.below("n\($0)") }
                return zip(names, names.dropFirst()).map { LabDNSRecord.cname($1, owner: $0) }
                    + list(of: plan.below("n\(count)"))
            }
        }

    private static func alias(
        _ name: String, _ answers: @escaping @Sendable (ReplyPlan) -> [LabDNSRecord]
    ) -> ReplyRule {
        ReplyRule(name) { plan, _ in
            plan.message.answers = answers(plan)
            return true
        }
    }

    private static func list(of owner: DNSName) -> [LabDNSRecord] { [.txt("dc,florida", owner: owner)] }
}
