import ProbeConformance
import ProbeKit
import ProbeLab
import ResolverLDNS
import Testing

/// Our reader and ldns's parser, side by side on bytes that went wrong in transit.
@Suite struct DNSReadingsTests {
    @Test(.timeLimit(.minutes(1)), arguments: 1..<5)
    func mutatedRepliesAreReadAlike(seed: Int) throws {
        let codec = LDNSCodec()
        let name = DNSScenario.name
        let bytes = try codec.query(name: name, id: 7, ednsSize: 1232, dnssecOK: false)
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
            let native = codec.read(reply)
            // ldns reads the data of every type it knows, so it refuses more; what both read has to be the same.
            guard case .parsed = native else { continue }
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
