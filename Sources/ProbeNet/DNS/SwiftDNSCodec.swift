public import ProbeKit

/// The codec of this package, without a DNS library. Its reading is our own, so it is no second one
/// (decided: read-twice); it serves where a library has none, and to test the exchange.
public struct SwiftDNSCodec: DNSCodec {
    /// A codec; it has no settings.
    public init() {}

    /// Writes a query with ``DNSQueryMessage``.
    public func query(name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(DNSFailure) -> [UInt8] {
        DNSQueryMessage.bytes(name: name, id: id, ednsSize: ednsSize, dnssecOK: dnssecOK)
    }

    /// Reads a reply as ``TXTReader`` does, without asking what it belongs to.
    public func read(_ reply: [UInt8]) -> NativeDNSReading {
        do throws(ReplyFault) {
            let message = try DNSMessage(reply)
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
