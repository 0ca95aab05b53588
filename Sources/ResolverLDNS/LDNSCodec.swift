import ProbeDNS
package import ProbeKit
import ProbeNet

/// ldns without its sockets: its own resolver accepts replies with a wrong id, source or question.
package struct LDNSCodec: ReplySharingCodec {
    package init() {}

    package func query(name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(DNSFailure) -> [UInt8] {
        if let absence = LDNSLibrary.absence { throw absence.dnsFailure }
        do throws(LDNSError) {
            let packet = try LDNSPacket(queryFor: name, id: id, ednsSize: ednsSize, dnssecOK: dnssecOK)
            return try packet.wireBytes()
        } catch {
            throw DNSFailure(.backendError, "ldns can't write the query: \(error)")
        }
    }

    package func read(_ reply: [UInt8]) -> NativeDNSReading { read(sharing: DNSReply(reply)) }

    package func read(sharing reply: DNSReply) -> NativeDNSReading {
        guard Self.isCheapToParse(reply) else {
            return .notAsked(
                "ldns was not given the reply: parsing a record of more than \(Self.maximumFields) fields takes it seconds"
            )
        }
        do throws(LDNSError) {
            let packet = try LDNSPacket(wire: reply.bytes)
            return .parsed(rcode: packet.responseCode, records: packet.textRecords)
        } catch {
            return .unreadable("\(error)")
        }
    }

    /// The maximum number of a record's fields. ldns allocates them one by one, so its time grows with their square:
    /// seconds for the 60 000 empty strings that fit into a message. The longest texts have 257.
    private static let maximumFields = 1024

    /// Returns true if no record has too many fields. A long reply that our own reader rejects is unusable, and not
    /// worth the time.
    private static func isCheapToParse(_ reply: DNSReply) -> Bool {
        guard reply.bytes.count > maximumFields else { return true }
        guard let message = try? reply.message.get() else { return false }
        return (message.answers + message.authorities + message.additional).allSatisfy { record in
            guard record.data.count > maximumFields, LDNSLibrary.isOpenEnded(record.type) else { return true }
            guard record.type == DNSType.txt, let strings = try? message.strings(of: record) else { return false }
            return strings.count <= maximumFields
        }
    }
}
