import ProbeDNS
import ProbeKit
import ProbeNet

/// c-ares without its sockets, for exchanges that it can't make: the query is this package's own, and c-ares parses the
/// reply.
struct CAresCodec: DNSCodec {
    func query(name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(DNSFailure) -> [UInt8] {
        if let absence = CAresLibrary.absence { throw absence.dnsFailure }
        return DNSQueryMessage.bytes(name: name, id: id, ednsSize: ednsSize, dnssecOK: dnssecOK)
    }

    func read(_ reply: [UInt8]) -> NativeDNSReading { CAresText.read(reply) }
}
