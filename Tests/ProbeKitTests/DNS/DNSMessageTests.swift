import ProbeDNS
import ProbeKit
import ProbeLab
import Testing

/// The fields of messages, bit by bit.
@Suite struct DNSMessageTests {
    private func message(_ options: LabDNSRecord) throws -> DNSMessage {
        let base = LabDNSMessage(answers: [.txt("florida")])
        return try DNSMessage(try LabReply.bytes(base.with { $0.options = .records([options]) }))
    }

    /// RFC 6891 section 6.1.3: extended code, version, then DO as the first of 16 flags.
    @Test func theFieldsOfOPTAreReadFromItsTTL() throws {
        let read = try #require(
            try message(
                LabDNSRecord(owner: DNSName(labels: []), type: 41, recordClass: 1400, ttl: 0x0203_8000, data: [])
            ).options)
        #expect(read.size == 1400 && read.extendedResponseCode == 2 && read.version == 3 && read.isDNSSECOK)
        let other = try #require(
            try message(
                LabDNSRecord(owner: DNSName(labels: []), type: 41, recordClass: 1400, ttl: 0xff00_7fff, data: [])
            ).options)
        #expect(other.extendedResponseCode == 255 && other.version == 0 && !other.isDNSSECOK)
    }

    @Test func anExtendedErrorsCodeHasTwoBytes() throws {
        let read = try message(
            LabDNSRecord(
                owner: DNSName(labels: []), type: 41, recordClass: 1400, ttl: 0, data: [0, 15, 0, 3, 0x12, 0x34, 0x61])
        ).options
        #expect(read?.extendedErrors.map(\.code) == [0x1234])
        #expect(read?.extendedErrors.map(\.text) == ["a"])
    }

    /// RFC 1035 section 4.1.1: id, flags with RD alone, counts; then the question and the OPT record.
    @Test func aQueryIsWrittenByteForByte() throws {
        let name = try DNSName("a.b")
        let question: [UInt8] = [1, 0x61, 1, 0x62, 0, 0, 16, 0, 1]
        #expect(
            DNSQueryMessage.bytes(name: name, id: 0x1234, ednsSize: nil)
                == [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + question)
        let opened: [UInt8] = [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1] + question + [0, 0, 41, 0x04, 0xd0, 0, 0]
        #expect(DNSQueryMessage.bytes(name: name, id: 0x1234, ednsSize: 1232) == opened + [0, 0, 0, 0])
        #expect(
            DNSQueryMessage.bytes(name: name, id: 0x1234, ednsSize: 1232, dnssecOK: true) == opened + [0x80, 0, 0, 0])
    }

    /// Pointers that lead to pointers cost a reader time at each name; a name has no use for more than one at each label.
    @Test("a name's pointers are counted", arguments: [126, 127]) func chainedPointers(count: Int) throws {
        let empty = LabDNSMessage(answers: []).with { $0.options = .none }
        let size = try LabReply.bytes(empty).count
        // An owner of a byte, ten bytes of fields, and a root name that the first of the pointers leads to.
        let root = size + 11
        let pointers = (0..<count).flatMap { index in
            let target = index == 0 ? root : root + 1 + 2 * (index - 1)
            return [0xc0 | UInt8(target >> 8), UInt8(truncatingIfNeeded: target)]
        }
        let last = root + 1 + 2 * (count - 1)
        let chain = LabDNSRecord(owner: DNSName(labels: []), type: 65_280, data: [0] + pointers)
        let named = LabDNSRecord.txt("x").with {
            $0.ownerBytes = [0xc0 | UInt8(last >> 8), UInt8(truncatingIfNeeded: last)]
        }
        let reply = try LabReply.bytes(empty.with { $0.answers = [chain, named] })
        #expect(((try? DNSMessage(reply)) == nil) == (count > 126), "\(count) pointers and the owner's own")
    }

    /// A fault within a name is reported at the name's first byte, which a reader of the bytes looks for, and not behind it.
    @Test func aNamesFaultIsReportedAtItsBeginning() throws {
        let empty = LabDNSMessage(answers: []).with { $0.options = .none }
        let size = try LabReply.bytes(empty).count
        let label = [63] + [UInt8](repeating: 0x61, count: 63)
        // An owner of a byte, ten bytes of fields, and four labels with a root: a name of 257 bytes.
        let labels = LabDNSRecord(
            owner: DNSName(labels: []), type: 65_280, data: Array(repeatElement(label, count: 4).joined()) + [0])
        let target = size + 11
        let named = LabDNSRecord.txt("x").with {
            $0.ownerBytes = [0xc0 | UInt8(target >> 8), UInt8(truncatingIfNeeded: target)]
        }
        let reply = try LabReply.bytes(empty.with { $0.answers = [labels, named] })
        do throws(ReplyFault) {
            _ = try DNSMessage(reply)
            Issue.record("it was read")
        } catch {
            let owner = target + 4 * 64 + 1
            #expect(error.message.contains("the name at \(owner) is longer than 255 bytes"), "\(error.message)")
        }
    }

    @Test func aMessageHasAtMostOneQuestion() throws {
        let reply = try LabReply.bytes(LabDNSMessage(answers: [.txt("florida"), .txt("tampa"), .txt("dc")]))
        #expect(try DNSMessage(reply).answers.count == 3)
        let question = reply[12..<(12 + (try LabReply.name().wireBytes.count) + 4)]
        let two = reply[..<4] + [0, 2] + reply[6..<12] + question + reply[12...]
        do throws(ReplyFault) {
            _ = try DNSMessage(Array(two))
            Issue.record("it was read")
        } catch {
            #expect(error.message.hasSuffix(" 2 questions"), "\(error.message)")
        }
    }

    @Test func aTTLHasFourBytes() throws {
        let record = LabDNSRecord.txt("florida").with { $0.ttl = 0x0102_0304 }
        #expect(
            try DNSMessage(try LabReply.bytes(LabDNSMessage(answers: [record]))).answers.map(\.ttl) == [0x0102_0304])
    }

    @Test func aliasesAreThoseOfTheInternetAndAtMost32() throws {
        let (from, to) = (try DNSName("from.test"), try DNSName("to.test"))
        let alias = LabDNSRecord.cname(to, owner: from)
        let whole = LabDNSRecord(owner: from, type: 39, data: [2, 0x74, 0x6f, 4] + Array("test".utf8) + [0])
        let answers = [.txt("florida"), alias, whole, alias.with { $0.recordClass = 3 }]
        let read = try DNSMessage(try LabReply.bytes(LabDNSMessage(answers: answers))).aliases
        #expect(read.map(\.type) == ["CNAME", "DNAME"] && read.allSatisfy { $0.target == to && $0.owner == from })
        for count in [32, 33] {
            let many = LabDNSMessage(answers: Array(repeating: alias, count: count))
            #expect(try DNSMessage(try LabReply.bytes(many)).aliases.count == 32)
        }
    }

    @Test func responseCodesHaveTheNamesOfTheRegistry() {
        let names = [
            0: "NOERROR", 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED", 6: "YXDOMAIN",
            7: "YXRRSET",
            8: "NXRRSET", 9: "NOTAUTH", 10: "NOTZONE", 16: "BADVERS", 23: "BADCOOKIE",
        ]
        for code in UInt16(0)...30 {
            let read = DNSAttempt.ResponseCode(rawValue: code)
            #expect(read.mnemonic == names[Int(code)] ?? String(code))
            #expect(read.description == names[Int(code)].map { "\($0) (\(code))" } ?? String(code))
            #expect(read.isAnswer == ["NOERROR", "NXDOMAIN"].contains(read.mnemonic))
        }
    }
}
