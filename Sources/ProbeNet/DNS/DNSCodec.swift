import ProbeDNS
public import ProbeKit

/// A DNS library's two halves without its sockets: it writes queries and reads replies, ``DNSExchange`` does the rest.
public protocol DNSCodec: Sendable {
    /// Writes a query for a name's TXT records of class IN with recursion desired.
    ///
    /// - Parameters:
    ///   - name: the name to ask for.
    ///   - id: the id to write; the exchange chooses it, so that it is unpredictable with every codec.
    ///   - ednsSize: the UDP size to advertise; nil writes no OPT record.
    ///   - dnssecOK: whether to set DO; only with an OPT record.
    /// - Throws: ``DNSFailure`` with the code `badQuery` or `backendError`.
    func query(name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(DNSFailure) -> [UInt8]

    /// Returns the library's own parse of a reply, hostile or not.
    func read(_ reply: [UInt8]) -> NativeDNSReading
}

/// A codec that needs the strict reader's parse of a reply too, which others need as well: the reply is parsed once.
package protocol ReplySharingCodec: DNSCodec {
    /// Returns the same as ``DNSCodec/read(_:)``.
    func read(sharing reply: DNSReply) -> NativeDNSReading
}

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
