package import ProbeKit

/// A server of a service, as an SRV record names it (RFC 2782).
package struct ServiceRecord: Sendable {
    package let priority: UInt16
    package let weight: UInt16
    package let port: UInt16
    /// The server's name; the root offers no service.
    package let target: DNSName
}

/// A mail host of a domain, as an MX record names it (RFC 1035 section 3.3.9).
package struct MailExchange: Sendable {
    package let preference: UInt16
    /// The host's name; the root takes no mail (RFC 7505).
    package let host: DNSName
}

extension DNSMessage {
    /// Returns the fields of an SRV record.
    package func service(of record: DNSRecord) throws(ReplyFault) -> ServiceRecord {
        var reader = DNSWireReader(bytes, at: record.data.lowerBound)
        return ServiceRecord(
            priority: try reader.word(), weight: try reader.word(), port: try reader.word(), target: try reader.name())
    }

    /// Returns the fields of an MX record.
    package func exchange(of record: DNSRecord) throws(ReplyFault) -> MailExchange {
        var reader = DNSWireReader(bytes, at: record.data.lowerBound)
        return MailExchange(preference: try reader.word(), host: try reader.name())
    }

    /// Returns the fields of a TLSA record (RFC 6698 section 2.1). One without data can't be used, which is
    /// no reason to lose the others.
    package func association(of record: DNSRecord) throws(ReplyFault) -> MailHost.Record {
        let fields = Array(bytes[record.data])
        guard fields.count >= 3 else { throw ReplyFault(.malformed, "a TLSA record has \(fields.count) bytes") }
        return MailHost.Record(
            usage: fields[0], selector: fields[1], matching: fields[2], data: Array(fields.dropFirst(3)))
    }
}
