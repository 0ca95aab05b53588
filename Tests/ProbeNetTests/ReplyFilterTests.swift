import ProbeDNS
import ProbeKit
import ProbeNet
import Testing

/// Messages that arrive at our socket and are not the reply to our query (RFC 5452 section 9.1).
@Suite struct ReplyFilterTests {
    private static let id: UInt16 = 0x1234

    /// Returns a reply with this code, to the question of a query.
    private static func reply(_ code: UInt8, to query: [UInt8]) -> [UInt8] {
        var reply = query
        reply[2] |= 0x80
        reply[3] = reply[3] & 0xf0 | code
        return reply
    }

    /// A server that can't answer may leave the question out; if it names one it has to be ours.
    @Test(arguments: [UInt8(0), 1, 2, 3, 4, 5])
    func anotherQuestionIsDroppedWhateverTheCode(code: UInt8) throws {
        let name = try DNSName("models.test")
        let filter = ReplyFilter(id: Self.id, name: name)
        let own = DNSQueryMessage.bytes(name: name, id: Self.id, ednsSize: nil)
        let other = DNSQueryMessage.bytes(name: try DNSName("other.test"), id: Self.id, ednsSize: nil)
        #expect(filter.reasonToDrop(DNSReply(Self.reply(code, to: own))) == nil)
        #expect(filter.reasonToDrop(DNSReply(Self.reply(code, to: other))) == "wrong question")
        var bare = Array(Self.reply(code, to: own).prefix(12))
        bare[5] = 0
        #expect((filter.reasonToDrop(DNSReply(bare)) == nil) == [1, 2, 4, 5].contains(code))
    }

    /// A server that knows EDNS adds its OPT record. It is not asked again without EDNS.
    @Test(arguments: [UInt8(0), 1, 2, 3, 4, 5])
    func anErrorWithAnOPTRecordAloneNeedsNoQuestion(code: UInt8) throws {
        let name = try DNSName("models.test")
        let filter = ReplyFilter(id: Self.id, name: name)
        let query = DNSQueryMessage.bytes(name: name, id: Self.id, ednsSize: nil)
        func reply(_ record: [UInt8], countedAt place: Int = 11) -> DNSReply {
            var bytes = Array(Self.reply(code, to: query).prefix(12)) + record
            bytes[5] = 0
            bytes[place] = 1
            return DNSReply(bytes)
        }
        let opt: [UInt8] = [0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, 0]
        #expect((filter.reasonToDrop(reply(opt)) == nil) == [1, 2, 4, 5].contains(code))
        #expect(!DNSConclusion.refusesEDNS(reply(opt)))
        for other in [
            // The upper part of another code; another record; a byte behind it; an OPT record in other sections.
            reply([0, 0, 41, 4, 0xd0, 1, 0, 0, 0, 0, 0]), reply([0, 0, 16, 0, 1, 0, 0, 0, 0, 0, 2, 1, 0x61]),
            reply(opt + [0]), reply(opt, countedAt: 9), reply(opt, countedAt: 7),
        ] {
            #expect(filter.reasonToDrop(other) != nil, "\(other.bytes)")
        }
    }

    /// A flood of forged replies takes neither memory nor the time to say what each of them is.
    @Test func onlyTheFirstDropsAreRecorded() {
        var dropped = DroppedReplies()
        var evaluations = 0
        func reason(_ number: Int) -> String {
            evaluations += 1
            return "reply \(number)"
        }
        for number in 0..<1000 {
            dropped.append(reason(number))
        }
        #expect(dropped.reasons == (0..<32).map { "reply \($0)" })
        #expect(evaluations == 32)
    }

    @Test("the filter and the reader share what they parse") func openingIsParsedOnce() throws {
        let name = try DNSName("models.test")
        let bytes = Self.reply(3, to: DNSQueryMessage.bytes(name: name, id: Self.id, ednsSize: nil))
        let (reply, counter) = (DNSReply(bytes), WorkCounter())
        counter.count {
            #expect(ReplyFilter(id: Self.id, name: name).reasonToDrop(reply) == nil)
            #expect(counter[.dnsMessage(bytes)] == 0, "a message that may be forged was parsed to its end")
            #expect(throws: Never.self) { try reply.message.get() }
        }
        #expect(counter[.dnsOpening(bytes)] == 1)
        #expect(counter[.dnsMessage(bytes)] == 1)
    }
}
