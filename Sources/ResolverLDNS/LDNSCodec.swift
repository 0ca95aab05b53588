package import ProbeKit
import ProbeNet

/// ldns without its sockets: its own resolver believes replies with a wrong id, source or question.
package struct LDNSCodec: DNSCodec {
    package init() {}

    package func query(name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(DNSFailure) -> [UInt8] {
        do throws(LDNSError) {
            let packet = try LDNSPacket(queryFor: name, id: id, ednsSize: ednsSize, dnssecOK: dnssecOK)
            return try packet.wireBytes()
        } catch {
            throw DNSFailure(.backendError, "ldns can't write the query: \(error)")
        }
    }

    package func read(_ reply: [UInt8]) -> NativeDNSReading {
        do throws(LDNSError) {
            let packet = try LDNSPacket(wire: reply)
            return .parsed(rcode: packet.responseCode, records: packet.textRecords)
        } catch {
            return .unreadable("\(error)")
        }
    }
}
