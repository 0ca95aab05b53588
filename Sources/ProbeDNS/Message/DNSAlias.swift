package import ProbeKit

/// An alias in the answer section: a CNAME record, or the DNAME record that one was made from (RFC 6672).
package struct DNSAlias: Sendable {
    package let owner: DNSName
    /// `CNAME` or `DNAME`.
    package let type: String
    package let target: DNSName
    package let ttl: UInt32

    /// The maximum number shown; the strict reader follows fewer.
    fileprivate static let shown = 32
}

extension DNSMessage {
    /// The aliases of the answer section in the order of the reply, the first 32 of them.
    package var aliases: [DNSAlias] {
        let records = answers.lazy.filter { record in
            [DNSType.cname, DNSType.dname].contains(record.type) && record.recordClass == DNSClass.internet
        }
        return records.prefix(DNSAlias.shown).compactMap { record in
            (try? target(of: record)).map { target in
                DNSAlias(owner: record.owner, type: DNSType.name(record.type), target: target, ttl: record.ttl)
            }
        }
    }
}
