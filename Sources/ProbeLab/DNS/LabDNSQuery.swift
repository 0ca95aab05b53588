import ProbeDNS
public import ProbeKit

/// A query the lab has seen.
public struct LabDNSQuery: Sendable {
    /// The name it asked for.
    public let name: DNSName
    /// The channel of the query.
    public let channel: DNSAttempt.Channel
    /// Its id.
    public let id: UInt16
    /// The port it came from.
    public let sourcePort: UInt16
    /// The EDNS size it advertised; nil if it had no OPT record.
    public let ednsSize: UInt16?
    /// True if it asked for DNSSEC records.
    public let isDNSSECOK: Bool
    /// The query as it came.
    public let bytes: [UInt8]

    /// Reads a query; nil if the bytes are not a query.
    public init?(_ bytes: [UInt8], over channel: DNSAttempt.Channel, from sourcePort: UInt16) {
        guard let message = try? DNSMessage(bytes), !message.header.isReply, let question = message.question else {
            return nil
        }
        name = question.name
        self.channel = channel
        id = message.header.id
        self.sourcePort = sourcePort
        ednsSize = message.options?.size
        isDNSSECOK = message.options?.isDNSSECOK ?? false
        self.bytes = bytes
    }

    /// The question section as received.
    var questionBytes: [UInt8] { Array(bytes[DNSHeader.size..<DNSHeader.size + name.wireBytes.count + 4]) }
}
