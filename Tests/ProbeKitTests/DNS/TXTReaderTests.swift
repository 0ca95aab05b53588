import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@Suite struct TXTReaderTests {
    @Test func readsRecordsAtTheEndOfAnAlias() throws {
        let target = try DNSName("list.models.test")
        guard
            case .records(let records) = TXTReader.read(try LabReply.rich(), id: LabReply.id, name: try LabReply.name())
        else {
            Issue.record("the reply was not read")
            return
        }
        #expect(records.map(\.owner) == [target, target])
        #expect(
            records.map { $0.strings.map { String(decoding: $0, as: UTF8.self) } } == [["dc,", "florida"], ["tampa"]])
        #expect(records.map(\.ttl) == [3600, 3600])
    }

    @Test func everyPrefixIsIndeterminate() throws {
        let reply = try LabReply.rich()
        for count in 0..<reply.count {
            let reading = TXTReader.read(Array(reply.prefix(count)), id: LabReply.id, name: try LabReply.name())
            guard case .indeterminate = reading else {
                Issue.record("the first \(count) bytes read as \(reading)")
                return
            }
        }
    }

    @Test func everyExtensionIsIndeterminate() throws {
        let reply = try LabReply.rich() + [0]
        let reading = TXTReader.read(reply, id: LabReply.id, name: try LabReply.name())
        #expect(reading == .indeterminate(.unusable(ReplyFault(.trailingBytes, "1 bytes follow the last record"))))
    }

    /// Whatever the bytes are, the reader ends, and accepts only replies to its query.
    @Test(.bounded, arguments: 0..<8)
    func mutationsDoNoHarm(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let original = try LabReply.rich()
        let name = try LabReply.name()
        for _ in 0..<1000 {
            var reply = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let position = Int.random(in: 0..<reply.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: reply[position] = UInt8.random(in: 0...255, using: &random)
                case 1: reply[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: reply.insert(UInt8.random(in: 0...255, using: &random), at: position)
                default: reply[position] = [0x00, 0xc0, 0xff, 0x3f][Int.random(in: 0..<4, using: &random)]
                }
            }
            let reading = TXTReader.read(reply, id: LabReply.id, name: name)
            if case .indeterminate = reading { continue }
            #expect(reply.starts(with: [0x12, 0x34]))
            #expect(reply[2] & 0xfa == 0x80)
        }
    }

    @Test(.bounded, arguments: 0..<4)
    func noiseIsIndeterminate(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for _ in 0..<1000 {
            let count = Int.random(in: 0..<200, using: &random)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            // A right header, so that the body is parsed.
            let reply = [0x12, 0x34, 0x84, 0, 0, 1, 0, 2, 0, 1, 0, 1] + noise
            guard case .indeterminate = TXTReader.read(reply, id: LabReply.id, name: try LabReply.name()) else {
                Issue.record("noise was read: \(reply)")
                return
            }
        }
    }

    @Test func aReplyFullOfPointersTakesNoTime() throws {
        let longest = [UInt8](repeating: 1, count: 252) + [0]
        let first = LabDNSRecord.txt("x").with { $0.ownerBytes = longest }
        let start = UInt8(12 + 13 + 4)
        let others = (0..<4000).map { _ in LabDNSRecord.txt("x").with { $0.ownerBytes = [0xc0, start] } }
        let reply = try LabReply.bytes(LabDNSMessage(answers: [first] + others))
        var reading: TXTReading?
        let name = try LabReply.name()
        let duration = Stopwatch.processorTime { reading = TXTReader.read(reply, id: LabReply.id, name: name) }
        guard case .indeterminate(let doubt) = reading else {
            Issue.record("read as \(String(describing: reading))")
            return
        }
        #expect(doubt.code == "foreign-answer")
        #expect(duration < .seconds(5))
    }

    @Test func aWrongIDIsIndeterminate() throws {
        let reading = TXTReader.read(try LabReply.rich(), id: 1, name: try LabReply.name())
        guard case .indeterminate(let doubt) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(doubt.code == "wrong-id")
    }

    /// The OPT record holds the upper bits of the code, also where the header alone would be an error.
    @Test func theWholeResponseCodeIsNamed() throws {
        let message = LabDNSMessage(responseCode: .init(rawValue: 7)).with {
            $0.options = .records([.opt(extendedCode: 1)])
        }
        guard case .indeterminate(let doubt) = try LabReply.read(message) else {
            Issue.record("an error reply was read")
            return
        }
        #expect(doubt.code == "response-code" && doubt.message.contains("BADCOOKIE (23)"), "\(doubt)")
    }

    @Test func absenceIsProven() throws {
        let soa = LabDNSRecord.soa(zone: try DNSName("test"))
        #expect(try LabReply.read(LabDNSMessage(authorities: [soa])) == .absent(.noData))
        #expect(try LabReply.read(LabDNSMessage(authorities: [soa], responseCode: .nameError)) == .absent(.nameError))
    }

    /// A chain of aliases may have eight links, and be sent twice.
    @Test func aliasesAreFollowedToTheEighth() throws {
        func read(_ links: Int) throws -> TXTReading {
            let names = try [LabReply.name()] + (1...links).map { try DNSName("a\($0).test") }
            let aliases = zip(names, names.dropFirst()).map { LabDNSRecord.cname($1, owner: $0) }
            let text = LabDNSRecord.txt("dc,florida", owner: names[links])
            return try LabReply.read(LabDNSMessage(answers: aliases + aliases + [text]))
        }
        guard case .records(let records) = try read(8) else {
            Issue.record("\(try read(8))")
            return
        }
        #expect(records.count == 1)
        guard case .indeterminate(let doubt) = try read(9) else {
            Issue.record("\(try read(9))")
            return
        }
        #expect(doubt.code == "alias-chain-too-long")
    }

    @Test("what is required to be validated is", arguments: [DNSSECState.secure, .insecure, nil])
    func validationThatIsRequired(_ state: DNSSECState?) throws {
        let reply = try LabReply.bytes(LabDNSMessage(answers: [.txt("dc,florida")]))
        let report = DNSReport(attempts: [
            DNSAttempt(
                server: "127.0.0.1:53", channel: .udp, ednsSize: 1232, id: LabReply.id, reply: reply, native: nil,
                dnssec: state, failure: nil, duration: .zero)
        ])
        guard case .records = TXTReader.read(report, name: try LabReply.name()) else {
            Issue.record("nothing was required")
            return
        }
        switch TXTReader.read(report, name: try LabReply.name(), dnssec: .require) {
        case .records: #expect(state == .secure)
        case .indeterminate(let doubt): #expect(state != .secure && doubt.code == "dnssec-insecure")
        case .absent: Issue.record("the record is there")
        }
    }

    /// A server may name many errors; a message has the first three, and four records of a stack that reads other ones.
    @Test func messagesAreBounded() throws {
        let errors = (UInt8(20)...24).flatMap { [0, 15, 0, 2, 0, $0] as [UInt8] }
        let failure = LabDNSMessage(responseCode: .serverFailure).with {
            $0.options = .records([.opt(options: errors)])
        }
        guard case .indeterminate(let doubt) = try LabReply.read(failure) else {
            Issue.record("SERVFAIL was read")
            return
        }
        #expect("\(doubt)".split(separator: ";").count == 4, "\(doubt)")
        let reply = try LabReply.bytes(LabDNSMessage(answers: [.txt("dc,florida")]))
        let attempt = DNSAttempt(
            server: "127.0.0.1:53", channel: .udp, ednsSize: 1232, id: LabReply.id, reply: reply,
            native: .parsed(rcode: .noError, records: (0..<9).map { [[UInt8(ascii: "0") + $0]] }), failure: nil,
            duration: .zero)
        let reading = try #require(TXTReader.read(attempt, name: try LabReply.name()))
        let difference = try #require(reading.difference(from: attempt))
        #expect(difference.contains("9 TXT records [\"0\"; \"1\"; \"2\"; \"3\"], we"), "\(difference)")
    }

    @Test func queryBytes() throws {
        let plain = DNSQueryMessage.bytes(name: try DNSName("a.bc"), id: 0x0102, ednsSize: nil)
        #expect(plain == [1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x61, 2, 0x62, 0x63, 0, 0, 16, 0, 1])
        let signed = DNSQueryMessage.bytes(name: try DNSName("a.bc"), id: 0x0102, ednsSize: 1232, dnssecOK: true)
        #expect(signed[11] == 1)
        #expect(signed.suffix(11) == [0, 0, 41, 0x04, 0xd0, 0, 0, 0x80, 0, 0, 0])
    }
}
