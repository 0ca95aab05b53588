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
