import ProbeConformance
import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ResolverCAres
import ResolverLDNS
import Testing

/// Our reader and a stack's parser, side by side on bytes that went wrong in transit.
@Suite struct DNSReadingsTests {
    enum Stack: CaseIterable {
        case ldns
        case cares

        func read(_ reply: [UInt8]) -> NativeDNSReading {
            switch self {
            case .ldns: LDNSCodec().read(reply)
            case .cares: CAresText.read(reply)
            }
        }
    }

    /// libldns takes seconds for these: it is not given them, and the reading says so.
    @Test(arguments: [UInt16(16), 99]) func ldnsIsSparedRecordsOfManyFields(type: UInt16) throws {
        let record = LabDNSRecord(type: type, data: [UInt8](repeating: 0, count: 60_000))
        let bytes = DNSQueryMessage.bytes(name: DNSScenario.name, id: 7, ednsSize: 1232)
        let query = try #require(LabDNSQuery(bytes, over: .tcp, from: 5300))
        let good = LabDNSMessage(answers: [.txt("florida"), record])
        for message in [good, good.with { $0.tail = [0] }] {
            let reply = message.wireBytes(to: query)
            var native: NativeDNSReading?
            #expect(Stopwatch.processorTime { native = LDNSCodec().read(reply) } < .seconds(1))
            guard case .notAsked(let reason) = native else {
                Issue.record("ldns was asked")
                return
            }
            #expect(reason.contains("fields"))
        }
    }

    /// Our reader rejects a record's data if a stack does: otherwise a broken record beside a good list would have
    /// another result with each resolver.
    @Test(.bounded, arguments: Stack.allCases)
    func noStackIsStricterAboutAnyType(_ stack: Stack) throws {
        let name = DNSScenario.name
        let query = try #require(
            LabDNSQuery(DNSQueryMessage.bytes(name: name, id: 7, ednsSize: 1232), over: .tcp, from: 5300))
        var random = SplitMix(state: 27)
        var (read, refused) = (0, 0)
        for type in (0..<300).map(UInt16.init) + [32_768, 32_769, 65_280] {
            for round in 0..<120 {
                var data = LabDNSRecord.sample(of: type)
                switch round % 4 {
                case 0: data.removeLast(Int(random.next() % UInt64(data.count + 1)))
                case 1: data.append(UInt8(truncatingIfNeeded: random.next()))
                default:
                    for _ in 0..<(round % 3 + 1) where !data.isEmpty {
                        data[Int(random.next() % UInt64(data.count))] = UInt8(
                            truncatingIfNeeded: random.next() >> UInt64(round % 8))
                    }
                }
                let record = LabDNSRecord(owner: try DNSName("beside.test"), type: type, data: data)
                let reply = LabDNSMessage(answers: [.txt("florida")], authorities: [record]).wireBytes(to: query)
                let reading = TXTReader.read(reply, id: 7, name: name)
                if case .indeterminate = reading {
                    refused += 1
                    continue
                }
                read += 1
                let attempt = DNSAttempt(
                    server: "lab", channel: .tcp, ednsSize: 1232, id: 7, reply: reply, native: stack.read(reply),
                    failure: nil, duration: .zero)
                #expect(reading.difference(from: attempt) == nil, "\(DNSType.name(type)): \(data)")
            }
        }
        #expect(read > 10_000 && refused > 5000, "\(read) were compared, \(refused) refused")
    }

    /// A text that fills a message is read by both.
    @Test func ldnsReadsTheLongestText() throws {
        let bytes = DNSQueryMessage.bytes(name: DNSScenario.name, id: 7, ednsSize: 1232)
        let query = try #require(LabDNSQuery(bytes, over: .tcp, from: 5300))
        let text = [[UInt8]](repeating: [UInt8](repeating: 0x61, count: 255), count: 254)
        let reply = LabDNSMessage(answers: [.txt(text)]).wireBytes(to: query)
        #expect(LDNSCodec().read(reply) == .parsed(rcode: .noError, records: [text]))
    }

    @Test(.bounded, arguments: Stack.allCases, 1..<5)
    func mutatedRepliesAreReadAlike(_ stack: Stack, seed: Int) throws {
        let name = DNSScenario.name
        let bytes = DNSQueryMessage.bytes(name: name, id: 7, ednsSize: 1232)
        let query = try #require(LabDNSQuery(bytes, over: .tcp, from: 5300))
        let answers: [LabDNSRecord] = [.txt("dc,", "florida"), .txt("tampa").with { $0.ownerBytes = [0xc0, 0x0c] }]
        let original = LabDNSMessage(answers: answers).wireBytes(to: query)
        var read = 0
        for round in 0..<2000 {
            var reply = original
            for step in 0..<(1 + round % 3) {
                let draw = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(round * 7 + step) &* 0xbf58_476d_1ce4_e5b9
                reply[12 + Int(draw >> 33) % (reply.count - 12)] ^= 1 << UInt8(draw >> 29 & 7)
            }
            let reading = TXTReader.read(reply, id: 7, name: name)
            let native = stack.read(reply)
            let attempt = DNSAttempt(
                server: "lab", channel: .tcp, ednsSize: 1232, id: 7, reply: reply, native: native, failure: nil,
                duration: .zero)
            #expect(reading.difference(from: attempt) == nil)
            if case .records = reading { read += 1 }
        }
        // Else nothing was compared.
        #expect(read > 100)
    }
}

/// Every type of record, whole and malformed, in every section, through every resolver.
@Suite(.bounded) struct RecordFormTests {
    @Test(arguments: ResolverUnderTest.all)
    func aReplyComesToTheSameWithEveryResolver(_ subject: ResolverUnderTest) async throws {
        let failures = try await RecordForms.failures(with: subject.resolver)
        #expect(failures == [])
    }

    /// Else nothing would be compared.
    @Test func bothKindsAreThere() {
        let refused = RecordForms.all.filter { $0.expected == .dnsIndeterminate }
        #expect(RecordForms.all.count > 1000 && refused.count > 500 && RecordForms.all.count - refused.count > 400)
        for type in ["hinfo", "naptr", "spf", "nsec3", "tlsa", "caa", "loc", "svcb", "zonemd", "amtrelay"] {
            let own = RecordForms.all.filter { $0.description.hasPrefix("\(type)-") }
            #expect(own.filter { $0.description.hasPrefix("\(type)-whole-") }.map(\.expected) == [.pass, .pass, .pass])
            #expect(own.contains { $0.expected == .dnsIndeterminate }, "\(type)")
        }
        let tsig = RecordForms.all.filter { $0.description.hasPrefix("tsig-") }
        #expect(tsig.allSatisfy { $0.expected == .dnsIndeterminate } && !tsig.isEmpty)
    }
}
