import ProbeDNS
public import ProbeKit

/// The codec of this package, without a DNS library. Its parser is our own, so it is not a second one (decided:
/// read-twice); it is for libraries without one, and for testing the exchange.
public struct SwiftDNSCodec: DNSCodec, ReplySharingCodec {
    /// Creates a codec; it has no settings.
    public init() {}

    /// Writes a query with ``DNSQueryMessage``.
    public func query(name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(DNSFailure) -> [UInt8] {
        DNSQueryMessage.bytes(name: name, id: id, ednsSize: ednsSize, dnssecOK: dnssecOK)
    }

    /// Reads a reply as ``TXTReader`` does, without checking the query it belongs to.
    public func read(_ reply: [UInt8]) -> NativeDNSReading { read(sharing: DNSReply(reply)) }

    package func read(sharing reply: DNSReply) -> NativeDNSReading {
        do throws(ReplyFault) {
            let message = try reply.message.get()
            var records: [[[UInt8]]] = []
            for record in message.answers where record.type == DNSType.txt {
                records.append(try message.strings(of: record))
            }
            return .parsed(rcode: message.responseCode, records: records)
        } catch {
            return .unreadable(error.message)
        }
    }
}
