import ProbeDNS
import ProbeKit
import Testing

@testable import ProbeLab

/// The DNS replies of an exploration.
@Suite struct ExploredReplyTests {
    private func bytes(_ reply: ExploredReply) throws -> [UInt8] {
        let name = try DNSName("q1.explored.test")
        let query = DNSQueryMessage.bytes(name: name, id: 0, ednsSize: 1232)
        return reply.message(to: name).wireBytes(to: try #require(LabDNSQuery(query, over: .tcp, from: 53)))
    }

    private func reading(_ reply: ExploredReply) throws -> TXTReading {
        TXTReader.read(try bytes(reply), id: 0, name: try DNSName("q1.explored.test"))
    }

    @Test("a seed and a number give the same reply again") func areReproducible() throws {
        #expect(Set(ReplyRule.names).count == ReplyRule.all.count, "a rule's name is its identity")
        #expect(ReplyRule.all.count > 120)
        var shown: Set<[String]> = []
        for number in 0..<400 {
            let one = ExploredReply(seed: 5, number: number)
            #expect(try bytes(one) == bytes(ExploredReply(seed: 5, number: number)))
            #expect((1...ExploredMutation.maximum).contains(one.mutations.count))
            shown.insert(one.mutations.map(\.rule))
        }
        #expect(shown.count > 200)
        #expect(
            (0..<100).contains {
                ExploredReply(seed: 6, number: $0).mutations != ExploredReply(seed: 5, number: $0).mutations
            })
    }

    @Test("every shape is a right reply") func shapesAreRight() throws {
        for shape in ReplyShape.allCases {
            let reading = try reading(try #require(ExploredReply(shape, [])))
            switch shape {
            case .absent: #expect(reading == .absent(.nameError))
            case .empty: #expect(reading == .absent(.noData))
            default:
                guard case .records(let records) = reading else {
                    Issue.record("\(shape): \(reading)")
                    continue
                }
                #expect(ModelList(records: records).contains(try ModelName("florida")))
            }
        }
    }

    @Test("every rule applies to a shape, and changes what is sent") func rulesApply() throws {
        for rule in ReplyRule.names {
            let changes = try ReplyShape.allCases.contains { shape in
                let plain = try bytes(try #require(ExploredReply(shape, [])))
                return try (0..<16).contains { seed in
                    try ExploredReply(shape, [.init(rule: rule, seed: seed)]).map { try bytes($0) != plain } ?? false
                }
            }
            // Over TCP, which the bytes are for here, nothing is truncated.
            #expect(changes || rule == "header/truncated-over-udp", "\(rule) changes nothing")
        }
    }

    @Test("simpler replies have one mutation fewer, or a simpler shape") func simplerReplies() throws {
        let reply = try #require(
            ExploredReply(.strings, [.init(rule: "options/none", seed: 1), .init(rule: "record/ttl-0", seed: 2)]))
        #expect(
            reply.simpler.map { $0.mutations.map(\.rule) }
                == [["record/ttl-0"], ["options/none"], ["options/none", "record/ttl-0"]])
        #expect(reply.simpler.map(\.shape) == ["strings", "strings", "list"])
    }
}
