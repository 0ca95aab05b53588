/// A mail host's TLSA records, as DNSSEC proves them with the MX records that lead to it (RFC 7672).
package struct MailHost: Hashable, Sendable {
    /// A TLSA record (RFC 6698 section 2.1).
    package struct Record: Hashable, Sendable {
        package let usage: UInt8
        package let selector: UInt8
        package let matching: UInt8
        package let data: [UInt8]

        package init(usage: UInt8, selector: UInt8, matching: UInt8, data: [UInt8]) {
            (self.usage, self.selector, self.matching, self.data) = (usage, selector, matching, data)
        }
    }

    /// The result of the lookups.
    package enum Answer: Hashable, Sendable {
        /// The records of the set, at least one.
        case records([Record])
        /// DNSSEC proves that there are none.
        case absent
        /// DNSSEC does not prove the records that are named, so the host is without DANE.
        case insecure(String)
        /// Nothing is known: the lookup failed, or its answer is bogus.
        case failed(String)
    }

    /// The name of the records, like `_25._tcp.mx.example.com`.
    package let owner: String
    /// The names of which a certificate has to have one where an authority is published: that of the records, the domain's,
    /// and with MX records the one that the domain's aliases end at (RFC 7672 section 3.2.2).
    package let names: [ServerName]
    package let answer: Answer

    package init(owner: String, names: [ServerName], answer: Answer) {
        (self.owner, self.names, self.answer) = (owner, names, answer)
    }
}

extension MailHost.Record: CustomStringConvertible {
    /// True if it can be used with SMTP: usages 0 and 1 rest on authorities that nobody agreed on (RFC 7672 section 3.1.3).
    package var isUsable: Bool {
        guard usage == 2 || usage == 3, selector <= 1 else { return false }
        return switch matching {
        case 0: !data.isEmpty
        case 1: data.count == 32
        case 2: data.count == 64
        default: false
        }
    }

    /// The fields as a zone has them; whole certificates are cut short.
    package var description: String {
        let hex = Hex.encode(data.prefix(64))
        return "\(usage) \(selector) \(matching) \(hex)\(data.count > 64 ? "…" : "")"
    }
}

extension MailHost {
    /// The records that count: those that can be used, and of digests of one kind the stronger alone (RFC 7671 section 9).
    package var usable: [Record] {
        guard case .records(let records) = answer else { return [] }
        let usable = records.filter(\.isUsable)
        return usable.filter { record in
            record.matching != 1
                || !usable.contains {
                    $0.matching == 2 && $0.usage == record.usage && $0.selector == record.selector
                }
        }
    }
}
