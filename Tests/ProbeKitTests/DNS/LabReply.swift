import ProbeDNS
import ProbeKit
import ProbeLab

/// Replies as the lab makes them, to one fixed query.
enum LabReply {
    static let id: UInt16 = 0x1234

    static func name() throws -> DNSName { try DNSName("models.test") }

    static func bytes(_ message: LabDNSMessage, over channel: DNSAttempt.Channel = .tcp) throws -> [UInt8] {
        let query = DNSQueryMessage.bytes(name: try name(), id: id, ednsSize: 1232)
        guard let asked = LabDNSQuery(query, over: channel, from: 5300) else {
            throw InputError("the query does not parse", remedy: "mend DNSQueryMessage")
        }
        return message.wireBytes(to: asked)
    }

    static func read(_ message: LabDNSMessage) throws -> TXTReading {
        TXTReader.read(try bytes(message), id: id, name: try name())
    }

    /// Returns a reply with some of everything the reader parses.
    static func rich() throws -> [UInt8] {
        let target = try DNSName("list.models.test")
        let answers: [LabDNSRecord] = [
            .cname(target), .txt("dc,", "florida", owner: target),
            .txt("tampa").with { $0.ownerBytes = [4] + Array("list".utf8) + [0xc0, 0x0c] },
        ]
        let options = LabDNSRecord.opt(extendedError: 3)
        let message = LabDNSMessage(answers: answers, authorities: [.soa(zone: target)])
        return try bytes(message.with { $0.options = .records([options]) })
    }
}
